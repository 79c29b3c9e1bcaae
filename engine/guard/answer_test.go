package guard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/engine/guard/ledger"
)

// booked gives the house a file of remembered rules.
func (h *house) booked() *ledger.Ledger {
	book := ledger.Open(filepath.Join(h.home, ".talaria-data", "approvals.yaml"))
	h.reopen(book)
	return book
}

// reopen is the program started anew: what was allowed for the session is gone.
func (h *house) reopen(book *ledger.Ledger) {
	h.o.Keeper = NewKeeper(h.ws, h.home, book, h.o.Allow, h.o.Deny)
	h.g = New(h.o)
}

func TestAlwaysIsRememberedForTheProjectAndCanBeRevoked(t *testing.T) {
	h := newHouse(t)
	book := h.booked()
	h.answer = engine.Answer{Choice: engine.ChoiceAlways, Rule: "command npm run build"}
	h.run("npm run build -- --fast")
	h.answer = engine.Answer{}
	h.reopen(book)
	for command, want := range map[string]string{"npm run build": "pass", "npm run build -- x": "pass", "npm run lint": "ask", "npm run build && npm test": "ask"} {
		if got := h.command(command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if h.command("npm run build && npm test"); h.asked[0].Why != "not allowed yet: `npm test`" || h.asked[0].Rule != "command npm test" {
		t.Errorf("a compound command asks %+v", h.asked[0])
	}
	list, err := h.o.Keeper.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Made != "$ npm run build -- --fast" || list[0].Scope != engine.ScopeProject {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := h.o.Keeper.Revoke(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := h.command("npm run build"); got != "ask" {
		t.Errorf("after it was revoked: %s", got)
	}
	if err := h.o.Keeper.Revoke(t.Context(), list[0].ID); !errors.Is(err, engine.ErrNoRule) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestARuleThatWasNotOfferedAllowsNothing(t *testing.T) {
	h := newHouse(t)
	h.booked()
	for _, a := range []engine.Answer{{Choice: engine.ChoiceAlways, Rule: "command rm"}, {Choice: engine.ChoiceSession, Rule: "edit **"}, {Choice: engine.ChoiceAlways, Rule: "command npm"}} {
		h.answer = a
		if v := h.run("npm test"); v.Decision == engine.Pass {
			t.Errorf("%+v let it run", a)
		}
	}
	h.answer = engine.Answer{Choice: engine.ChoiceAlways}
	if v := h.run("rm -rf build"); v.Decision == engine.Pass || len(h.asked[len(h.asked)-1].Rungs) > 0 {
		t.Error("a dangerous command was remembered")
	}
	if list, _ := h.o.Keeper.List(t.Context()); len(list) > 0 {
		t.Errorf("rules: %+v", list)
	}
}

// What was allowed on any rung passes ever after without a question, and what no rule speaks of asks (UX B 8).
func TestEveryRungThatIsChosenHoldsAndNothingBeyondIt(t *testing.T) {
	commands := []string{"npm test", "npm test -- x", "npm run build", "go test ./...", "go vet .", "go build -o a .", "ls", "ls -la src", "git status", "git push origin main", "git push", "cp a b", "cp a c",
		"./x.sh 1", "./x.sh 2", "python3 x.py", "python3 y.py", "make", "make test", "timeout 5 go test .", "CI=1 npm test", "npm test && go vet .", "cd src && ls", "ls *.go", "touch P", "cat .env", "cat ../x", "npm test > f", "sudo npm test"}
	h := newHouse(t)
	rapid.Check(t, func(rt *rapid.T) {
		asked := rapid.SampledFrom(commands[:22]).Draw(rt, "asked")
		by, always := rapid.IntRange(0, 9).Draw(rt, "rung"), rapid.IntRange(0, 9).Draw(rt, "always") == 0
		os.Remove(filepath.Join(h.home, ".talaria-data", "approvals.yaml"))
		book := h.booked()
		var rung engine.Rung
		h.o.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
			rung = q.Rungs[by%len(q.Rungs)]
			return engine.Answer{Choice: map[bool]string{true: engine.ChoiceAlways, false: engine.ChoiceSession}[always], Rule: rung.Rule}, nil
		}
		h.reopen(book)
		if v := h.run(asked); v.Decision != engine.Pass {
			rt.Fatalf("%s: %+v", asked, v)
		}
		h.o.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
			h.asked = append(h.asked, q)
			return engine.Answer{}, nil
		}
		h.o.Keeper = h.g.k
		h.g = New(h.o)
		if got := h.command(asked); got != "pass" {
			rt.Fatalf("%q was allowed as %q and asks again", asked, rung.Rule)
		}
		for _, c := range commands {
			if got := h.command(c); got == "pass" && !speaksOf(rung.Rule, c) {
				rt.Fatalf("%q passes by %q", c, rung.Rule)
			}
		}
	})
}

// speaksOf reads the rules of a rung as a person does: each part of the command must begin with the words of one.
func speaksOf(rungs, command string) bool {
	for _, part := range strings.Split(command, " && ") {
		part = strings.TrimPrefix(strings.TrimPrefix(part, "timeout 5 "), "CI=1 ")
		if !strings.HasPrefix(part, "cd ") && !slices.ContainsFunc(strings.Split(rungs, "; "), func(r string) bool {
			kind, words, _ := strings.Cut(r, " ")
			words = strings.TrimPrefix(strings.TrimPrefix(words, "timeout 5 "), "CI=1 ")
			return part == words || kind == "command" && strings.HasPrefix(part, words+" ")
		}) {
			return false
		}
	}
	return true
}

func TestTheUserEditsTheCommandFirst(t *testing.T) {
	h := newHouse(t)
	h.answer = engine.Answer{Choice: engine.ChoiceEdit, Text: "npm test -- one"}
	v := h.run("npm test")
	if v.Decision != engine.Pass || v.Call == nil || v.Call.Args != `{"command":"npm test -- one"}` || !strings.Contains(v.Reason, "npm test -- one") || len(h.asked) != 1 {
		t.Fatalf("%+v", v)
	}
	for _, h.answer.Text = range []string{"rm -rf /", "sudo reboot"} {
		if v := h.run("npm test"); v.Decision != engine.Deny || !strings.HasPrefix(v.Reason, "blocked:") {
			t.Errorf("edited into %s: %+v", h.answer.Text, v)
		}
	}
	asked := 0
	h.o.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
		if asked++; asked == 1 {
			return engine.Answer{Choice: engine.ChoiceEdit, Text: "rm -rf build"}, nil
		}
		if q.Danger == "" || q.Body != "rm -rf build" {
			t.Errorf("the second question is %+v", q)
		}
		return engine.Answer{Choice: engine.ChoiceOnce}, nil
	}
	h.g = New(h.o)
	if v := h.run("npm test"); asked != 2 || v.Call == nil || v.Call.Args != `{"command":"rm -rf build"}` {
		t.Errorf("asked %d times: %+v", asked, v)
	}
}

func TestAnEditThatWasChangedIsShownAgain(t *testing.T) {
	h := newHouse(t)
	asked := 0
	h.o.Preview = func(c engine.Call) string { return "@@ " + c.Args }
	h.o.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
		if asked++; asked == 1 {
			if q.Draft != "x" {
				t.Errorf("the draft is %q", q.Draft)
			}
			return engine.Answer{Choice: engine.ChoiceEdit, Text: "mine"}, nil
		}
		if !strings.Contains(q.Diff, "mine") {
			t.Errorf("the second diff is %q", q.Diff)
		}
		return engine.Answer{Choice: engine.ChoiceOnce}, nil
	}
	h.g = New(h.o)
	if v := h.write("src/a.go"); asked != 2 || v.Decision != engine.Pass || v.Call == nil || !strings.Contains(v.Call.Args, `"content":"mine"`) || !strings.Contains(v.Call.Args, `"path":"src/a.go"`) {
		t.Errorf("asked %d times: %+v", asked, v)
	}
}

func TestAQuestionThatNobodyAnswersIsADenial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Roots: []string{"/nowhere"}, Home: "/nowhere", Timeout: 30 * time.Second, Lookup: func(string) (string, bool) { return "", false },
			Ask: func(ctx context.Context, q engine.Question) (engine.Answer, error) {
				if q.Timeout != 30 {
					t.Errorf("the question says %d s", q.Timeout)
				}
				<-ctx.Done()
				return engine.Answer{}, ctx.Err()
			}}
		g := New(o)
		began := time.Now()
		v, err := g.Gate(t.Context(), engine.Call{ID: "c", Name: "terminal", Args: `{"command":"npm test"}`}, engine.Spec{Name: "terminal", Effect: engine.Executes})
		if err != nil || v.Decision != engine.Deny || !strings.Contains(v.Reason, "did not answer within 30s") || time.Since(began) != 30*time.Second {
			t.Errorf("%+v, %v after %s", v, err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // a stop is no time that ran out
		if _, err := g.Gate(ctx, engine.Call{ID: "c", Name: "terminal", Args: `{"command":"npm test"}`}, engine.Spec{Name: "terminal", Effect: engine.Executes}); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
	})
}

func TestTheJudgeCanOnlyAllowTheVeryCommandThatIsNotDangerous(t *testing.T) {
	h := newHouse(t)
	says, seen := "APPROVE", []string(nil)
	h.o.Judge = func(_ context.Context, prompt string) (string, error) {
		seen = append(seen, prompt)
		if says == "error" {
			return "APPROVE", errors.New("no connection")
		}
		return says, nil
	}
	h.g = New(h.o)
	for range 2 {
		if got := h.command("npm test"); got != "pass" {
			t.Errorf("approved: %s", got)
		}
	}
	if len(seen) != 1 || !strings.Contains(seen[0], `"npm test"`) {
		t.Errorf("it was asked %d times: %q", len(seen), seen)
	}
	for _, c := range []string{"rm -rf build", "curl x | sh", "if", "sudo ls"} {
		if got := h.command(c); got != "ask" {
			t.Errorf("%s: %s", c, got)
		}
	}
	if got := h.command("rm -rf /"); got != "block" {
		t.Errorf("rm -rf /: %s", got)
	}
	if len(seen) != 1 {
		t.Errorf("it was asked about what is dangerous: %q", seen)
	}
	for _, says = range []string{"DENY", "ESCALATE", "approve", "APPROVE.", "APPROVE\nAPPROVE", "I say APPROVE", "", "error"} {
		if got := h.command("npm run " + strings.ToLower(says[:min(1, len(says))]) + "x"); got != "ask" {
			t.Errorf("it says %q: %s", says, got)
		}
	}
	says = "APPROVE"
	if h.said(func() engine.Verdict { return h.write("a") }) != "ask" || h.said(func() engine.Verdict { return h.read("/etc/passwd") }) != "ask" {
		t.Error("it decides about files")
	}
	h.mode = "plan"
	if got := h.command("npm test"); got != "deny" {
		t.Errorf("plan mode: %s", got)
	}
}

func TestTheNetworkAsksOnceForEachHost(t *testing.T) {
	h := newHouse(t, "use web_search")
	fetch := func(urls ...string) string {
		return h.said(func() engine.Verdict {
			return h.gate(h.call("web_extract", map[string]any{"urls": urls}), engine.Spec{Effect: engine.Reads, Toolset: "web"})
		})
	}
	h.answer = engine.Answer{Choice: engine.ChoiceSession}
	fetch("https://docs.example.com/a")
	if q := h.asked[0]; q.Rule != "fetch docs.example.com" || len(q.Rungs) != 2 {
		t.Errorf("%+v", q)
	}
	h.answer = engine.Answer{}
	for urls, want := range map[string]string{"https://docs.example.com/b": "pass", "http://DOCS.example.com:80/": "pass", "https://example.com": "ask", "https://docs.example.com:8443": "ask", "https://docs.example.com.evil.test": "ask",
		"https://docs.example.com@evil.test/": "ask", "https://docs.example.com/ https://other.test": "ask", "::": "ask", "https://*.example.com": "ask"} {
		if got := fetch(strings.Fields(urls)...); got != want {
			t.Errorf("%s: %s, want %s", urls, got, want)
		}
	}
	search := h.call("web_search", map[string]any{"query": "x"})
	if got := h.said(func() engine.Verdict { return h.gate(search, engine.Spec{Effect: engine.Reads, Toolset: "web"}) }); got != "pass" {
		t.Errorf("a tool allowed by name: %s", got)
	}
}

func TestWhyNamesWhatDecided(t *testing.T) {
	h := newHouse(t, "command go test")
	for i, c := range []string{"go test ./...", "rm -rf build", "rm -rf /", "npm test"} {
		call := h.call("terminal", map[string]any{"command": c})
		call.ID = string(rune('a' + i))
		h.gate(call, engine.Spec{Effect: engine.Executes})
	}
	h.mode = "auto"
	h.write("a.go")
	got, err := h.g.k.Rulings(t.Context(), 99)
	if err != nil || len(got) != 5 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range []engine.Ruling{
		{Action: "edit a.go", Verdict: "allowed", By: "auto mode"},
		{Action: "$ npm test", Verdict: "denied", By: "commands ask", Asked: true, Choice: engine.ChoiceDeny},
		{Action: "$ rm -rf /", Verdict: "blocked", By: "the hard line: it would delete /"},
		{Action: "$ rm -rf build", Verdict: "denied", By: "deletes a directory tree", Asked: true, Choice: engine.ChoiceDeny},
		{Action: "$ go test ./...", Verdict: "allowed", By: "the rule command go test"},
	} {
		if r := got[i]; r.Action != want.Action || r.Verdict != want.Verdict || !strings.Contains(r.By, want.By) || r.Asked != want.Asked || r.Choice != want.Choice {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
}

func BenchmarkGate(b *testing.B) {
	g := New(Options{Roots: []string{"/tmp"}, Home: "/nowhere", Allow: []string{"command go test"}, Lookup: func(string) (string, bool) { return "", false }})
	c := engine.Call{ID: "c", Name: "terminal", Args: `{"command":"cd src && go test ./... 2>&1 | tail -20"}`}
	for b.Loop() {
		g.Gate(b.Context(), c, engine.Spec{Name: "terminal", Effect: engine.Executes})
	}
}

func TestAlwaysOfARunThatKeepsNothingLastsForTheProgram(t *testing.T) {
	h := newHouse(t)
	book := h.booked()
	h.answer = engine.Answer{Choice: engine.ChoiceAlways, Rule: "command npm run old"}
	h.run("npm run old")
	h.reopen(book)
	h.o.Keeper.Fleeting()
	path := filepath.Join(h.home, ".talaria-data", "approvals.yaml")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.answer = engine.Answer{Choice: engine.ChoiceAlways, Rule: "command npm run build"}
	h.run("npm run build")
	labels := ""
	for _, c := range h.asked[len(h.asked)-1].Choices {
		labels += c.Label + "\n"
	}
	if !strings.Contains(labels, "until the program ends (nothing is kept)") || strings.Contains(labels, "in this project") {
		t.Errorf("it offers\n%s", labels)
	}
	for command, want := range map[string]string{"npm run build": "pass", "npm run old": "pass"} {
		if got := h.command(command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file of rules was %q and is %q, %v", before, after, err)
	}
	h.answer = engine.Answer{Choice: engine.ChoiceDeny}
	h.reopen(book)
	if got := h.command("npm run build"); got != "ask" {
		t.Errorf("in the next program: %s", got)
	}
}

func TestAFileThatGoesIsAskedEachTimeInEditMode(t *testing.T) {
	h := newHouse(t, "edit src/**")
	loses := ""
	h.o.Loses = func(engine.Call) string { return loses }
	h.g = New(h.o)
	for mode, want := range map[string][2]string{"ask": {"pass", "ask"}, "edit": {"pass", "ask"}, "plan": {"deny", "deny"}, "auto": {"pass", "pass"}} {
		for i, text := range []string{"", "it deletes src/a.go"} {
			h.mode, loses = mode, text
			if got := h.said(func() engine.Verdict { return h.write("src/a.go") }); got != want[i] {
				t.Errorf("%s, %q: %s, want %s", mode, text, got, want[i])
			}
			if text != "" && want[1] == "ask" && (h.asked[0].Why != text || len(h.asked[0].Rungs) > 0) {
				t.Errorf("it asks %+v", h.asked[0])
			}
		}
	}
}

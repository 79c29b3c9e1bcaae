package guard

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
)

// house is a guard over a workspace, with a user who answers as told.
type house struct {
	*testing.T
	g      *Guard
	o      Options
	mode   string
	ws     string // the workspace
	home   string
	out    string // outside
	answer engine.Answer
	asked  []engine.Question
}

func newHouse(t *testing.T, allow ...string) *house {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &house{T: t, mode: "ask", home: filepath.Join(base, "home"), out: filepath.Join(base, "OUT"), answer: engine.Answer{Choice: engine.ChoiceDeny}}
	h.ws = filepath.Join(h.home, "ws")
	for _, d := range []string{h.ws, h.out, filepath.Join(h.ws, "src", "auth"), filepath.Join(h.ws, ".git", "hooks"), filepath.Join(h.home, ".ssh"), filepath.Join(h.home, ".talaria-data", "results")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.o = Options{
		Mode: func() string { return h.mode }, Dir: func() string { return h.ws }, Roots: []string{h.ws}, Home: h.home,
		Own: []string{filepath.Join(h.home, ".talaria-data")}, Results: []string{filepath.Join(h.home, ".talaria-data", "results")}, Allow: allow,
		Lookup: func(name string) (string, bool) { return "", false },
		Ask: func(_ context.Context, q engine.Question) (engine.Answer, error) {
			h.asked = append(h.asked, q)
			return h.answer, nil
		},
	}
	h.g = New(h.o)
	return h
}

func (h *house) call(tool string, args map[string]any) engine.Call {
	b, _ := json.Marshal(args)
	return engine.Call{ID: "call_1", Name: tool, Args: string(b)}
}

func (h *house) gate(c engine.Call, s engine.Spec) engine.Verdict {
	h.Helper()
	s.Name = c.Name
	v, err := h.g.Gate(context.Background(), c, s)
	if err != nil {
		h.Fatal(err)
	}
	return v
}

func (h *house) run(command string) engine.Verdict {
	h.Helper()
	return h.gate(h.call("terminal", map[string]any{"command": command}), engine.Spec{Effect: engine.Executes, Toolset: "terminal"})
}

func (h *house) write(path string) engine.Verdict {
	h.Helper()
	return h.gate(h.call("write_file", map[string]any{"path": path, "content": "x"}), engine.Spec{Effect: engine.Writes, Toolset: "file"})
}

func (h *house) read(path string) engine.Verdict {
	h.Helper()
	return h.gate(h.call("read_file", map[string]any{"path": path}), engine.Spec{Effect: engine.Reads, Toolset: "file"})
}

// said is what came of a call: pass, ask (asked and denied), deny, block, need.
func (h *house) said(f func() engine.Verdict) string {
	h.Helper()
	h.asked = nil
	v := f()
	switch {
	case len(h.asked) > 0 && v.Decision == engine.Deny:
		return "ask"
	case v.Decision == engine.NeedsApproval:
		return "need"
	case v.Decision == engine.Deny && v.Policy && strings.HasPrefix(v.Reason, "blocked:"):
		return "block" // the hard line
	case v.Decision == engine.Deny:
		return "deny"
	}
	return "pass"
}

func (h *house) command(command string) string {
	h.Helper()
	return h.said(func() engine.Verdict { return h.run(command) })
}

func (h *house) link(target, name string) {
	h.Helper()
	if err := os.Symlink(target, filepath.Join(h.ws, name)); err != nil {
		h.Fatal(err)
	}
}

func TestReadingInsideTheWorkspaceIsFree(t *testing.T) {
	h := newHouse(t)
	h.link(filepath.Join(h.home, ".ssh"), "keys")
	h.link(h.out, "outbox")
	want := map[string]string{
		"src/auth/a.go": "pass", "new/deep/file": "pass", ".": "pass", h.ws + "/x": "pass", ".git/config": "pass", "~/ws/a": "pass",
		".env": "ask", ".env.local": "ask", "sub/.ENV": "ask", "id_rsa": "ask", "certs/server.pem": "ask", "keys/config": "ask", "outbox/x": "ask",
		"~/.ssh/config": "ask", "/etc/passwd": "ask", "../other": "ask", "src/../../x": "ask", "~/.talaria-data/sessions.db": "ask", "~": "ask",
		h.home + "/.talaria-data/results/out-1.txt": "pass", "outbox/../x": "ask", "/proc/self/environ": "ask",
	}
	for _, mode := range []string{"ask", "edit", "plan", "auto", "nonsense"} {
		h.mode = mode
		for path, w := range want {
			if mode == "auto" {
				w = "pass"
			}
			if got := h.said(func() engine.Verdict { return h.read(path) }); got != w {
				t.Errorf("%s: read %s: %s, want %s", mode, path, got, w)
			}
		}
	}
}

func TestReadingNamesWhatIsAsked(t *testing.T) {
	h := newHouse(t)
	for path, why := range map[string]string{"/etc/hosts": "outside the workspace", ".env": "may hold keys", "~/.talaria-data/x": "Talaria's own files"} {
		h.asked = nil
		h.read(path)
		if len(h.asked) != 1 || !strings.HasPrefix(h.asked[0].Title, "Read ") || !strings.Contains(h.asked[0].Why, why) || h.asked[0].Kind != engine.Approval || h.asked[0].CallID != "call_1" {
			t.Errorf("%s: %+v", path, h.asked)
		}
	}
	c := h.call("search_files", map[string]any{"pattern": "KEY", "file_glob": ".env*"})
	if got := h.said(func() engine.Verdict { return h.gate(c, engine.Spec{Effect: engine.Reads, Toolset: "file"}) }); got != "ask" {
		t.Errorf("a search for .env files: %s", got)
	}
	c = h.call("search_files", map[string]any{"pattern": "KEY", "file_glob": "*.go"})
	if got := h.said(func() engine.Verdict { return h.gate(c, engine.Spec{Effect: engine.Reads, Toolset: "file"}) }); got != "pass" {
		t.Errorf("a search in the workspace: %s", got)
	}
}

func TestL13SymlinkInsideTheWorkspaceLeadsOutside(t *testing.T) {
	h := newHouse(t)
	h.link(h.out, "outbox")
	h.link(filepath.Join(h.out, "victim.txt"), "notes.md")
	h.link(filepath.Join(h.out, "new.txt"), "draft.txt") // dangling
	h.link("real.md", "in.md")
	if err := os.WriteFile(filepath.Join(h.out, "victim.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"ask", "edit"} {
		h.mode = mode
		for path, real := range map[string]string{"outbox/x": "x", "notes.md": "victim.txt", "draft.txt": "new.txt"} {
			if got := h.said(func() engine.Verdict { return h.write(path) }); got != "ask" {
				t.Errorf("%s: write %s: %s", mode, path, got)
				continue
			}
			q := h.asked[0]
			if q.Title != "Edit "+path+" → "+filepath.Join(h.out, real) || q.Rule != "" {
				t.Errorf("%s: the question for %s is %+v", mode, path, q)
			}
		}
	}
	if got := h.said(func() engine.Verdict { return h.write("in.md") }); got != "pass" {
		t.Errorf("a link that stays inside, in edit mode: %s", got)
	}
}

func TestEditsByMode(t *testing.T) {
	h := newHouse(t)
	paths := map[string][4]string{ // ask, edit, plan, auto
		"src/a.go":             {"ask", "pass", "deny", "pass"},
		"new/b.go":             {"ask", "pass", "deny", "pass"},
		".git/hooks/post":      {"ask", "ask", "deny", "pass"},
		"sub/.git/config":      {"ask", "ask", "deny", "pass"},
		".talaria/config.yaml": {"ask", "ask", "deny", "pass"},
		".bashrc":              {"ask", "ask", "deny", "pass"},
		".env":                 {"ask", "ask", "deny", "pass"},
		"../x":                 {"ask", "ask", "deny", "pass"},
		"~/.profile":           {"ask", "ask", "deny", "pass"},
		"/etc/hosts":           {"ask", "ask", "deny", "pass"},
		"":                     {"ask", "ask", "deny", "pass"},
	}
	for path, want := range paths {
		for i, mode := range []string{"ask", "edit", "plan", "auto"} {
			h.mode = mode
			if got := h.said(func() engine.Verdict { return h.write(path) }); got != want[i] {
				t.Errorf("%s: write %q: %s, want %s", mode, path, got, want[i])
			}
		}
	}
}

func TestEveryFileOfAPatchCounts(t *testing.T) {
	h := newHouse(t)
	h.mode = "edit"
	patch := "*** Begin Patch\n*** Update File: src/a.go\n@@\n-x\n+y\n%s\n*** End Patch"
	for more, want := range map[string]string{"": "pass", "*** Add File: .git/hooks/x\n+x": "ask", "*** Delete File: ../x": "ask", "*** Move to: /etc/x": "ask", "*** Update File: ~/.ssh/config": "ask"} {
		c := h.call("patch", map[string]any{"patch": strings.Replace(patch, "%s", more, 1)})
		if got := h.said(func() engine.Verdict { return h.gate(c, engine.Spec{Effect: engine.Writes, Toolset: "file"}) }); got != want {
			t.Errorf("%q: %s, want %s", more, got, want)
		}
	}
	o := h.o
	o.Touches = func(engine.Call) []string { return []string{"/etc/passwd"} }
	h.g = New(o)
	if got := h.said(func() engine.Verdict { return h.write("src/a.go") }); got != "ask" {
		t.Errorf("what the tool says it touches: %s", got)
	}
}

func TestSessionRuleForEditsHoldsForTheDirectory(t *testing.T) {
	h := newHouse(t)
	o := h.o
	o.Preview = func(engine.Call) string { return "@@ the diff" }
	h.g = New(o)
	h.answer = engine.Answer{Choice: engine.ChoiceSession}
	h.write("src/auth/refresh.ts")
	q := h.asked[0]
	if q.Rule != "edit src/auth/" || q.Choices[1].Label != "Allow edits in src/auth/ for this session" || q.Diff != "@@ the diff" {
		t.Fatalf("the question is %+v", q)
	}
	h.answer = engine.Answer{Choice: engine.ChoiceDeny}
	for path, want := range map[string]string{"src/auth/other.ts": "pass", "src/auth/.env": "ask", "src/a.ts": "ask", "src/auth/deep/x.ts": "ask", "src/auth/../b": "ask"} {
		if got := h.said(func() engine.Verdict { return h.write(path) }); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	h.link(filepath.Join(h.out, "x"), "src/auth/leak.ts")
	if got := h.said(func() engine.Verdict { return h.write("src/auth/leak.ts") }); got != "ask" {
		t.Errorf("a link out of the directory: %s", got)
	}
}

func TestSessionRuleForReadsOutside(t *testing.T) {
	h := newHouse(t)
	h.answer = engine.Answer{Choice: engine.ChoiceSession}
	h.read(filepath.Join(h.out, "a"))
	h.answer = engine.Answer{}
	if got := h.said(func() engine.Verdict { return h.read(filepath.Join(h.out, "b")) }); got != "pass" {
		t.Errorf("the same folder: %s", got)
	}
	if got := h.said(func() engine.Verdict { return h.read(filepath.Join(h.out, ".env")) }); got != "ask" {
		t.Errorf("keys in it: %s", got)
	}
}

func TestNobodyToAsk(t *testing.T) {
	h := newHouse(t)
	h.o.Ask = nil
	h.g = New(h.o)
	for command, want := range map[string]string{"ls": "need", "rm -rf /": "block", "if": "need"} {
		if got := h.command(command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if got := h.said(func() engine.Verdict { return h.write("a") }); got != "need" {
		t.Errorf("an edit: %s", got)
	}
	h.mode = "auto"
	if got := h.command("if"); got != "need" {
		t.Errorf("what cannot be parsed, in auto mode: %s", got)
	}
}

func TestDenialTellsTheModelWhy(t *testing.T) {
	h := newHouse(t)
	h.answer = engine.Answer{Choice: engine.ChoiceDeny, Text: "use pnpm"}
	if v := h.run("npm test"); v.Reason != "the user denied this: use pnpm. Do not retry it or work round it; ask or do something else." || v.Policy {
		t.Errorf("got %+v", v)
	}
	h.answer = engine.Answer{}
	if v := h.run("npm test"); v.Decision != engine.Deny || !strings.HasPrefix(v.Reason, "the user did not consent to this.") {
		t.Errorf("got %+v", v)
	}
	boom := errors.New("boom")
	h.o.Ask = func(context.Context, engine.Question) (engine.Answer, error) {
		return engine.Answer{Choice: engine.ChoiceOnce}, boom
	}
	h.g = New(h.o)
	c := h.call("terminal", map[string]any{"command": "ls"})
	if v, err := h.g.Gate(context.Background(), c, engine.Spec{Name: "terminal", Effect: engine.Executes}); v.Decision == engine.Pass || !errors.Is(err, boom) {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestAgentsOwnStateIsFreeAndStrangersAsk(t *testing.T) {
	h := newHouse(t)
	for _, x := range []struct {
		spec engine.Spec
		want string
	}{
		{engine.Spec{Effect: engine.Notes, Toolset: "agent"}, "pass"},
		{engine.Spec{Effect: engine.Asks, Toolset: "agent"}, "pass"},
		{engine.Spec{Effect: engine.Reads, Toolset: "agent"}, "pass"},
		{engine.Spec{Effect: engine.Reads, Toolset: "mcp"}, "ask"},
		{engine.Spec{Effect: engine.Reads, Toolset: "web"}, "ask"},
		{engine.Spec{Effect: engine.Writes, Toolset: "mcp"}, "ask"},
		{engine.Spec{Effect: engine.Executes, Toolset: "mcp"}, "ask"},
		{engine.Spec{Effect: 99, Toolset: "file"}, "ask"},
	} {
		c := h.call("some_tool", map[string]any{"q": 1})
		if got := h.said(func() engine.Verdict { return h.gate(c, x.spec) }); got != x.want {
			t.Errorf("%+v: %s, want %s", x.spec, got, x.want)
		}
	}
	h.mode = "plan"
	if got := h.said(func() engine.Verdict { return h.gate(h.call("process", nil), engine.Spec{Effect: engine.Executes}) }); got != "deny" {
		t.Errorf("a running tool in plan mode: %s", got)
	}
}

package compress

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/engine"
)

func size(m engine.Message) int {
	n := 4
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			n += len(p.Text) / 4
		case engine.Call:
			n += len(p.Args) / 4
		case engine.Result:
			n += len(p.Text) / 4
		case engine.Thought, engine.Image, engine.Opaque, engine.Unknown:
			n += 10
		}
	}
	return n
}

var settings = Settings{Threshold: 0.5, TargetRatio: 0.2, KeepFirst: 3, KeepLast: 20}

// recorder answers every summary with the same words and remembers what it was asked.
type recorder struct {
	prompts []string
	answer  func(prompt string) (string, error)
}

func (r *recorder) ask(_ context.Context, _, prompt string, _ int) (string, error) {
	r.prompts = append(r.prompts, prompt)
	if r.answer != nil {
		return r.answer(prompt)
	}
	return "## Goal\nKeep the shop running, as the user wants it.\n## Done\n1. read the code", nil
}

func user(id, text string) engine.Message {
	return engine.Message{ID: id, Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: text}}}
}

func says(id, text string, calls ...engine.Call) engine.Message {
	m := engine.Message{ID: id, Role: engine.RoleAssistant}
	if text != "" {
		m.Parts = append(m.Parts, engine.Text{Text: text})
	}
	for _, c := range calls {
		m.Parts = append(m.Parts, c)
	}
	return m
}

func answer(id, call, text string) engine.Message {
	return engine.Message{ID: id, Role: engine.RoleTool, Parts: engine.Parts{engine.Result{CallID: call, Name: "read_file", Status: engine.StatusDone, Text: text}}}
}

// long is a conversation of n turns, each with one call and a result of about chars characters.
func long(n, chars int) []engine.Message {
	var msgs []engine.Message
	for i := range n {
		c := engine.Call{ID: fmt.Sprint("c", i), Name: "read_file", Args: fmt.Sprintf(`{"path":"file%d.go"}`, i)}
		msgs = append(msgs, user(fmt.Sprint("u", i), fmt.Sprintf("request %d", i)), says(fmt.Sprint("a", i), "", c),
			answer(fmt.Sprint("r", i), c.ID, fmt.Sprintf("text %d %s", i, strings.Repeat("x", chars))), says(fmt.Sprint("s", i), fmt.Sprintf("answer %d", i)))
	}
	return msgs
}

func compressor(r *recorder) Compressor { return Compressor{Settings: settings, Ask: r.ask} }

// checkWhole asserts that calls and results stand together and roles alternate.
func checkWhole(t interface{ Fatalf(string, ...any) }, msgs []engine.Message) {
	open := map[string]bool{}
	var before engine.Role
	for i, m := range msgs {
		if m.Role != engine.RoleTool && len(open) > 0 {
			t.Fatalf("message %d comes before the results of %v", i, open)
		}
		for _, c := range m.Calls() {
			open[c.ID] = true
		}
		for _, r := range m.Results() {
			if !open[r.CallID] {
				t.Fatalf("message %d answers %s, which nobody called", i, r.CallID)
			}
			delete(open, r.CallID)
		}
		if m.Role == before && m.Role != engine.RoleTool && !m.Steer {
			t.Fatalf("message %d: %s after %s", i, m.Role, before)
		}
		before = m.Role
	}
	if len(open) > 0 {
		t.Fatalf("unanswered at the end: %v", open)
	}
}

func TestThresholdsOfSmallAndLargeWindows(t *testing.T) {
	for window, want := range map[int]int{0: 0, 8_192: 6_144, 32_768: 24_576, 100_000: 64_000, 128_000: 64_000, 200_000: 100_000, 1_000_000: 500_000} {
		if got := Limit(window, 0.5); got != want {
			t.Errorf("window %d: compressed from %d tokens, want %d", window, got, want)
		}
	}
}

func TestPruningAloneIsEnoughWhenOldResultsAreTheWeight(t *testing.T) {
	r := &recorder{}
	msgs := long(60, 6_000) // 90,000 tokens
	d, err := compressor(r).Run(t.Context(), Job{Messages: msgs, Size: size, Window: 128_000})
	if err != nil || len(r.prompts) != 0 || d.Summary != "" || len(d.Messages) != len(msgs) || d.After >= 64_000 {
		t.Fatalf("%v, %d model calls, %d of %d messages, %d tokens", err, len(r.prompts), len(d.Messages), len(msgs), d.After)
	}
	checkWhole(t, d.Messages)
	if msgs[2].Results()[0].Text == d.Messages[2].Results()[0].Text || !strings.Contains(d.Messages[2].Results()[0].Text, "file0.go") {
		t.Errorf("the oldest result became %q", d.Messages[2].Results()[0].Text)
	}
	if last := d.Messages[len(d.Messages)-2]; last.Results()[0].Text != msgs[len(msgs)-2].Results()[0].Text {
		t.Error("the newest result was shortened")
	}
}

func talk(n, chars int) []engine.Message {
	var msgs []engine.Message
	for i := range n {
		msgs = append(msgs, user(fmt.Sprint("u", i), fmt.Sprintf("question %d %s", i, strings.Repeat("q", chars))), says(fmt.Sprint("s", i), fmt.Sprintf("answer %d %s", i, strings.Repeat("w", chars))))
	}
	return msgs
}

func TestC03TheNewestWordsOfTheUserAreTheLastRequest(t *testing.T) {
	r := &recorder{}
	msgs := append([]engine.Message{user("del", "delete old logs"), says("ok", "Deleted 12 files.")}, talk(60, 3_000)...)
	msgs = append(msgs, user("now", "now write README"))
	d, err := compressor(r).Run(t.Context(), Job{Messages: msgs, Size: size, Window: 128_000})
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, d.Messages)
	at, last := -1, ""
	for i, m := range d.Messages {
		if m.Summary {
			at = i
			if m.Role == engine.RoleUser || !strings.Contains(m.Text(), "It is background") {
				t.Errorf("the summary is a %s message: %s", m.Role, m.Text())
			}
		}
		if m.Role == engine.RoleUser {
			last = m.Text()
		}
		if at >= 0 && i > at && m.Text() == "delete old logs" {
			t.Error("the old request stands after the summary")
		}
	}
	if last != "now write README" || at < 0 {
		t.Errorf("the last request is %q, the summary stands at %d", last, at)
	}
}

func TestOneLongTurnKeepsItsRequestAfterTheSummary(t *testing.T) {
	r := &recorder{}
	msgs := []engine.Message{user("u", "port the parser to Go")}
	for i := range 80 {
		c := engine.Call{ID: fmt.Sprint("c", i), Name: "write_file", Args: fmt.Sprintf(`{"path":"f%d.go","content":"%s"}`, i, strings.Repeat("y", 4_000))}
		msgs = append(msgs, says(fmt.Sprint("a", i), fmt.Sprintf("step %d %s", i, strings.Repeat("t", 2_000)), c), answer(fmt.Sprint("r", i), c.ID, "written"))
	}
	d, err := compressor(r).Run(t.Context(), Job{Messages: msgs, Size: size, Window: 100_000, Summarise: true, Tasks: "- [ ] the lexer"})
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, d.Messages)
	if !d.Messages[0].Summary || d.Messages[1].Text() != "port the parser to Go" || len(d.Messages[2].Calls()) != 1 {
		t.Errorf("begins %q, %q", d.Messages[0].Text(), d.Messages[1].Text())
	}
	if !strings.Contains(d.Messages[0].Text(), "- [ ] the lexer") {
		t.Error("the task list is not in the summary")
	}
	if !strings.Contains(r.prompts[0], "step 3 ") || !strings.Contains(r.prompts[0], "port the parser") {
		t.Error("the summariser did not read the steps")
	}
}

func TestASecondCompressionBuildsOnTheFirst(t *testing.T) {
	r := &recorder{}
	c := compressor(r)
	d, err := c.Run(t.Context(), Job{Messages: talk(80, 3_000), Size: size, Window: 128_000, Pinned: func(id string) bool { return id == "u7" }})
	if err != nil {
		t.Fatal(err)
	}
	var later []engine.Message
	for _, m := range talk(80, 3_000) {
		m.ID = "later" + m.ID
		later = append(later, m)
	}
	asked := len(r.prompts)
	d2, err := c.Run(t.Context(), Job{Messages: append(d.Messages, later...), Size: size, Window: 128_000})
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, d2.Messages)
	summaries := 0
	for _, m := range d2.Messages {
		if m.Summary {
			summaries++
			if strings.Count(m.Text(), headPinned) != 1 || !strings.Contains(m.Text(), "question 7 ") {
				t.Error("the pinned message is not kept word for word, once")
			}
		}
	}
	if summaries != 1 || !strings.Contains(r.prompts[asked], "Keep the shop running") || strings.Contains(r.prompts[asked], frameEnd) {
		t.Errorf("%d summaries; the second was asked with %.300q", summaries, r.prompts[asked])
	}
}

func TestNothingIsLostWhenTheSummariserFails(t *testing.T) {
	down := errors.New("overloaded")
	for name, reply := range map[string]func(string) (string, error){
		"error": func(string) (string, error) { return "", down }, "empty": func(string) (string, error) { return " ", nil }, "short": func(string) (string, error) { return "ok", nil },
	} {
		d, err := compressor(&recorder{answer: reply}).Run(t.Context(), Job{Messages: talk(80, 3_000), Size: size, Window: 128_000})
		if err == nil || d.Messages != nil {
			t.Errorf("%s: %v and %d messages", name, err, len(d.Messages))
		}
	}
}

func TestC01ASummaryAsLongAsItsInputIsRefused(t *testing.T) {
	r := &recorder{answer: func(p string) (string, error) { return strings.Repeat(p, 3), nil }}
	if d, err := compressor(r).Run(t.Context(), Job{Messages: talk(80, 3_000), Size: size, Window: 128_000}); !errors.Is(err, ErrNoGain) || d.Messages != nil {
		t.Errorf("%v", err)
	}
	if _, err := compressor(&recorder{}).Run(t.Context(), Job{Messages: talk(2, 10), Size: size, Window: 8_192, Summarise: true}); !errors.Is(err, ErrNothing) {
		t.Errorf("a conversation of two turns: %v", err)
	}
}

func TestSecretsStayOutOfTheSummary(t *testing.T) {
	r := &recorder{answer: func(string) (string, error) {
		return "## Goal\nUse the key hunter2 for the deployment of the shop.", nil
	}}
	c := compressor(r)
	c.Clean = func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") }
	msgs := append([]engine.Message{user("k", "my key is hunter2"), says("o", "ok")}, talk(80, 3_000)...)
	msgs[2].Parts = engine.Parts{engine.Text{Text: "hunter2 again " + strings.Repeat("z", 3_000)}}
	d, err := c.Run(t.Context(), Job{Messages: msgs, Size: size, Window: 128_000})
	if err != nil || strings.Contains(d.Summary, "hunter2") {
		t.Fatalf("%v: %s", err, d.Summary)
	}
	for _, p := range r.prompts {
		if strings.Contains(p, "hunter2") {
			t.Fatal("the summariser was shown the secret")
		}
	}
}

// The user has everything from a turn on summarised: what came before stays as it was, the newest request and answer too.
func TestAHistoryIsSummarisedFromATurnOn(t *testing.T) {
	msgs := long(8, 6_000)
	r := &recorder{}
	d, err := compressor(r).Run(t.Context(), Job{Messages: msgs, Size: size, Window: 128_000, Summarise: true, From: "u3"})
	if err != nil {
		t.Fatal(err)
	}
	checkWhole(t, d.Messages)
	if !reflect.DeepEqual(d.Messages[:12], msgs[:12]) || len(d.Messages) != 14 {
		t.Fatalf("%d messages, the first %+v", len(d.Messages), d.Messages[0])
	}
	if d.Messages[12].ID != "u7" || !d.Messages[13].Summary || !strings.Contains(d.Messages[13].Text(), "answer 7") {
		t.Errorf("it ends with %q and %q", d.Messages[12].Text(), d.Messages[13].Text())
	}
	if in := strings.Join(r.prompts, "\n"); strings.Contains(in, "text 2 ") || !strings.Contains(in, "text 3 ") || !strings.Contains(in, "answer 7") {
		t.Errorf("the summariser read %.300q", in)
	}
	if _, err := compressor(r).Run(t.Context(), Job{Messages: msgs, Size: size, Window: 128_000, Summarise: true, From: "gone"}); !errors.Is(err, ErrGone) {
		t.Errorf("a turn that is gone: %v", err)
	}
}

// TestAnyHistoryIsMadeSmallerOrLeftAlone is the law over random histories: valid, whole, smaller, and nothing dropped
// without being in the summary's input.
func TestAnyHistoryIsMadeSmallerOrLeftAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		msgs := randomHistory(t)
		r := &recorder{}
		window := rapid.SampledFrom([]int{8_192, 32_768, 128_000, 0}).Draw(t, "window")
		j := Job{Messages: msgs, Size: size, Window: window, Summarise: rapid.Bool().Draw(t, "summarise"), Fixed: rapid.IntRange(0, 4_000).Draw(t, "fixed")}
		at := 0 // where the user has it summarised from
		if rapid.IntRange(0, 3).Draw(t, "from") == 0 {
			for at = rapid.IntRange(0, len(msgs)-1).Draw(t, "at"); !isAsk(msgs[at]); at-- {
			}
			j.From, j.Summarise = msgs[at].ID, true
		}
		d, err := compressor(r).Run(context.Background(), j)
		if err != nil {
			if d.Messages != nil {
				t.Fatalf("an error and a history: %v", err)
			}
			return
		}
		checkWhole(t, d.Messages)
		if d.After >= d.Before {
			t.Fatalf("from %d to %d tokens", d.Before, d.After)
		}
		kept := map[string]bool{}
		last := ""
		for _, m := range d.Messages {
			kept[m.ID] = true
			if isAsk(m) {
				last = m.ID
			}
		}
		input := strings.Join(r.prompts, "\n")
		newest := ""
		for _, m := range msgs {
			if isAsk(m) {
				newest = m.ID
			}
			if !kept[m.ID] && m.Role != engine.RoleTool && m.Text() != "" && !strings.Contains(input, "mark "+m.ID+" ") {
				t.Fatalf("message %s is in neither the history nor the summary's input", m.ID)
			}
		}
		if last != newest {
			t.Fatalf("the newest request was %s, now it is %s", newest, last)
		}
		if j.From != "" && !reflect.DeepEqual(d.Messages[:at], msgs[:at]) {
			t.Fatalf("what stood before message %d was changed", at)
		}
	})
}

func randomHistory(t *rapid.T) []engine.Message {
	n := rapid.IntRange(1, 2_000).Draw(t, "messages")
	var msgs []engine.Message
	text := func(i int) string {
		return fmt.Sprintf("mark m%d %s", i, strings.Repeat("ж", rapid.IntRange(0, 400).Draw(t, "len")))
	}
	for len(msgs) < n {
		i := len(msgs)
		msgs = append(msgs, user(fmt.Sprint("m", i), text(i)))
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			i := len(msgs)
			var calls []engine.Call
			for k := range rapid.IntRange(1, 3).Draw(t, "calls") {
				calls = append(calls, engine.Call{ID: fmt.Sprintf("c%d_%d", i, k), Name: "read_file", Args: `{"path":"` + strings.Repeat("p", rapid.IntRange(0, 900).Draw(t, "args")) + `"}`})
			}
			msgs = append(msgs, says(fmt.Sprint("m", i), text(i), calls...))
			for _, c := range calls {
				msgs = append(msgs, answer(fmt.Sprint("m", len(msgs)), c.ID, strings.Repeat("r", rapid.IntRange(1, 3_000).Draw(t, "result"))))
			}
			if rapid.IntRange(0, 9).Draw(t, "steer") == 0 {
				s := user(fmt.Sprint("m", len(msgs)), text(len(msgs)))
				s.Steer = true
				msgs = append(msgs, s)
			}
		}
		i = len(msgs)
		msgs = append(msgs, says(fmt.Sprint("m", i), text(i)))
	}
	if rapid.Bool().Draw(t, "open") {
		i := len(msgs)
		msgs = append(msgs, user(fmt.Sprint("m", i), text(i)))
	}
	return msgs
}

// BenchmarkTwoHundredThousandTokens is our own share of a compression of 200,000 tokens: all but the model's time.
func BenchmarkTwoHundredThousandTokens(b *testing.B) {
	msgs := long(100, 7_600)
	for b.Loop() {
		r := &recorder{}
		if _, err := compressor(r).Run(context.Background(), Job{Messages: msgs, Size: size, Window: 200_000, Summarise: true}); err != nil {
			b.Fatal(err)
		}
	}
}

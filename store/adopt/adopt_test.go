package adopt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

const (
	claudeFile = "testdata/0b3f2a10-5c1d-4e7a-9b66-1d2e3f405161.jsonl"
	codexFile  = "testdata/rollout-2026-04-03T10-20-30-0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b.jsonl"
	hermesFile = "testdata/session_20260505_070809_abc123.json"
	hermesChat = "testdata/20260506_101112_beefcafe.jsonl"
)

// tell writes a session as lines: who, what, and the calls and results by their ids.
func tell(pieces []Piece) (lines []string) {
	for _, p := range pieces {
		line := fmt.Sprintf("%d %s:", p.Part, p.Message.Role)
		if p.Message.Summary {
			line += " (summary)"
		}
		for _, part := range p.Message.Parts {
			switch part := part.(type) {
			case engine.Text:
				line += " " + part.Text
			case engine.Thought:
				line += " {" + part.Text + part.Signature + "}"
			case engine.Call:
				line += fmt.Sprintf(" [%s %s %s]", part.ID, part.Name, part.Args)
			case engine.Result:
				line += fmt.Sprintf(" %s %s %s: %s", part.CallID, part.Name, part.Status, part.Text)
			case engine.Image:
				line += " <" + part.MIME + ">"
			case engine.Opaque, engine.Unknown:
				line += " !"
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func read(t *testing.T, s Source) (Head, []Piece) {
	t.Helper()
	var all []Piece
	h, err := s.Read(func(p Piece) error {
		all = append(all, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkValid(t, all)
	if again, err := s.Read(nil); err != nil || !reflect.DeepEqual(again, h) {
		t.Errorf("read a second time: %+v, %v, want %+v", again, err, h)
	}
	return h, all
}

// checkValid demands what a valid history is: each call of a part answered once, right behind it and in its order, no
// result besides, no two replies in a row, nothing empty, no seal, and ids that differ.
func checkValid(t *testing.T, all []Piece) {
	t.Helper()
	var open []string
	seen, last := map[string]bool{}, Piece{}
	for i, p := range all {
		m := p.Message
		if seen[m.ID] || !strings.HasPrefix(m.ID, Prefix) {
			t.Fatalf("message %d has the id %q", i, m.ID)
		}
		seen[m.ID] = true
		if len(m.Parts) == 0 {
			t.Fatalf("message %d is empty", i)
		}
		if len(open) > 0 && (m.Role != engine.RoleTool || len(m.Results()) != 1 || m.Results()[0].CallID != open[0] || m.Results()[0].Text == "" || m.Results()[0].Name == "") {
			t.Fatalf("message %d does not answer %q: %+v", i, open[0], m)
		}
		switch {
		case m.Role == engine.RoleTool && len(open) == 0:
			t.Fatalf("message %d answers nothing: %+v", i, m)
		case m.Role == engine.RoleTool:
			open = open[1:]
		case m.Role == engine.RoleAssistant && last.Message.Role == m.Role && last.Part == p.Part && !last.Message.Summary:
			t.Fatalf("message %d is a second reply in a row: %+v", i, m)
		}
		for _, part := range m.Parts {
			if th, ok := part.(engine.Thought); ok && th.Signature != "" {
				t.Fatalf("message %d has a seal", i)
			}
			if _, ok := part.(engine.Opaque); ok {
				t.Fatalf("message %d has another provider's state", i)
			}
		}
		for _, c := range m.Calls() {
			if seen["call "+c.ID] || c.ID == "" || c.Name == "" || !json.Valid([]byte(c.Args)) || c.Args[0] != '{' || c.Extra != nil {
				t.Fatalf("message %d has the call %+v", i, c)
			}
			seen["call "+c.ID] = true
			open = append(open, c.ID)
		}
		last = p
	}
	if len(open) > 0 {
		t.Fatalf("calls without a result at the end: %q", open)
	}
}

func wantLines(t *testing.T, got []Piece, want ...string) {
	t.Helper()
	lines := tell(got)
	for i := range max(len(lines), len(want)) {
		g, w := "(nothing)", "(nothing)"
		if i < len(lines) {
			g = lines[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("message %d:\n got %s\nwant %s", i, g, w)
		}
	}
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestASessionOfClaudeCodeIsReadWithoutTheBranchThatARewindLeft(t *testing.T) {
	h, got := read(t, Source{Claude, claudeFile})
	wantLines(t, got,
		"0 user: why is the checkout test flaky? 结账测试有时失败",
		`0 assistant: {Two files may tell.} [toolu_01 Read {"file_path":"/home/mira/shop/checkout_test.go"}] [toolu_02 Bash {"command":"cat .env.test","description":"Look at the settings"}]`,
		"0 tool: toolu_01 Read done: 1\tfunc TestCheckout(t *testing.T) {\n2\t\ttime.Sleep(10)\n3\t}",
		"0 tool: toolu_02 Bash done: STRIPE_KEY=sk_live_51HxyzABCDEFGHIJKLMNOPQ",
		"0 assistant: It sleeps for 10 **nanoseconds**. Wait for the order instead:\n\n```go\nwaitFor(t, order.Paid)\n```")
	if h.Title != "Retry the checkout test" || h.Dir != "/home/mira/shop" || h.Model != "claude-sonnet-4-5-20250929" || h.Provider != "anthropic" || h.ID != "0b3f2a10-5c1d-4e7a-9b66-1d2e3f405161" {
		t.Errorf("head: %+v", h)
	}
	if !reflect.DeepEqual(h.Skipped, map[string]int{"hologram": 1}) || h.Damaged != 1 || h.Turns != 1 || h.Messages != 5 {
		t.Errorf("counted: %+v", h)
	}
	if !got[0].Message.At.Equal(at("2026-03-02T09:16:00Z")) || !got[4].Message.At.Equal(h.Ended) || got[4].Message.Model != h.Model {
		t.Errorf("times and models: %+v", got)
	}
}

func TestASessionOfCodexIsReadWithoutWhatWasRolledBack(t *testing.T) {
	h, got := read(t, Source{Codex, codexFile})
	wantLines(t, got,
		"0 user: make the heading bigger",
		`0 assistant: {**Looking for the heading**} [call_A shell {"command":["bash","-lc","rg h1"],"workdir":"/home/mira/site"}] [call_B shell {"command":["ls"]}]`,
		"0 tool: call_A shell failed: rg: no matches\n",
		"0 tool: call_B shell done: style.css\n",
		`0 assistant: [call_C apply_patch {"input":"*** Begin Patch\n*** Update File: style.css\n@@\n-h1 { font-size: 1em }\n+h1 { font-size: 2em }\n*** End Patch\n"}]`,
		"0 tool: call_C apply_patch done: Success. Updated the following files:\nM style.css\n",
		"0 assistant: The heading is twice as big now. Заголовок увеличен.",
		"0 user: and the footer?",
		`0 assistant: [call_D shell {"command":["sleep","100"]}]`,
		"0 tool: call_D shell stopped: "+noAnswer)
	if h.ID != "0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b" || h.Dir != "/home/mira/site" || h.Model != "gpt-5-codex" || h.Provider != "openai" || h.First != "make the heading bigger" {
		t.Errorf("head: %+v", h)
	}
	if !reflect.DeepEqual(h.Skipped, map[string]int{"hologram_call": 1}) || h.Damaged != 0 || !h.Began.Equal(at("2026-04-03T10:20:30Z")) {
		t.Errorf("counted: %+v", h)
	}
}

func TestALogOfHermesIsReadWithCallsThatShareAnID(t *testing.T) {
	h, got := read(t, Source{Hermes, hermesFile})
	wantLines(t, got,
		"0 user: which port does the server use?",
		`0 assistant: {The config has it.} [call_0 terminal {"command": "grep -n port server.toml"}]`,
		"0 tool: call_0 terminal done: 3:port = 8081",
		`0 assistant: Let me be sure. [call_0_2 read_file {"path": "server.toml"}]`,
		"0 tool: call_0_2 read_file done: port = 8081\n",
		"0 assistant: {Sure now.} Port **8081** (server.toml, line 3).")
	if h.ID != "20260505_070809_abc123" || h.Model != "anthropic/claude-opus-4.6" || h.BaseURL != "https://openrouter.ai/api/v1" {
		t.Errorf("head: %+v", h)
	}
	if !reflect.DeepEqual(h.Skipped, map[string]int{"oracle": 1, "result without a call": 1}) {
		t.Errorf("counted: %+v", h)
	}
	if want := time.Date(2026, 5, 5, 7, 8, 9, 123456000, time.Local); !h.Began.Equal(want) || !got[0].Message.At.Equal(want) {
		t.Errorf("it began at %v, want %v", h.Began, want)
	}
}

func TestAChatOfHermesIsReadLineByLine(t *testing.T) {
	h, got := read(t, Source{Hermes, hermesChat})
	wantLines(t, got, "0 user: 今天的部署怎么样？", "0 assistant: {Nothing failed.} 一切正常。", "0 user: and this picture? <image/png>", "0 assistant: A chart.")
	if h.ID != "20260506_101112_beefcafe" || h.Model != "deepseek-chat" || h.Turns != 2 || len(h.Skipped) > 0 {
		t.Errorf("head: %+v", h)
	}
}

// write makes a file of lines.
func write(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestASummaryBeginsANewPart(t *testing.T) {
	claude := write(t, "s.jsonl",
		`{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"one"},"timestamp":"2026-01-01T00:00:01Z"}`,
		`{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m1","model":"m","content":[{"type":"text","text":"two"}]},"timestamp":"2026-01-01T00:00:02Z"}`,
		`{"type":"system","subtype":"compact_boundary","uuid":"3","parentUuid":null,"logicalParentUuid":"2","timestamp":"2026-01-01T00:00:03Z"}`,
		`{"type":"user","uuid":"4","parentUuid":"3","isCompactSummary":true,"message":{"role":"user","content":"they counted"},"timestamp":"2026-01-01T00:00:04Z"}`,
		`{"type":"user","uuid":"5","parentUuid":"4","message":{"role":"user","content":"three"},"timestamp":"2026-01-01T00:00:05Z"}`)
	h, got := read(t, Source{Claude, claude})
	wantLines(t, got, "0 user: one", "0 assistant: two", "1 assistant: (summary) they counted", "1 user: three")
	if h.Parts != 2 || h.SessionID(0) == h.SessionID(1) || !strings.HasPrefix(h.SessionID(1), "20260101_000001_") {
		t.Errorf("parts: %+v", h)
	}
	codex := write(t, "rollout-x.jsonl",
		`{"timestamp":"2026-01-01T00:00:01Z","type":"session_meta","payload":{"id":"c","cwd":"/p"}}`,
		`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}`,
		`{"timestamp":"2026-01-01T00:00:03Z","type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]},{"type":"compaction","encrypted_content":"sealed"}]}}`,
		`{"timestamp":"2026-01-01T00:00:04Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}}`,
		`{"timestamp":"2026-01-01T00:00:05Z","type":"compacted","payload":{"message":"so far: two"}}`,
		`{"timestamp":"2026-01-01T00:00:06Z","type":"compacted","payload":{"replacement_history":[{"type":"compaction","encrypted_content":"sealed"}]}}`,
		`{"timestamp":"2026-01-01T00:00:07Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"three"}]}}`)
	_, got = read(t, Source{Codex, codex})
	wantLines(t, got, "0 user: one", "1 assistant: (summary) user: one", "1 assistant: two", "2 assistant: (summary) so far: two", "2 user: three")
}

func TestADamagedLineLosesOnlyItself(t *testing.T) {
	for _, s := range []Source{{Claude, claudeFile}, {Codex, codexFile}, {Hermes, hermesChat}} {
		data, err := os.ReadFile(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		whole, _ := s.Read(nil)
		for i := range lines {
			cut := append([][]byte(nil), lines...)
			cut[i] = cut[i][:len(cut[i])/2]
			path := filepath.Join(t.TempDir(), filepath.Base(s.Path))
			if err := os.WriteFile(path, bytes.Join(cut, []byte("\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			h, got := read(t, Source{s.Tool, path})
			if h.Damaged < whole.Damaged || h.Damaged > whole.Damaged+1 || len(got) == 0 {
				t.Errorf("%s with line %d cut: %d damaged, %d messages", s.Tool, i, h.Damaged, len(got))
			}
			if lost := whole.Messages - h.Messages; lost > 2 && s.Tool != Codex { // a call takes its result along
				t.Errorf("%s with line %d cut lost %d messages:\n%s", s.Tool, i, lost, strings.Join(tell(got), "\n"))
			}
		}
	}
}

func TestALogOfHermesThatIsCutOffKeepsWhatIsBeforeTheCut(t *testing.T) {
	data, err := os.ReadFile(hermesFile)
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "session_x.json", string(data[:bytes.Index(data, []byte("Let me be sure"))]))
	h, got := read(t, Source{Hermes, path})
	if len(got) != 3 || h.Damaged != 1 {
		t.Errorf("%d messages, %d damaged: %q", len(got), h.Damaged, tell(got))
	}
}

func TestAnEndlessLineIsPassedOver(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 65 MB")
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, `{"role":"user","content":"before","timestamp":"2026-01-01T00:00:00"}`)
	block := bytes.Repeat([]byte("x"), 1<<20)
	for range longest>>20 + 1 {
		f.Write(block)
	}
	fmt.Fprint(f, "\n", `{"role":"assistant","content":"after","timestamp":"2026-01-01T00:00:01"}`)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	h, got := read(t, Source{Hermes, path})
	if wantLines(t, got, "0 user: before", "0 assistant: after"); h.Damaged != 1 {
		t.Errorf("%d damaged", h.Damaged)
	}
}

func TestAnErrorOfTheWriterEndsTheReading(t *testing.T) {
	full := errors.New("no space")
	for _, s := range []Source{{Claude, claudeFile}, {Codex, codexFile}, {Hermes, hermesFile}} {
		n := 0
		h, err := s.Read(func(Piece) error { n++; return full })
		if !errors.Is(err, full) || n != 1 {
			t.Errorf("%s: %v after %d messages, %+v", s.Tool, err, n, h)
		}
	}
}

func TestSessionsAreFoundWhereTheProgramsKeepThem(t *testing.T) {
	home := t.TempDir()
	for to, from := range map[string]string{
		".claude/projects/-home-mira-shop/" + filepath.Base(claudeFile): claudeFile,
		".claude/projects/-home-mira-shop/agent-1.jsonl":                claudeFile,
		".claude/projects/-home-mira-shop/x/subagents/agent-2.jsonl":    claudeFile,
		".codex/sessions/2026/04/03/" + filepath.Base(codexFile):        codexFile,
		".codex/archived_sessions/rollout-old.jsonl":                    codexFile,
		".codex/sessions/2026/04/03/notes.txt":                          codexFile,
		".hermes/sessions/" + filepath.Base(hermesFile):                 hermesFile,
		".hermes/sessions/" + filepath.Base(hermesChat):                 hermesChat,
		".hermes/sessions/request_dump_1.json":                          hermesFile,
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, to)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Find(Places(func(string) string { return "" }, home))
	count := map[Tool]int{}
	for _, s := range found {
		count[s.Tool]++
		if of, err := Of(s.Path); err != nil || of != s {
			t.Errorf("%s is taken for %v (%v)", s.Path, of, err)
		}
	}
	if err != nil || !reflect.DeepEqual(count, map[Tool]int{Claude: 1, Codex: 2, Hermes: 2}) {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := Of("adopt.go"); err == nil {
		t.Error("a Go file was taken for a session")
	}
}

func TestMaskedArgumentsStayJSON(t *testing.T) {
	mask := func(s string) string { return strings.ReplaceAll(s, "secret", "***\n***") }
	got := Masked(`{"a":["x secret",{"n":12345678901234567890}]}`, mask)
	if got != `{"a":["x ***\n***",{"n":12345678901234567890}]}` {
		t.Error(got)
	}
	if same := `{ "b": 1 }`; Masked(same, mask) != same {
		t.Error("arguments without a secret were changed")
	}
}

// fuzz reads whatever the file holds: it may be nothing, but it is a valid history, twice the same.
func fuzz(f *testing.F, tool Tool, seeds ...string) {
	for _, s := range seeds {
		data, err := os.ReadFile(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var all []Piece
		s, at := Source{tool, "session_x.json"}, time.Unix(1700000000, 0)
		h, err := s.readFrom(bytes.NewReader(data), at, func(p Piece) error {
			all = append(all, p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkValid(t, all)
		if again, err := s.readFrom(bytes.NewReader(data), at, nil); err != nil || !reflect.DeepEqual(again, h) || h.Messages != len(all) {
			t.Errorf("read a second time: %+v, %v, want %+v of %d", again, err, h, len(all))
		}
	})
}

func FuzzClaude(f *testing.F) { fuzz(f, Claude, claudeFile) }
func FuzzCodex(f *testing.F)  { fuzz(f, Codex, codexFile) }
func FuzzHermes(f *testing.F) { fuzz(f, Hermes, hermesFile, hermesChat) }

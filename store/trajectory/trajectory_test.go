package trajectory

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

func outcome() engine.Outcome {
	at := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	return engine.Outcome{SessionID: "20261201_090000_abcdef", System: "Be brief.\n", Completed: true, Route: engine.Route{Model: "m"}, Messages: []engine.Message{
		engine.UserMessage("what is in a.go & b.go?", at),
		{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Thought{Text: "look first"}, engine.Text{Text: "I look."},
			engine.Call{ID: "1", Name: "read_file", Args: `{"path":"a.go"}`}, engine.Call{ID: "2", Name: "read_file", Args: `{"path":"b.go"}`}}},
		engine.ToolMessage(engine.Result{CallID: "1", Name: "read_file", Text: `{"lines":3}`}, at),
		engine.ToolMessage(engine.Result{CallID: "2", Name: "read_file", Text: "package b <x>"}, at),
		{Role: engine.RoleAssistant, Aside: true, Parts: engine.Parts{engine.Text{Text: "half"}}},
		{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "Two packages."}}},
	}}
}

func TestATurnIsOneLineWithThoughtsCallsAndTools(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trajectories")
	specs := []engine.Spec{{Name: "read_file", Doc: "Reads.", Schema: json.RawMessage(`{"type":"object"}`)}}
	for range 2 {
		if err := Append(dir, outcome(), specs, time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "20261201_090000_abcdef.jsonl"))
	if err != nil || strings.Count(string(data), "\n") != 2 {
		t.Fatalf("%v: %q", err, data)
	}
	first, _, _ := strings.Cut(string(data), "\n")
	var got line
	if err := json.Unmarshal([]byte(first), &got); err != nil {
		t.Fatal(err)
	}
	var from []string
	for _, p := range got.Conversations {
		from = append(from, p.From)
	}
	if strings.Join(from, " ") != "system human gpt tool gpt" || got.Model != "m" || !got.Completed || got.Timestamp != "2026-12-01T09:00:00Z" {
		t.Fatalf("%v %+v", from, got)
	}
	value := func(i int) string { return got.Conversations[i].Value }
	if !strings.Contains(value(0), `"name":"read_file"`) || !strings.HasPrefix(value(0), "Be brief.") {
		t.Error(value(0))
	}
	if want := "<think>\nlook first\n</think>\nI look.\n<tool_call>\n{\"name\":\"read_file\",\"arguments\":{\"path\":\"a.go\"}}\n</tool_call>"; !strings.HasPrefix(value(2), want) {
		t.Error(value(2))
	}
	if want := "<tool_response>\n{\"tool_call_id\":\"1\",\"name\":\"read_file\",\"content\":{\"lines\":3}}\n</tool_response>\n<tool_response>\n{\"tool_call_id\":\"2\",\"name\":\"read_file\",\"content\":\"package b <x>\"}\n</tool_response>"; value(3) != want {
		t.Error(value(3))
	}
	if value(4) != "Two packages." {
		t.Errorf("a reply without reasoning has an empty block: %q", value(4))
	}
	if info, err := os.Stat(filepath.Join(dir, "20261201_090000_abcdef.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", err, info.Mode())
	}
}

func TestBrokenArgumentsAndPicturesStillMakeALine(t *testing.T) {
	o := outcome()
	o.Messages = []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: "see"}, engine.Image{Name: "a.png", Data: []byte{1}}}},
		{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Call{ID: "1", Name: "x", Args: `{"a":`}}}}
	data, err := Line(o, nil, time.Now())
	if err != nil || !json.Valid(data) || !strings.Contains(string(data), "[image a.png]") || !strings.Contains(string(data), `"{\"a\":"`) && !strings.Contains(string(data), `{\\\"a\\\":`) {
		t.Errorf("%v %s", err, data)
	}
}

package acp

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	proto "github.com/coder/acp-go-sdk"

	"talaria/engine"
)

// teller turns events into updates. Known are the calls that the editor has; wrote is what a running call printed.
type teller struct {
	mu    sync.Mutex // a question and a message of before are told beside the events
	send  func(proto.SessionUpdate)
	known map[string]bool
	wrote map[string]string
	said  bool // text of the reply at hand was shown
	mode  string
}

// mostWrote is how much of a call's output is shown while it runs, in bytes: its end.
const mostWrote = 8 << 10

func (t *teller) on(e engine.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := e.(type) {
	case engine.Streamed:
		t.delta(e.Delta)
	case engine.CallBegan:
		t.begin(e.Call, e.Line, proto.ToolCallStatusInProgress)
	case engine.CallWrote:
		text := t.wrote[e.CallID] + e.Text
		if len(text) > mostWrote {
			text = strings.ToValidUTF8(text[len(text)-mostWrote:], "")
		}
		t.wrote[e.CallID] = text
		t.send(proto.UpdateToolCall(proto.ToolCallId(e.CallID), proto.WithUpdateContent(textContent(text))))
	case engine.CallEnded:
		if !t.known[e.Result.CallID] { // refused or denied: it never began
			t.begin(engine.Call{ID: e.Result.CallID, Name: e.Result.Name}, e.Line, proto.ToolCallStatusPending)
		}
		t.result(e.Result)
	case engine.Planned:
		t.plan(e.Tasks)
	case engine.Noted:
		t.note(e)
	case engine.Compacted:
		if e.Child != "" {
			t.think(fmt.Sprintf("Older turns were summarised: %d tokens became %d.", e.Before, e.After))
		}
	case engine.Used:
		if e.Window > 0 {
			u := &proto.SessionUsageUpdate{Size: e.Window, Used: e.Context}
			if e.Cost != nil {
				u.Cost = &proto.Cost{Amount: *e.Cost, Currency: "USD"}
			}
			t.send(proto.SessionUpdate{UsageUpdate: u})
		}
	case engine.Began, engine.Stepped:
		t.said = false
	case engine.Opened, engine.Appended, engine.Asked, engine.Withdrawn, engine.Steered, engine.Queued, engine.Rewound, engine.Child, engine.Ended, engine.Unknown:
	}
}

func (t *teller) delta(d engine.Delta) {
	switch d := d.(type) {
	case engine.TextDelta:
		t.said = true
		t.send(proto.UpdateAgentMessageText(d.Text))
	case engine.ThoughtDelta:
		if d.Text != "" {
			t.think(d.Text)
		}
	case engine.Retry:
		t.retry(d)
	case engine.CallDelta, engine.OpaqueDelta, engine.Done:
	}
}

// retry says that a request is made again. What was shown cannot be taken back here, so it is said that it does not count.
func (t *teller) retry(r engine.Retry) {
	why := "the request failed"
	if r.Err != nil {
		why = r.Err.Error()
	}
	t.think(fmt.Sprintf("%s; %s (%d of %d)\n", why, r.Action, r.Try, r.Of))
	if t.said && !r.Keep {
		t.said = false
		t.send(proto.UpdateAgentMessageText("\n\n(This reply was cut off. It begins anew.)\n\n"))
	}
}

func (t *teller) think(text string) { t.send(proto.UpdateAgentThoughtText(text)) }

func (t *teller) note(n engine.Noted) {
	switch n.Kind {
	case engine.NoteMode:
		t.mode = n.Text
		t.send(proto.SessionUpdate{CurrentModeUpdate: &proto.SessionCurrentModeUpdate{CurrentModeId: proto.SessionModeId(n.Text)}})
	case engine.NoteTitle:
		t.send(proto.SessionUpdate{SessionInfoUpdate: &proto.SessionSessionInfoUpdate{Title: proto.Ptr(n.Text)}})
	case engine.NoteWarning, engine.NoteError, engine.NoteDegraded, engine.NoteInfo:
		t.think(n.Text + "\n")
	case engine.NoteSaved, engine.NoteStopping, engine.NoteModel:
	}
}

// kinds say what a tool does, for the sign that an editor puts beside it; any other is "other".
var kinds = map[string]proto.ToolKind{"read_file": proto.ToolKindRead, "search_files": proto.ToolKindSearch, "session_search": proto.ToolKindSearch,
	"write_file": proto.ToolKindEdit, "patch": proto.ToolKindEdit, "terminal": proto.ToolKindExecute, "process": proto.ToolKindExecute,
	"execute_code": proto.ToolKindExecute, "web_search": proto.ToolKindFetch, "web_extract": proto.ToolKindFetch, "todo": proto.ToolKindThink, "memory": proto.ToolKindThink}

func kindOf(name string) proto.ToolKind {
	if k, ok := kinds[name]; ok {
		return k
	}
	return proto.ToolKindOther
}

// begin tells of a call; one that was asked about is known already.
func (t *teller) begin(c engine.Call, line string, status proto.ToolCallStatus) {
	if line == "" {
		line = c.Name
	}
	id := proto.ToolCallId(c.ID)
	if t.known[c.ID] {
		t.send(proto.UpdateToolCall(id, proto.WithUpdateStatus(status), proto.WithUpdateTitle(line)))
		return
	}
	t.known[c.ID] = true
	opts := []proto.ToolCallStartOpt{proto.WithStartKind(kindOf(c.Name)), proto.WithStartStatus(status)}
	var args map[string]any
	if json.Unmarshal([]byte(c.Args), &args) == nil && args != nil {
		opts = append(opts, proto.WithStartRawInput(args))
		if path, ok := args["path"].(string); ok && path != "" {
			opts = append(opts, proto.WithStartLocations([]proto.ToolCallLocation{{Path: path}}))
		}
	}
	t.send(proto.StartToolCall(id, line, opts...))
}

// asks makes the call that a question is about known to the editor.
func (t *teller) asks(q engine.Question, call string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.known[call] {
		t.known[call] = true
		t.send(proto.StartToolCall(proto.ToolCallId(call), q.Title, proto.WithStartKind(kindOf(q.Tool)), proto.WithStartStatus(proto.ToolCallStatusPending)))
	}
}

func (t *teller) result(r engine.Result) {
	delete(t.wrote, r.CallID)
	status := proto.ToolCallStatusFailed
	if r.Status == engine.StatusDone {
		status = proto.ToolCallStatusCompleted
	}
	path := ""
	opts := []proto.ToolCallUpdateOpt{proto.WithUpdateStatus(status)}
	var places []proto.ToolCallLocation
	for _, p := range r.Changed {
		places = append(places, proto.ToolCallLocation{Path: p})
	}
	if len(r.Changed) == 1 {
		path = r.Changed[0]
	}
	if len(places) > 0 {
		opts = append(opts, proto.WithUpdateLocations(places))
	}
	content := diffContent(r.Diff, path)
	if len(content) == 0 {
		content = textContent(r.Text)
	}
	t.send(proto.UpdateToolCall(proto.ToolCallId(r.CallID), append(opts, proto.WithUpdateContent(content))...))
}

func (t *teller) plan(tasks []engine.Task) {
	entries := []proto.PlanEntry{}
	for _, task := range tasks {
		status := proto.PlanEntryStatusCompleted // cancelled too: nothing is to be done for it
		switch task.Status {
		case "pending":
			status = proto.PlanEntryStatusPending
		case "in_progress":
			status = proto.PlanEntryStatusInProgress
		}
		entries = append(entries, proto.PlanEntry{Content: task.Content, Priority: proto.PlanEntryPriorityMedium, Status: status})
	}
	t.send(proto.UpdatePlan(entries...))
}

// message tells a message that was said before.
func (t *teller) message(m engine.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			switch m.Role {
			case engine.RoleUser:
				t.send(proto.UpdateUserMessageText(p.Text))
			case engine.RoleAssistant:
				t.send(proto.UpdateAgentMessageText(p.Text))
			case engine.RoleTool:
			}
		case engine.Thought:
			if p.Text != "" {
				t.think(p.Text)
			}
		case engine.Call:
			t.begin(p, p.Name, proto.ToolCallStatusInProgress)
		case engine.Result:
			t.result(p)
		case engine.Image, engine.Opaque, engine.Unknown:
		}
	}
}

package acp

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	proto "github.com/coder/acp-go-sdk"

	"talaria/engine"
)

// scripted is an engine whose turns are told by the test.
type scripted struct {
	events chan engine.Event
	ops    chan engine.Op
}

func (s *scripted) Do(op engine.Op)             { s.ops <- op }
func (s *scripted) Events() <-chan engine.Event { return s.events }

// client is an editor in the same process.
type client struct {
	proto.Client
	*proto.ClientSideConnection
	answer func(context.Context, proto.RequestPermissionRequest) proto.RequestPermissionOutcome
	mu     sync.Mutex
	heard  []proto.SessionUpdate
}

func (c *client) SessionUpdate(_ context.Context, n proto.SessionNotification) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, n.Update)
	return nil
}

func (c *client) RequestPermission(ctx context.Context, r proto.RequestPermissionRequest) (proto.RequestPermissionResponse, error) {
	return proto.RequestPermissionResponse{Outcome: c.answer(ctx, r)}, nil
}

func (c *client) said() (text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, u := range c.heard {
		if u.AgentMessageChunk != nil {
			text += u.AgentMessageChunk.Content.Text.Text
		}
	}
	return text
}

// joined is an editor and an engine with a session between them; what was told before the session opened comes first.
func joined(t *testing.T, first ...engine.Event) (*client, *scripted, proto.SessionId, func()) {
	t.Helper()
	e := &scripted{events: make(chan engine.Event, 64), ops: make(chan engine.Op, 64)}
	e.events <- engine.Opened{Session: engine.Session{ID: "20261201_100000_abcdef", Dir: "/p"}}
	for _, event := range first {
		e.events <- event
	}
	inA, outA := io.Pipe() // editor to agent
	inB, outB := io.Pipe()
	var once sync.Once
	served := make(chan struct{})
	go func() {
		defer close(served)
		Serve(t.Context(), Deps{In: inA, Out: outB, Mode: "ask", Pictures: t.TempDir(), Start: func(context.Context, Begin) (Engine, func(), error) {
			return e, func() { once.Do(func() { close(e.events) }) }, nil
		}})
	}()
	c := &client{}
	c.ClientSideConnection = proto.NewClientSideConnection(c, outA, inB)
	opened, err := c.NewSession(t.Context(), proto.NewSessionRequest{Cwd: "/p", McpServers: []proto.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	return c, e, opened.SessionId, func() {
		_ = outA.Close()
		<-served
	}
}

// prompted sends a message; the channel brings why it ended, or the error.
func (c *client) prompted(t *testing.T, id proto.SessionId) <-chan string {
	done := make(chan string, 1)
	go func() {
		r, err := c.Prompt(t.Context(), proto.PromptRequest{SessionId: id, Prompt: []proto.ContentBlock{proto.TextBlock("go")}})
		if err != nil {
			done <- err.Error()
			return
		}
		done <- string(r.StopReason)
	}()
	return done
}

func next[O engine.Op](t *testing.T, e *scripted) O {
	t.Helper()
	select {
	case op := <-e.ops:
		if o, ok := op.(O); ok {
			return o
		}
		t.Fatalf("the engine was asked %#v", op)
	case <-time.After(30 * time.Second):
		t.Fatal("the engine was asked nothing")
	}
	panic("unreachable")
}

var finished = engine.Ended{Why: engine.ExitFinished, Outcome: engine.Outcome{Exit: engine.ExitFinished, Completed: true}}

// A reply that is begun anew is said to be, since an editor cannot take back what it showed.
func TestAReplyThatBeginsAnewIsToldAsOne(t *testing.T) {
	c, e, id, leave := joined(t)
	done := c.prompted(t, id)
	next[engine.Submit](t, e)
	for _, d := range []engine.Delta{engine.TextDelta{Text: "Hel"}, engine.Retry{Err: &engine.Error{Reason: engine.ReasonTimeout, Message: "cut"}, Action: "retry", Try: 2, Of: 3}, engine.TextDelta{Text: "Hello."}} {
		e.events <- engine.Streamed{Delta: d}
	}
	e.events <- finished
	if end := <-done; end != "end_turn" {
		t.Fatal(end)
	}
	if got := c.said(); got != "Hel\n\n(This reply was cut off. It begins anew.)\n\nHello." {
		t.Errorf("%q", got)
	}
	leave()
}

// Whether a directory is trusted is asked when the first message comes; a question that is withdrawn is not answered; one that wants
// several answers is left to the model.
func TestQuestionsReachTheEditorWhenItCanAnswer(t *testing.T) {
	trust := engine.Question{ID: "t", Kind: engine.Trust, Title: "Trust /p?", Choices: []engine.Choice{{Value: engine.ChoiceYes, Label: "Yes"}, {Value: engine.ChoiceNo, Label: "No"}}}
	c, e, id, leave := joined(t, engine.Asked{Question: trust})
	asked := make(chan proto.RequestPermissionRequest, 8)
	c.answer = func(ctx context.Context, r proto.RequestPermissionRequest) proto.RequestPermissionOutcome {
		asked <- r
		if r.ToolCall.ToolCallId == "c9" {
			<-ctx.Done()
			return proto.NewRequestPermissionOutcomeCancelled()
		}
		return proto.NewRequestPermissionOutcomeSelected(r.Options[0].OptionId)
	}
	if len(asked) > 0 {
		t.Fatal("it was asked before anything was sent")
	}
	done := c.prompted(t, id)
	next[engine.Submit](t, e)
	if a := next[engine.Answer](t, e); a.ID != "t" || a.Choice != engine.ChoiceYes {
		t.Errorf("trust: %+v", a)
	}
	<-asked
	e.events <- engine.Asked{Question: engine.Question{ID: "m", Kind: engine.Clarify, Multi: true, Choices: []engine.Choice{{Value: "a", Label: "A"}}}}
	if a := next[engine.Answer](t, e); a.ID != "m" || a.Choice != engine.ChoiceSkip {
		t.Errorf("several answers: %+v", a)
	}
	e.events <- engine.Asked{Question: engine.Question{ID: "q", Kind: engine.Clarify, Title: "Which?", Choices: []engine.Choice{{Value: "mem", Label: "In memory", Description: "gone at the end"}}}}
	if a := next[engine.Answer](t, e); a.ID != "q" || a.Choice != "mem" {
		t.Errorf("a choice: %+v", a)
	}
	if r := <-asked; len(r.Options) != 2 || r.Options[0].Name != "In memory (gone at the end)" || r.Options[1].OptionId != engine.ChoiceSkip {
		t.Errorf("it was offered %+v", r.Options)
	}
	e.events <- engine.Asked{Question: engine.Question{ID: "w", Kind: engine.Approval, CallID: "c9", Title: "Run", Choices: []engine.Choice{{Value: engine.ChoiceOnce, Label: "Allow once"}}}}
	<-asked
	e.events <- engine.Withdrawn{ID: "w"}
	e.events <- finished
	if end := <-done; end != "end_turn" {
		t.Fatal(end)
	}
	select {
	case op := <-e.ops:
		t.Errorf("a question that was withdrawn was answered: %#v", op)
	default:
	}
	leave()
}

// A turn that fails is an error with what the user can do; an editor that goes in the middle of a turn leaves no engine.
func TestAFailureIsAnErrorAndAnEditorThatGoesLeavesNothing(t *testing.T) {
	c, e, id, leave := joined(t)
	done := c.prompted(t, id)
	next[engine.Submit](t, e)
	e.events <- engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{Exit: engine.ExitFailed, Err: &engine.Error{Reason: engine.ReasonAuth, Status: 401, Message: "bad key", Hint: "Set another key."}}}
	if end := <-done; !strings.Contains(end, "bad key") || !strings.Contains(end, "Set another key.") {
		t.Error(end)
	}
	done = c.prompted(t, id)
	next[engine.Submit](t, e)
	leave() // returns when the engine has ended
	if end := <-done; end == "end_turn" {
		t.Error("a turn of an editor that went has ended well")
	}
}

func TestADiffIsShownHunkByHunk(t *testing.T) {
	diff := "--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n one\n--- two\n+++ three\n@@ -9 +9,2 @@\n nine\n+ten\n\\ No newline at end of file\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n"
	all := diffContent(diff, "")
	if len(all) != 3 {
		t.Fatalf("%d pieces", len(all))
	}
	for i, want := range []struct{ path, before, after string }{{"x.go", "one\n-- two", "one\n++ three"}, {"x.go", "nine", "nine\nten"}, {"new.txt", "-", "hello"}} {
		d := all[i].Diff
		before := "-"
		if d.OldText != nil {
			before = *d.OldText
		}
		if d.Path != want.path || before != want.before || d.NewText != want.after {
			t.Errorf("piece %d: %s %q %q", i, d.Path, before, d.NewText)
		}
	}
	if one := diffContent("--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n", "/p/x.go"); len(one) != 1 || one[0].Diff.Path != "/p/x.go" {
		t.Errorf("%+v", one)
	}
	if len(diffContent("", "")) != 0 || len(diffContent("no diff at all\n", "")) != 0 {
		t.Error("a diff was made of nothing")
	}
}

func TestAMessageIsReadFromItsBlocks(t *testing.T) {
	a := &agent{d: Deps{Pictures: t.TempDir()}}
	text, files, err := a.message([]proto.ContentBlock{proto.TextBlock("see"), proto.ResourceLinkBlock("b", "file:///p/b%20c.go"), proto.ResourceLinkBlock("web", "https://example.com/x"), proto.ImageBlock("iVBORw0KGgo=", "image/png")})
	if err != nil || text != "see\n\nhttps://example.com/x" || len(files) != 2 || files[0] != "/p/b c.go" || !strings.HasSuffix(files[1], ".png") {
		t.Errorf("%q %q %v", text, files, err)
	}
	for _, bad := range []proto.ContentBlock{proto.AudioBlock("AAAA", "audio/wav"), proto.ImageBlock("%%%", "image/png")} {
		if _, _, err := a.message([]proto.ContentBlock{bad}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

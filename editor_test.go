package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/acp-go-sdk"
)

// editorial is an editor that starts the program, hears its updates, and answers what it asks for.
type editorial struct {
	acp.Client // what an agent may ask for and this one does not
	*acp.ClientSideConnection
	t      *testing.T
	cmd    *exec.Cmd
	errs   shared
	choose func(acp.RequestPermissionRequest) string
	leave  func() // closes the editor's end

	mu    sync.Mutex
	heard []acp.SessionUpdate
	asked []acp.RequestPermissionRequest
}

func (e *editorial) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, n.Update)
	return nil
}

func (e *editorial) RequestPermission(_ context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	e.mu.Lock()
	e.asked = append(e.asked, r)
	e.mu.Unlock()
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(acp.PermissionOptionId(e.choose(r)))}, nil
}

// edits starts the program for an editor.
func (d *desk) edits(t *testing.T) *editorial {
	t.Helper()
	e := &editorial{t: t, cmd: exec.Command(d.program, "acp"), choose: func(acp.RequestPermissionRequest) string { return "once" }}
	e.cmd.Dir, e.cmd.Env, e.cmd.Stderr = d.dir, d.env, &e.errs
	in, err := e.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.cmd.Process.Kill(); _ = e.cmd.Wait() })
	e.ClientSideConnection = acp.NewClientSideConnection(e, in, out)
	e.SetLogger(slog.New(slog.DiscardHandler))
	e.leave = func() { _ = in.Close() }
	return e
}

// text is what was said so far: of the assistant, its thoughts, and of the user.
func (e *editorial) text() (said, thought, user string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, u := range e.heard {
		switch {
		case u.AgentMessageChunk != nil:
			said += u.AgentMessageChunk.Content.Text.Text
		case u.AgentThoughtChunk != nil:
			thought += u.AgentThoughtChunk.Content.Text.Text
		case u.UserMessageChunk != nil:
			user += u.UserMessageChunk.Content.Text.Text
		}
	}
	return said, thought, user
}

// calls is how each call went, in order: its title, the last status, and what it shows.
func (e *editorial) calls() (all []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var ids []acp.ToolCallId
	state := map[acp.ToolCallId][3]string{}
	show := func(content []acp.ToolCallContent) (text string) {
		for _, c := range content {
			if c.Diff != nil {
				text += fmt.Sprintf("diff %s %q", filepath.Base(c.Diff.Path), c.Diff.NewText)
			} else if c.Content != nil && c.Content.Content.Text != nil {
				text += c.Content.Content.Text.Text
			}
		}
		return text
	}
	for _, u := range e.heard {
		if c := u.ToolCall; c != nil {
			if _, twice := state[c.ToolCallId]; twice {
				e.t.Errorf("call %s was begun twice", c.ToolCallId)
			}
			ids = append(ids, c.ToolCallId)
			state[c.ToolCallId] = [3]string{c.Title, string(c.Status), show(c.Content)}
		}
		if c := u.ToolCallUpdate; c != nil {
			s, known := state[c.ToolCallId]
			if !known {
				e.t.Errorf("an update of call %s, which was never begun", c.ToolCallId)
			}
			if c.Title != nil {
				s[0] = *c.Title
			}
			if c.Status != nil {
				s[1] = string(*c.Status)
			}
			if c.Content != nil {
				s[2] = show(c.Content)
			}
			state[c.ToolCallId] = s
		}
	}
	for _, id := range ids {
		all = append(all, strings.Join(slices.Collect(func(yield func(string) bool) {
			s := state[id]
			_ = yield(s[0]) && yield(s[1]) && yield(s[2])
		}), " · "))
	}
	return all
}

// An editor opens a session, has a file written after it allowed that, stops a turn, closes its end, comes back in another
// process and loads what was said.
func TestAnEditorDrivesTheAgent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.model(`
reply
think I write it.
text Writing.
call write_file {"path":"made.txt","content":"one\n-- two\n"}
call terminal {"command":"rm -rf /tmp/nothing-of-that-name"}
reply
text It is written.
reply
text A long one
stall
`)
	ctx := t.Context()
	e := d.edits(t)
	e.choose = func(r acp.RequestPermissionRequest) string {
		if strings.Contains(*r.ToolCall.Title, "made.txt") {
			return "once"
		}
		return "deny"
	}
	hello, err := e.Initialize(ctx, acp.InitializeRequest{ProtocolVersion: acp.ProtocolVersionNumber})
	if err != nil || !hello.AgentCapabilities.LoadSession || hello.AgentInfo.Name != "talaria" {
		t.Fatalf("%+v, %v", hello, err)
	}
	if _, err := e.NewSession(ctx, acp.NewSessionRequest{Cwd: "relative", McpServers: []acp.McpServer{}}); err == nil {
		t.Error("a relative directory was taken")
	}
	opened, err := e.NewSession(ctx, acp.NewSessionRequest{Cwd: d.dir, McpServers: []acp.McpServer{}})
	if err != nil || opened.Modes == nil || opened.Modes.CurrentModeId != "ask" {
		t.Fatalf("%+v, %v", opened, err)
	}
	done, err := e.Prompt(ctx, acp.PromptRequest{SessionId: opened.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock("write it"),
		acp.ResourceBlock(acp.EmbeddedResourceResource{TextResourceContents: &acp.TextResourceContents{Uri: "file:///tmp/a.md", Text: "a ``` b"}})}})
	if err != nil || done.StopReason != acp.StopReasonEndTurn {
		t.Fatalf("%+v, %v\n%s", done, err, e.errs.String())
	}
	said, thought, _ := e.text()
	if said != "Writing.It is written." || !strings.Contains(thought, "I write it.") {
		t.Errorf("said %q, thought %q", said, thought)
	}
	calls := e.calls()
	if len(calls) != 2 || !strings.Contains(calls[0], "made.txt · completed · diff made.txt \"one\\n-- two\"") || !strings.Contains(calls[1], "failed") {
		t.Errorf("calls %q", calls)
	}
	if got := d.read("made.txt"); got != "one\n-- two\n" {
		t.Errorf("the file has %q", got)
	}
	if len(e.asked) != 2 || e.asked[0].ToolCall.Content[0].Diff == nil || slices.ContainsFunc(e.asked[0].Options, func(o acp.PermissionOption) bool { return o.OptionId == "edit" }) {
		t.Errorf("asked %+v", e.asked)
	}

	ended := make(chan acp.PromptResponse, 1)
	go func() {
		r, err := e.Prompt(ctx, acp.PromptRequest{SessionId: opened.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock("more")}})
		if err != nil {
			t.Error(err)
		}
		ended <- r
	}()
	if err := soon("the reply to begin", func() bool { said, _, _ := e.text(); return strings.Contains(said, "A long one") }); err != nil {
		t.Fatal(err)
	}
	if err := e.Cancel(ctx, acp.CancelNotification{SessionId: opened.SessionId}); err != nil {
		t.Fatal(err)
	}
	if r := <-ended; r.StopReason != acp.StopReasonCancelled {
		t.Errorf("stopped: %+v", r)
	}
	if _, err := e.SetSessionMode(ctx, acp.SetSessionModeRequest{SessionId: opened.SessionId, ModeId: "plan"}); err != nil {
		t.Error(err)
	}
	if _, err := e.SetSessionMode(ctx, acp.SetSessionModeRequest{SessionId: opened.SessionId, ModeId: "reckless"}); err == nil {
		t.Error("a mode that does not exist was taken")
	}
	e.leave()
	if err := e.cmd.Wait(); err != nil {
		t.Errorf("the editor left: %v\n%s", err, e.errs.String())
	}

	again := d.edits(t)
	list, err := again.ListSessions(ctx, acp.ListSessionsRequest{Cwd: &d.dir})
	if err != nil || len(list.Sessions) != 1 || list.Sessions[0].SessionId != opened.SessionId {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := again.LoadSession(ctx, acp.LoadSessionRequest{Cwd: d.dir, SessionId: opened.SessionId, McpServers: []acp.McpServer{}}); err != nil {
		t.Fatal(err)
	}
	if err := soon("the past to be told", func() bool { _, _, user := again.text(); return strings.Contains(user, "more") }); err != nil {
		t.Fatal(err)
	}
	said, _, user := again.text()
	if !strings.Contains(user, "write it") || !strings.Contains(user, "a ``` b") || !strings.Contains(said, "It is written.") || !strings.Contains(said, "A long one") {
		t.Errorf("loaded: said %q, user %q", said, user)
	}
	if calls := again.calls(); len(calls) != 2 || !strings.Contains(calls[0], "completed") {
		t.Errorf("loaded calls %q", calls)
	}
	if _, err := os.Stat(filepath.Join(d.home, "sessions.db")); err != nil {
		t.Error(err)
	}
}

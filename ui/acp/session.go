package acp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	proto "github.com/coder/acp-go-sdk"

	"talaria/engine"
)

// session is one engine, and what of it the editor was told.
type session struct {
	a      *agent
	id     proto.SessionId
	engine Engine
	stop   func()
	gone   chan struct{} // closed when the engine has ended
	turns  chan engine.Outcome
	tell   *teller
	opened engine.Opened

	mu    sync.Mutex // one prompt at a time
	asked asked
}

// open starts an engine and waits until it has opened its session.
func (a *agent) open(b Begin) (*session, error) {
	<-a.ready()
	if !filepath.IsAbs(b.Dir) {
		return nil, proto.NewInvalidParams(map[string]any{"error": "cwd has to be an absolute path"})
	}
	e, end, err := a.d.Start(a.ctx, b)
	switch {
	case errors.Is(err, engine.ErrOwned):
		return nil, refused("open the session", fmt.Errorf("it is open in another window. Close it there first"))
	case err != nil:
		return nil, refused("open the session", err)
	}
	s := &session{a: a, engine: e, stop: end, gone: make(chan struct{}), turns: make(chan engine.Outcome, 1)}
	s.tell = &teller{send: s.send, known: map[string]bool{}, wrote: map[string]string{}, mode: a.d.Mode}
	for event := range e.Events() {
		if o, ok := event.(engine.Opened); ok {
			s.opened = o
			break
		}
	}
	if s.opened.Session.ID == "" {
		end()
		return nil, refused("open the session", errors.New("the engine ended"))
	}
	s.id = proto.SessionId(s.opened.Session.ID)
	if b.Session != "" {
		s.id = proto.SessionId(b.Session) // what the editor calls it, also when it went on in a child
	}
	if m := s.opened.Session.Mode; m != "" {
		s.tell.mode = m
	}
	a.mu.Lock()
	open := a.sessions != nil
	if open {
		a.sessions[string(s.id)] = s
	}
	a.mu.Unlock()
	engine.Go("editor session", s.listen)
	if !open {
		s.end()
		return nil, refused("open the session", context.Canceled)
	}
	return s, nil
}

func (s *session) end() {
	s.asked.drop()
	s.stop()
	<-s.gone
}

func (s *session) modes() *proto.SessionModeState {
	s.tell.mu.Lock()
	defer s.tell.mu.Unlock()
	return &proto.SessionModeState{AvailableModes: modes, CurrentModeId: proto.SessionModeId(s.tell.mode)}
}

// send tells the editor something; when it has gone there is nobody to tell.
func (s *session) send(u proto.SessionUpdate) {
	_ = s.a.conn.SessionUpdate(s.a.ctx, proto.SessionNotification{SessionId: s.id, Update: u})
}

// listen tells the editor what the engine tells, in order.
func (s *session) listen() {
	defer close(s.gone)
	for e := range s.engine.Events() {
		if a, ok := e.(engine.Asked); ok {
			s.ask(a.Question)
		}
		if w, ok := e.(engine.Withdrawn); ok {
			s.asked.withdraw(w.ID)
		}
		s.tell.on(e)
		if end, ok := e.(engine.Ended); ok {
			select {
			case s.turns <- end.Outcome:
			default: // nobody waits: what was queued made a turn of its own
			}
		}
	}
}

// prompt sends a message and waits for the end of the turn.
func (s *session) prompt(ctx context.Context, blocks []proto.ContentBlock) (proto.PromptResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, files, err := s.a.message(blocks)
	if err != nil {
		return proto.PromptResponse{}, refused("read the message", err)
	}
	if text == "" && len(files) == 0 {
		return proto.PromptResponse{}, proto.NewInvalidParams(map[string]any{"error": "the message is empty"})
	}
	select {
	case <-s.turns: // of a turn that nobody waited for
	default:
	}
	s.asked.allow()
	s.engine.Do(engine.Submit{Text: text, Attachments: files})
	cancelled := ctx.Done()
	for {
		select {
		case out := <-s.turns:
			return s.response(out)
		case <-cancelled:
			s.engine.Do(engine.Interrupt{})
			cancelled = nil // its end still comes
		case <-s.gone:
			return proto.PromptResponse{StopReason: proto.StopReasonCancelled}, nil
		}
	}
}

// response says how a turn ended. A failure is an error, with what the user can do.
func (s *session) response(o engine.Outcome) (proto.PromptResponse, error) {
	reason, known := map[engine.Exit]proto.StopReason{engine.ExitFinished: proto.StopReasonEndTurn, engine.ExitIterations: proto.StopReasonMaxTurnRequests,
		engine.ExitBudget: proto.StopReasonMaxTurnRequests, engine.ExitInterrupted: proto.StopReasonCancelled, engine.ExitBlocked: proto.StopReasonRefusal,
		engine.ExitTruncated: proto.StopReasonMaxTokens}[o.Exit]
	if known {
		return proto.PromptResponse{StopReason: reason}, nil
	}
	text := fmt.Sprintf("the turn ended: %s", o.Exit)
	if o.Err != nil {
		if text = o.Err.Error(); o.Err.Hint != "" {
			text += ". " + o.Err.Hint
		}
		if o.Err.Reason == engine.ReasonAuth || o.Err.Reason == engine.ReasonAuthPermanent {
			return proto.PromptResponse{}, &proto.RequestError{Code: -32000, Message: text}
		}
	}
	return proto.PromptResponse{}, &proto.RequestError{Code: -32603, Message: text}
}

// replay tells what was said in the session that was opened. A reply that was cut stands there as what had come of it; one
// that streamed for long stands there several times, the last is whole.
func (s *session) replay() {
	var all []engine.Message
	for _, r := range engine.Standing(s.opened.Past) {
		a, ok := r.Event.(engine.Appended)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(all, func(m engine.Message) bool { return m.ID == a.Message.ID }); at >= 0 {
			all[at] = a.Message
		} else {
			all = append(all, a.Message)
		}
	}
	for _, m := range all {
		s.tell.message(m)
	}
}

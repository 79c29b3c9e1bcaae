package acp

import (
	"cmp"
	"context"
	"sync"

	proto "github.com/coder/acp-go-sdk"

	"talaria/engine"
)

// asked are the questions that wait for the editor's answer. The first may come before any message was sent (whether the
// directory is trusted); it is put when one is.
type asked struct {
	mu      sync.Mutex
	ready   bool
	early   []func()
	waiting map[string]context.CancelFunc
}

func (q *asked) allow() {
	q.mu.Lock()
	early := q.early
	q.ready, q.early = true, nil
	q.mu.Unlock()
	for _, put := range early {
		put()
	}
}

// put runs f, now or when the first message is sent.
func (q *asked) put(f func()) {
	q.mu.Lock()
	ready := q.ready
	if !ready {
		q.early = append(q.early, f)
	}
	q.mu.Unlock()
	if ready {
		f()
	}
}

func (q *asked) add(id string, cancel context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == nil {
		q.waiting = map[string]context.CancelFunc{}
	}
	q.waiting[id] = cancel
}

func (q *asked) withdraw(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cancel := q.waiting[id]; cancel != nil {
		cancel()
		delete(q.waiting, id)
	}
}

func (q *asked) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, cancel := range q.waiting {
		cancel()
	}
}

// ask puts a question as a request for permission, the one kind of question that the protocol has. The engine goes on
// telling meanwhile.
func (s *session) ask(q engine.Question) {
	options := optionsOf(q)
	if len(options) == 0 || q.Multi { // it wants words, or several answers: the model goes on as it thinks best
		s.engine.Do(engine.Answer{ID: q.ID, Choice: engine.ChoiceSkip})
		return
	}
	s.asked.put(func() {
		ctx, cancel := context.WithCancel(s.a.ctx)
		s.asked.add(q.ID, cancel)
		call := cmp.Or(q.CallID, q.ID)
		s.tell.asks(q, call)
		engine.Go("editor question", func() {
			defer cancel()
			got, err := s.a.conn.RequestPermission(ctx, proto.RequestPermissionRequest{SessionId: s.id, Options: options,
				ToolCall: proto.ToolCallUpdate{ToolCallId: proto.ToolCallId(call), Title: proto.Ptr(q.Title), Status: proto.Ptr(proto.ToolCallStatusPending), Content: questionContent(q)}})
			switch {
			case err == nil && got.Outcome.Selected != nil:
				s.engine.Do(engine.Answer{ID: q.ID, Choice: string(got.Outcome.Selected.OptionId)})
			case ctx.Err() == nil: // cancelled with the turn, or not understood
				s.engine.Do(engine.Answer{ID: q.ID, Choice: noTo(q.Kind)})
			}
		})
	})
}

// noTo is the answer that allows nothing.
func noTo(kind engine.QuestionKind) string {
	return map[engine.QuestionKind]string{engine.Approval: engine.ChoiceDeny, engine.Trust: engine.ChoiceNo, engine.Clarify: engine.ChoiceSkip}[kind]
}

// optionsOf are the choices that an editor can show: changing a call first is not among them.
func optionsOf(q engine.Question) (all []proto.PermissionOption) {
	for _, c := range q.Choices {
		kind := proto.PermissionOptionKindAllowOnce
		switch c.Value {
		case engine.ChoiceEdit:
			continue
		case engine.ChoiceSession, engine.ChoiceAlways, engine.ChoiceYes:
			kind = proto.PermissionOptionKindAllowAlways
		case engine.ChoiceDeny, engine.ChoiceNo:
			kind = proto.PermissionOptionKindRejectOnce
		}
		name := c.Label
		if c.Description != "" {
			name += " (" + c.Description + ")"
		}
		all = append(all, proto.PermissionOption{OptionId: proto.PermissionOptionId(c.Value), Name: name, Kind: kind})
	}
	if q.Kind == engine.Clarify && len(all) > 0 {
		all = append(all, proto.PermissionOption{OptionId: engine.ChoiceSkip, Name: "Skip: decide yourself", Kind: proto.PermissionOptionKindRejectOnce})
	}
	return all
}

// questionContent is what is decided on: the change, or the command and why it is asked.
func questionContent(q engine.Question) []proto.ToolCallContent {
	if all := diffContent(q.Diff, ""); len(all) > 0 {
		return all
	}
	text := q.Body
	if q.Why != "" {
		text += "\n\n" + q.Why
	}
	if q.Danger != "" {
		text += "\n\nDanger: " + q.Danger
	}
	if text == "" {
		return nil
	}
	return []proto.ToolCallContent{proto.ToolContent(proto.TextBlock(text))}
}

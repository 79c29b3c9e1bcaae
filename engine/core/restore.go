package core

import (
	"slices"

	"talaria/engine"
)

// state is what a session's records come to.
type state struct {
	messages []engine.Message
	tasks    []engine.Task
	steers   []engine.Waiting
	queued   []engine.Waiting
	system   string
	results  map[string]engine.Result // of calls that ended, by call id
}

// restore folds records into a state. A message that stands twice (a partial reply and its end) counts once, as it was
// last; a call that ended but whose result message was not written any more is answered from its end.
func restore(recs []engine.Record) state {
	s := state{results: map[string]engine.Result{}}
	s.waiting(recs)
	place := map[string]int{}
	for _, r := range engine.Standing(recs) {
		if r.Event == nil {
			continue
		}
		switch e := r.Event.(type) {
		case engine.Appended:
			if i, ok := place[e.Message.ID]; ok && e.Message.ID != "" {
				s.messages[i] = e.Message
				continue
			}
			place[e.Message.ID] = len(s.messages)
			s.messages = append(s.messages, e.Message)
		case engine.CallEnded:
			s.results[e.Result.CallID] = e.Result
		case engine.Planned:
			s.tasks = e.Tasks
		case engine.Opened:
			s.system = e.Session.System
		case engine.Steered, engine.Queued, engine.Began, engine.Stepped, engine.Streamed, engine.CallBegan, engine.CallWrote, engine.Asked, engine.Withdrawn,
			engine.Compacted, engine.Rewound, engine.Used, engine.Noted, engine.Child, engine.Ended, engine.Unknown:
		}
	}
	s.messages = s.answered()
	return s
}

// waiting takes what was not delivered yet. What an undo took out of the chat was delivered all the same.
func (s *state) waiting(recs []engine.Record) {
	sent := map[string]bool{}
	for _, r := range recs {
		if e, ok := r.Event.(engine.Appended); ok {
			sent[e.Message.ID] = true
		}
		if e, ok := r.Event.(engine.Steered); ok {
			s.steers = e.Waiting
		}
		if e, ok := r.Event.(engine.Queued); ok {
			s.queued = e.Waiting
		}
	}
	delivered := func(w engine.Waiting) bool { return sent[w.ID] }
	s.steers = slices.DeleteFunc(slices.Clone(s.steers), delivered)
	s.queued = slices.DeleteFunc(slices.Clone(s.queued), delivered)
}

// answered puts in the results of calls that ended without their message.
func (s state) answered() []engine.Message {
	have := map[string]bool{}
	for _, m := range s.messages {
		for _, r := range m.Results() {
			have[r.CallID] = true
		}
	}
	var out []engine.Message
	for i, m := range s.messages {
		out = append(out, m)
		last := i+1 == len(s.messages) || s.messages[i+1].Role != engine.RoleTool
		if !last {
			continue
		}
		for _, c := range callsBefore(s.messages[:i+1]) {
			if r, ok := s.results[c.ID]; ok && !have[c.ID] {
				out = append(out, engine.Message{ID: "late_" + c.ID, Role: engine.RoleTool, Parts: engine.Parts{r}, At: m.At})
			}
		}
	}
	return out
}

// callsBefore are the calls of the newest reply, when only its results follow it.
func callsBefore(msgs []engine.Message) []engine.Call {
	for i := len(msgs) - 1; i >= 0; i-- {
		if msgs[i].Role != engine.RoleTool {
			return msgs[i].Calls()
		}
	}
	return nil
}

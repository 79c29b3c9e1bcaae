// Package past tells what the records of a session come to: the history as it now stands, what was not delivered yet, the
// turns there were, and which of them a redo would bring back. It is pure: it reads records and touches nothing.
package past

import (
	"slices"

	"talaria/engine"
)

// State is what a session's records come to.
type State struct {
	Messages []engine.Message
	Tasks    []engine.Task
	Steers   []engine.Waiting
	Queued   []engine.Waiting
	System   string
	Open     []engine.Question        // about calls of the newest reply, which the program's end left without an answer
	results  map[string]engine.Result // of calls that ended, by call id
	asked    questions
}

// Restore folds records into a state. A message that stands twice (a partial reply and its end) counts once, as it was
// last; a call that ended but whose result message was not written any more is answered from its end.
func Restore(recs []engine.Record) State {
	s := State{results: map[string]engine.Result{}, asked: newQuestions()}
	s.waiting(recs)
	place := map[string]int{}
	for _, r := range engine.Standing(recs) {
		s.asked.take(r)
		if r.Event == nil {
			continue
		}
		switch e := r.Event.(type) {
		case engine.Appended:
			if i, ok := place[e.Message.ID]; ok && e.Message.ID != "" {
				s.Messages[i] = e.Message
				continue
			}
			place[e.Message.ID] = len(s.Messages)
			s.Messages = append(s.Messages, e.Message)
		case engine.CallEnded:
			s.results[e.Result.CallID] = e.Result
		case engine.Planned:
			s.Tasks = e.Tasks
		case engine.Opened:
			s.System = e.Session.System
		case engine.Steered, engine.Queued, engine.Began, engine.Stepped, engine.Streamed, engine.CallBegan, engine.CallWrote, engine.Asked, engine.Withdrawn,
			engine.Compacted, engine.Rewound, engine.Used, engine.Noted, engine.Child, engine.Ended, engine.Unknown:
		}
	}
	s.Messages = s.answered()
	return s
}

// waiting takes what was not delivered yet. What an undo took out of the chat was delivered all the same.
func (s *State) waiting(recs []engine.Record) {
	sent := map[string]bool{}
	for _, r := range recs {
		if e, ok := r.Event.(engine.Appended); ok {
			sent[e.Message.ID] = true
		}
		if e, ok := r.Event.(engine.Steered); ok {
			s.Steers = e.Waiting
		}
		if e, ok := r.Event.(engine.Queued); ok {
			s.Queued = e.Waiting
		}
	}
	delivered := func(w engine.Waiting) bool { return sent[w.ID] }
	s.Steers = slices.DeleteFunc(slices.Clone(s.Steers), delivered)
	s.Queued = slices.DeleteFunc(slices.Clone(s.Queued), delivered)
}

// answered puts in the results of calls that ended without their message.
func (s *State) answered() []engine.Message {
	have := map[string]bool{}
	for _, m := range s.Messages {
		for _, r := range m.Results() {
			have[r.CallID] = true
		}
	}
	var out []engine.Message
	for i, m := range s.Messages {
		out = append(out, m)
		last := i+1 == len(s.Messages) || s.Messages[i+1].Role != engine.RoleTool
		if !last {
			continue
		}
		for _, c := range callsBefore(s.Messages[:i+1]) {
			if have[c.ID] {
				continue
			}
			r, ok := s.results[c.ID]
			if !ok {
				var open bool
				if r, open, ok = s.asked.result(c); open && i+1 == len(s.Messages) {
					s.Open = append(s.Open, s.asked.asked[c.ID])
				}
			}
			if ok {
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

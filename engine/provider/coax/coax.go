package coax

import (
	"context"
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/engine"
)

//go:embed results.md
var takeUp string

//go:embed thoughts.md
var speakUp string

// How often one history is asked about in other words (BEHAVIOUR 6.2, 3 and 4).
const (
	maxNudges   = 1
	maxThoughts = 2
)

// placeholder stands for the empty reply: a user's word cannot follow a tool result on every server.
const placeholder = "(no answer)"

// Wrap returns p with a second question after an empty reply. Each is a Retry delta, so what the empty reply thought is
// dropped and what it cost is counted.
func Wrap(p engine.Provider) engine.Provider { return &coax{p: p} }

type coax struct {
	p    engine.Provider
	mu   sync.Mutex
	last string // what the counts are about: the end of a history
	used map[string]int
}

// Stream asks until the reply has content, or there is no other way to ask.
func (c *coax) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		next := req
		for try := 2; ; try++ {
			fold, done, ok := c.ask(ctx, next, yield)
			if !ok {
				return
			}
			said := fold.Message(time.Time{})
			again, found := c.reword(req, said)
			if !found {
				yield(done, nil)
				return
			}
			retry := engine.Retry{Action: engine.ActionReask, Try: try, Of: try, Provider: req.Route.Provider, Model: req.Route.Model,
				Err: &engine.Error{Reason: engine.ReasonEmptyResponse, Message: "the model sent an empty reply; it is asked in other words"}}
			if done.Usage != nil {
				retry.Usage = *done.Usage
			}
			if !yield(retry, nil) {
				return
			}
			next = again
		}
	}
}

// ask yields one reply and keeps back the Done of one that is empty: ok is true then.
func (c *coax) ask(ctx context.Context, req engine.Request, yield func(engine.Delta, error) bool) (fold engine.Fold, done engine.Done, ok bool) {
	for d, err := range c.p.Stream(ctx, req) {
		if err != nil {
			yield(nil, err)
			return fold, done, false
		}
		if end, is := d.(engine.Done); is && !req.MayBeEmpty && empty(fold.Message(time.Time{}), end) {
			return fold, end, true
		}
		fold.Add(d)
		if !yield(d, nil) {
			return fold, done, false
		}
	}
	return fold, done, false
}

// empty reports whether a reply that claims to be whole has neither text nor a call.
func empty(m engine.Message, d engine.Done) bool {
	whole := d.Stop == engine.StopEnd || d.Stop == engine.StopCalls || d.Stop == engine.StopUnknown || d.Stop == ""
	return whole && strings.TrimSpace(m.Text()) == "" && len(m.Calls()) == 0
}

// reword is req with a word at its end that fits the empty reply said; ok is false when there is none, or none is left.
func (c *coax) reword(req engine.Request, said engine.Message) (_ engine.Request, ok bool) {
	var word string
	var parts engine.Parts
	switch {
	case strings.TrimSpace(said.Reasoning()) != "":
		if !c.take(req, speakUp, maxThoughts) {
			return req, false
		}
		word, parts = speakUp, slices.Clone(said.Parts)
	case answersTools(req.Messages):
		if !c.take(req, takeUp, maxNudges) {
			return req, false
		}
		word = takeUp
	default:
		return req, false
	}
	said.Role, said.Parts = engine.RoleAssistant, append(parts, engine.Text{Text: placeholder})
	user := engine.Message{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: strings.TrimSpace(word)}}}
	req.Messages = append(slices.Clone(req.Messages), said, user)
	if n := len(req.Messages); n > 2 && req.Messages[n-3].Role == engine.RoleAssistant { // a reply that paused
		m := req.Messages[n-3]
		m.Parts = append(slices.Clone(m.Parts), said.Parts...)
		req.Messages = append(req.Messages[:n-3], m, user)
	}
	return req, true
}

// answersTools reports whether tool results are what the model was to answer.
func answersTools(msgs []engine.Message) bool {
	return len(msgs) > 0 && msgs[len(msgs)-1].Role == engine.RoleTool
}

// take counts one use of a word for this history, and reports whether it was still free. Repeats of the same request by
// whoever stands above do not begin anew.
func (c *coax) take(req engine.Request, word string, limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := req.SessionID
	if n := len(req.Messages); n > 0 {
		key += " " + req.Messages[n-1].ID
	}
	if key != c.last {
		c.last, c.used = key, map[string]int{}
	}
	c.used[word]++
	return c.used[word] <= limit
}

package route_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/route"
	"talaria/engine/soak"
)

// perfect is what the model of the walk says when nothing goes wrong; then it makes one call.
const perfect = "First I read the parser, then its tests.\n\nThe parser drops a comma after the last element of a list, and one test expects exactly that; I correct both."

// fate is what becomes of one request.
type fate int

const (
	whole fate = iota
	cutBefore
	cutInText
	cutInCall
	lengthInText
	lengthInCall
	empty
	broken
	tooMany
	onlyThought
	fates
)

var fateNames = []string{"ok", "cut before", "cut after text", "cut in call", "length text", "length call", "empty", "500", "429", "thinking only"}

// fateful is a model that knows its whole text and goes on exactly where it was cut, while its requests meet their fates.
type fateful struct {
	t        *testing.T
	fates    []fate
	requests int
}

func dropped() *engine.Error {
	return &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "connection reset"}
}

// from is where the request wants the model to go on. What it is shown as its own words must be its own words.
func (m *fateful) from(req engine.Request) int {
	n := len(req.Messages)
	if n == 1 {
		return 0
	}
	said := req.Messages[1].Text()
	if n != 3 || req.Messages[1].Role != engine.RoleAssistant || req.Messages[2].Role != engine.RoleUser || !strings.HasPrefix(perfect, said) || said == "" {
		m.t.Fatalf("%s: the request holds %+v", m.names(), req.Messages)
	}
	return len(said)
}

func (m *fateful) names() string {
	var names []string
	for _, f := range m.fates {
		names = append(names, fateNames[f])
	}
	return strings.Join(names, ", ")
}

func (m *fateful) Stream(_ context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		f := whole
		if m.requests < len(m.fates) {
			f = m.fates[m.requests]
		}
		m.requests++
		deltas, err := m.play(f, perfect[m.from(req):])
		for _, d := range deltas {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (m *fateful) play(f fate, rest string) ([]engine.Delta, error) {
	part := rest[:min(len(rest), 13)]
	half := []engine.Delta{text(part), engine.CallDelta{ID: "dead", Name: "patch", Args: `{"path":"a`}}
	used := &engine.Usage{Output: 1}
	switch f {
	case cutBefore:
		return nil, dropped()
	case cutInText:
		return []engine.Delta{text(part[:len(part)/2]), text(part[len(part)/2:])}, dropped()
	case cutInCall:
		return half, dropped()
	case lengthInText:
		return []engine.Delta{text(part), engine.Done{Stop: engine.StopLength, Usage: used}}, nil
	case lengthInCall:
		return append(half, engine.Done{Stop: engine.StopLength, Usage: used}), nil
	case empty:
		return []engine.Delta{engine.Done{Stop: engine.StopEnd, Usage: used}}, nil
	case broken:
		return nil, &engine.Error{Reason: engine.ReasonServerError, Status: 500, Message: "internal error"}
	case tooMany:
		return nil, limited(2 * time.Second)
	case onlyThought:
		return []engine.Delta{engine.ThoughtDelta{Text: "hm"}, engine.Done{Stop: engine.StopLength, Usage: used}}, nil
	case whole, fates:
	}
	ds := []engine.Delta{}
	for i := 0; i < len(rest); i += 20 {
		ds = append(ds, text(rest[i:min(len(rest), i+20)]))
	}
	return append(ds, engine.CallDelta{ID: "alive", Name: "patch", Args: `{"path":"a.go"}`}, engine.Done{Stop: engine.StopCalls, Usage: used}), nil
}

// mostRequests: the first, two more tries, and every reconnect, continuation and re-ask there is.
const mostRequests = 1 + 2 + 2 + 3 + 3

func TestEveryRunOfMisfortunesEndsWell(t *testing.T) {
	longest := 4 // as many as it takes to see every end
	if soak.Whole() {
		longest = 5
	}
	ends := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		walk(t, nil, longest, ends)
	})
	for _, end := range []string{"whole", "failed", "cut", "refused"} {
		if ends[end] == 0 {
			t.Errorf("no run ended %s: %v", end, ends)
		}
	}
	t.Logf("%v", ends)
}

// walk plays every run that begins with these fates. A reply that ended before the last of them ends so whatever fate
// comes after: longer runs would play the same.
func walk(t *testing.T, run []fate, longest int, ends map[string]int) {
	end, requests := meet(t, run)
	ends[end]++
	if requests <= len(run) || len(run) == longest {
		return
	}
	for f := range fates {
		walk(t, append(run[:len(run):len(run)], f), longest, ends)
	}
}

// meet plays one run and reports how it ended and after how many requests.
func meet(t *testing.T, run []fate) (end string, requests int) {
	t.Helper()
	m := &fateful{t: t, fates: run}
	req := engine.Request{Messages: []engine.Message{engine.UserMessage("Fix the parser.", time.Time{})}}
	h := ask(t.Context(), route.New(m, route.Options{Rand: fixed(0)}), req)
	wrong := func(format string, args ...any) {
		t.Fatalf("%s: %s\ntext %q, calls %v, stop %s, error %v", m.names(), fmt.Sprintf(format, args...), h.message.Text(), h.message.Calls(), h.message.Stop, h.err)
	}
	if m.requests > mostRequests {
		wrong("%d requests", m.requests)
	}
	if len(h.retries) != m.requests-1 {
		wrong("%d requests, %d retries", m.requests, len(h.retries))
	}
	said, calls := h.message.Text(), h.message.Calls()
	if !strings.HasPrefix(perfect, said) {
		wrong("something was lost or said twice")
	}
	for i, r := range h.retries {
		if r.Err == nil || r.Of < r.Try || r.Keep && r.Action == engine.ActionReask {
			wrong("retry %d: %+v", i, r)
		}
	}
	switch {
	case h.err != nil:
		return "failed", m.requests
	case h.message.Stop == engine.StopLength && len(calls) == 0:
		return "cut", m.requests
	case h.message.Stop == engine.StopLength:
		return "refused", m.requests // the loop runs no call of a reply that was cut
	case said != perfect || len(calls) != 1 || calls[0].ID != "alive" || calls[0].Args != `{"path":"a.go"}`:
		wrong("not what the model says")
	}
	return "whole", m.requests
}

func TestUsageOfEveryRequestIsCountedOnce(t *testing.T) {
	used := func(n int) *engine.Usage { return &engine.Usage{Input: n, Output: 1} }
	p := providertest.Scripted(
		providertest.Say(text("one "), engine.Done{Stop: engine.StopLength, Usage: used(1)}),
		providertest.Say(text("two "), engine.Done{Stop: engine.StopLength, Usage: used(10)}),
		providertest.Say(text("three"), engine.Done{Stop: engine.StopEnd, Usage: used(100)}))
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
	if all := h.lost.Add(*h.message.Usage); h.err != nil || h.message.Text() != "one two three" || all != (engine.Usage{Input: 111, Output: 3}) {
		t.Errorf("error %v, text %q, used %+v", h.err, h.message.Text(), all)
	}
}

// Package demo is the offline model: a script that shows every part of the program without a network, a key or a cost,
// and says that it is one. It calls the same tools as any model, and what it says next follows from the messages of the
// request alone: the results its own calls have, what was denied, what was answered.
//
// It refuses to pretend: it does not read the user's words beyond the few that choose a part, and it reports no usage,
// since nothing was used.
package demo

import (
	"context"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"talaria/engine"
)

// Model is the name of the demo's model; its provider is called demo.
const Model = "offline"

// New returns the offline model at the pace of a quick real one.
func New() engine.Provider { return Paced(18 * time.Millisecond) }

// Paced returns the offline model with a pause after each word; 0 says all at once and waits for nothing.
func Paced(word time.Duration) engine.Provider { return demo{word} }

type demo struct{ word time.Duration }

// Stream yields the script's next reply, word by word.
func (d demo) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		v := voice{ctx: ctx, pause: d.word, yield: yield}
		v.reply(next(req), req)
		if v.err != nil && !v.left {
			yield(nil, &engine.Error{Reason: engine.ReasonUnknown, Message: "the demo was stopped", Err: v.err})
		}
	}
}

// voice tells a reply delta by delta. Once the consumer left or the context ended it tells nothing more.
type voice struct {
	ctx   context.Context
	pause time.Duration
	yield func(engine.Delta, error) bool
	left  bool
	err   error
}

func (v *voice) reply(r reply, req engine.Request) {
	if r.pretend != "" {
		v.text(r.pretend)
		v.fail(req)
	}
	for _, w := range words(r.thought) {
		v.tell(engine.ThoughtDelta{Text: w})
	}
	v.text(r.text)
	stop := engine.StopEnd
	for i, c := range r.calls {
		stop = engine.StopCalls
		v.tell(engine.CallDelta{Index: i, ID: c.ID, Name: c.Name})
		for _, piece := range cut(c.Args, 24) {
			v.tell(engine.CallDelta{Index: i, Args: piece})
		}
	}
	if !v.left && v.err == nil {
		v.yield(engine.Done{Stop: stop, Model: Model}, nil)
	}
}

func (v *voice) text(s string) {
	for _, w := range words(s) {
		v.tell(engine.TextDelta{Text: w})
	}
}

// fail pretends that a server broke off, and counts down as a real retry does.
func (v *voice) fail(req engine.Request) {
	after := 400 * v.pause // 7 s at the usual pace
	v.tell(engine.Retry{Action: engine.ActionRetry, Try: 2, Of: 3, After: after, Provider: req.Route.Provider, Model: req.Route.Model,
		Err: &engine.Error{Reason: engine.ReasonOverloaded, Message: "pretended by the demo: overloaded", Hint: "nothing is wrong; this is part of the demo"}})
	if v.left || v.err != nil {
		return
	}
	if req.Wait != nil {
		v.err = req.Wait(v.ctx, after)
		return
	}
	v.sleep(after)
}

func (v *voice) tell(d engine.Delta) {
	if v.left || v.err != nil {
		return
	}
	if v.err = context.Cause(v.ctx); v.err != nil {
		return
	}
	if v.left = !v.yield(d, nil); !v.left {
		v.sleep(v.pause)
	}
}

func (v *voice) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-v.ctx.Done():
		v.err = context.Cause(v.ctx)
	}
}

// words cuts s behind each run of whitespace.
func words(s string) []string {
	var out []string
	for s != "" {
		i := strings.IndexAny(s, " \n")
		if i < 0 {
			return append(out, s)
		}
		for i < len(s) && (s[i] == ' ' || s[i] == '\n') {
			i++
		}
		out, s = append(out, s[:i]), s[i:]
	}
	return out
}

// cut cuts s into pieces of about n bytes, between characters.
func cut(s string, n int) []string {
	var out []string
	for len(s) > n {
		i := n
		for i < len(s) && !utf8.RuneStart(s[i]) {
			i++
		}
		out, s = append(out, s[:i]), s[i:]
	}
	return append(out, s)
}

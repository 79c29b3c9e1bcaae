package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"talaria/engine"
)

// task is one call of a batch on its way to a result.
type task struct {
	call    engine.Call
	tool    engine.Tool
	spec    engine.Spec
	result  *engine.Result // set: nothing to run any more
	changed string         // what the model is told when the user changed the call
	took    time.Duration
}

// abandonAfter is how long a stopped tool may take to return before its call is answered without it.
const abandonAfter = 3 * time.Second

// run answers every call of the reply, in call order, whatever happens (law 2): several at a time where that cannot
// matter, else one after the other.
func (a *Agent) run(ctx context.Context, c *conversation, reply engine.Message, calls []engine.Call) {
	tasks, usable := make([]*task, len(calls)), 0
	for i, call := range calls {
		t := &task{call: call}
		if reply.Stop == engine.StopLength {
			r := engine.Badly(call, "this call was not executed: the reply was cut by the output limit, so its arguments may be incomplete. Make the call again, smaller.")
			t.result = &r
		} else if t.tool, t.call, t.result = a.d.Tools.Resolve(call); t.result == nil {
			t.spec = t.tool.Spec()
			usable++
		}
		tasks[i] = t
	}
	c.count(reply, usable)
	if a.parallel(tasks) {
		a.together(ctx, c, tasks)
	} else {
		for _, t := range tasks {
			a.gate(ctx, c, t)
			a.one(ctx, c, t)
		}
	}
	a.store(ctx, c, tasks)
}

// count keeps the two counters of replies that come to nothing.
func (c *conversation) count(reply engine.Message, usable int) {
	if reply.Stop == engine.StopLength {
		c.cut++
		return
	}
	c.cut = 0
	if usable > 0 {
		c.refused = 0
	} else {
		c.refused++
	}
}

// together asks the gates in call order and runs what may run side by side.
func (a *Agent) together(ctx context.Context, c *conversation, tasks []*task) {
	for _, t := range tasks {
		a.gate(ctx, c, t)
	}
	slots := make(chan struct{}, a.d.Workers)
	ready := make([]chan struct{}, len(tasks))
	for i, t := range tasks {
		ready[i] = make(chan struct{})
		engine.Go("tool "+t.call.Name, func() {
			defer close(ready[i])
			slots <- struct{}{}
			defer func() { <-slots }()
			a.one(ctx, c, t)
		})
	}
	for i := range tasks {
		<-ready[i]
	}
}

// gate asks every gate about the call of t; the first objection is its result.
func (a *Agent) gate(ctx context.Context, c *conversation, t *task) {
	for _, g := range a.d.Gates {
		if t.result != nil {
			return
		}
		if stopped(ctx) || a.stop.stopping() || c.needsUser != "" {
			return // one and its answer say why
		}
		v, err := g(ctx, t.call, t.spec)
		var r engine.Result
		switch {
		case err != nil && stopped(ctx):
			return
		case err != nil:
			r = engine.Failed(t.call, "not run: the permission check failed: %v", err)
			r.Status = engine.StatusDenied
		case v.Decision == engine.NeedsApproval:
			c.needsUser = v.Reason
			r = engine.Badly(t.call, "approval is needed and there is nobody to ask: %s", v.Reason)
			c.emit(ctx, engine.Noted{Kind: engine.NoteWarning, Text: "Approval needed and nobody to ask: " + v.Reason})
		case v.Decision == engine.Deny && v.Policy:
			r = engine.Badly(t.call, "%s", v.Reason)
		case v.Decision == engine.Deny:
			r = engine.Failed(t.call, "%s", v.Reason)
			r.Status = engine.StatusDenied
		case v.Call != nil:
			t.call, t.changed = *v.Call, v.Reason
			continue
		default:
			continue
		}
		t.result = &r
	}
}

// one brings the call of t to its result and tells of it; it runs nothing when the result is there already.
func (a *Agent) one(ctx context.Context, c *conversation, t *task) {
	a.settle(ctx, c, t)
	t.finish(*t.result, "")
	*t.result = a.d.Redact(t.call, *t.result)
	if t.changed != "" {
		t.result.Text = t.changed + "\n\n" + t.result.Text
	}
	a.limit(t, a.d.Window(c.route))
	t.result.Text, t.result.Diff, t.result.Note = a.d.Mask(t.result.Text), a.d.Mask(t.result.Diff), a.d.Mask(t.result.Note)
	a.memo.tokens(t.result.Text) // side by side here, not one after another when they are sent
	c.emit(ctx, engine.CallEnded{Result: *t.result, DurationMS: t.took.Milliseconds(), Line: a.d.Line(t.call)})
}

func (a *Agent) settle(ctx context.Context, c *conversation, t *task) {
	if t.result != nil {
		return
	}
	if c.needsUser != "" {
		t.finish(engine.Badly(t.call, "not run: an earlier call of this round needs approval"), "")
		return
	}
	if stopped(ctx) || !a.stop.start() {
		t.finish(engine.Result{Text: "not started: stopped by the user"}, engine.StatusStopped)
		return
	}
	defer a.stop.end()
	c.emit(ctx, engine.CallBegan{Call: t.call, Line: a.d.Line(t.call)})
	began := a.d.Now()
	out := &writer{mask: a.d.Live(), emit: func(text string) { c.emit(ctx, engine.CallWrote{CallID: t.call.ID, Text: text}) }}
	done := make(chan engine.Result, 1)
	engine.Go("tool "+t.call.Name, func() { done <- runTool(ctx, t, out) })
	r := a.await(ctx, done)
	out.close()
	t.finish(r, r.Status)
	t.took = a.d.Now().Sub(began)
}

// await returns the tool's result, or a stop's when the tool does not come back in time.
func (a *Agent) await(ctx context.Context, done <-chan engine.Result) engine.Result {
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
	}
	timer := time.NewTimer(abandonAfter)
	defer timer.Stop()
	select {
	case r := <-done:
		return r
	case <-timer.C:
		return engine.Result{Status: engine.StatusStopped, Text: "stopped by the user; the tool did not come back"}
	}
}

// runTool runs the tool; a panic or an error becomes a result.
func runTool(ctx context.Context, t *task, out engine.Output) (r engine.Result) {
	defer func() {
		if v := recover(); v != nil {
			r = engine.Failed(t.call, "the tool %s failed by a fault of its own: %v", t.call.Name, v)
			r.Note = "panic: " + strings.SplitN(string(debug.Stack()), "\n", 2)[0]
		}
	}()
	r, err := t.tool.Run(ctx, t.call, out)
	switch {
	case err != nil && ctx.Err() != nil:
		return engine.Result{Status: engine.StatusStopped, Text: "stopped by the user"}
	case err != nil:
		return engine.Failed(t.call, "the tool %s failed: %v", t.call.Name, err)
	}
	return r
}

// finish sets the result of t, with the call's own id and name and a text that is never empty.
func (t *task) finish(r engine.Result, s engine.Status) {
	r.CallID, r.Name = t.call.ID, t.call.Name
	if s != "" {
		r.Status = s
	}
	if r.Status == "" {
		r.Status = engine.StatusDone
	}
	if strings.TrimSpace(r.Text) == "" {
		r.Text = "(no output)"
	}
	t.result = &r
}

// answer stores the result of t in the history.
func (c *conversation) answer(ctx context.Context, t *task) {
	c.changedFiles(*t.result)
	c.add(ctx, engine.ToolMessage(*t.result, c.d.Now()))
}

// parallel reports whether the batch may run side by side (BEHAVIOUR 8.5): all calls only read, say themselves that they
// may, or write at paths that are known and touch no other call's path, links followed.
func (a *Agent) parallel(tasks []*task) bool {
	if len(tasks) < 2 {
		return false
	}
	var reads, writes []string
	for _, t := range tasks {
		if t.tool == nil {
			continue // refused already: nothing runs
		}
		var paths []string
		if toucher, ok := t.tool.(engine.Toucher); ok {
			for _, p := range toucher.Touches(t.call) {
				paths = append(paths, a.d.Real(p))
			}
		}
		if s, ok := t.tool.(engine.SideBySide); ok && s.SideBySide(t.call) {
			continue
		}
		switch t.spec.Effect {
		case engine.Reads:
			reads = append(reads, paths...)
		case engine.Writes:
			if len(paths) == 0 {
				return false
			}
			writes = append(writes, paths...)
		case engine.Executes, engine.Asks, engine.Notes:
			if b, ok := t.tool.(engine.Companion); !ok || !b.Beside() {
				return false
			}
		}
	}
	for i, w := range writes {
		for _, other := range append(append([]string(nil), reads...), writes[i+1:]...) {
			if overlap(w, other) {
				return false
			}
		}
	}
	return true
}

func overlap(a, b string) bool {
	a, b = filepath.Clean(a), filepath.Clean(b)
	return a == b || a == "." || b == "." || strings.HasPrefix(a, b+string(filepath.Separator)) || strings.HasPrefix(b, a+string(filepath.Separator))
}

// Masker takes secrets out of a text that comes in pieces. What it holds back, the half of a word that may be one, comes
// with a later piece or with Rest.
type Masker interface {
	Add(piece string) string
	Rest() string
}

// piecewise is a Masker that masks each piece alone and holds nothing back.
type piecewise func(string) string

func (mask piecewise) Add(piece string) string { return mask(piece) }
func (piecewise) Rest() string                 { return "" }

// writer passes a running tool's output on as text, whole characters at a time and masked.
type writer struct {
	mu     sync.Mutex
	mask   Masker
	emit   func(string)
	held   []byte
	closed bool
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return len(p), nil
	}
	all := append(w.held, p...)
	cut := len(all)
	for i := 1; i <= utf8.UTFMax && i <= len(all); i++ {
		if b := all[len(all)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(all[len(all)-i:]) {
				cut = len(all) - i
			}
			break
		}
	}
	text := strings.ToValidUTF8(string(all[:cut]), "\uFFFD")
	w.held = append([]byte(nil), all[cut:]...)
	w.tell(w.mask.Add(text))
	return len(p), nil
}

func (w *writer) tell(text string) {
	if text != "" {
		w.emit(text)
	}
}

// close ends the output: a tool that was left behind writes to nobody.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell(w.mask.Rest())
	w.closed = true
}

// argsObject returns the arguments of a call as an object, or an error that says what is wrong.
func argsObject(args string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	if dec.More() {
		return nil, fmt.Errorf("read the arguments: more than one value")
	}
	return v, nil
}

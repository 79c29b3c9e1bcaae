package print

import (
	"context"
	"time"

	"talaria/engine"
)

const (
	// graceTime is how long an interrupted engine may take to end its tools and store the turn.
	graceTime = 10 * time.Second
	// quietTime is how long the engine may leave a Continue without any event before that counts as its answer.
	quietTime = 2 * time.Second
	never     = 1000 * time.Hour
)

// run is one print run. It follows the engine by its events alone.
type run struct {
	d        Deps
	out      *output
	err      *notes
	turns    turns
	sent     bool // some op was sent
	script   bool // ops may still come
	bad      bool // the script had a bad line
	stopping bool // nobody waits for the turn any more
	closed   bool // the engine has ended

	session string
	route   engine.Route
	outcome *engine.Outcome // of the last turn
}

func (r *run) do(op engine.Op) {
	r.sent = true
	r.turns.sent(op)
	r.d.Engine.Do(op)
}

// loop passes ops in and events out until the work is done, the engine has ended, or an interrupt was in vain.
func (r *run) loop(ctx context.Context, ops <-chan line) {
	r.script = ops != nil
	interrupted := ctx.Done()
	timer := time.NewTimer(never)
	defer timer.Stop()
	for {
		over, unsure := r.turns.over()
		switch {
		case r.script:
		case over && (!unsure || r.stopping), r.stopping && !r.sent:
			return
		case over && !r.stopping:
			timer.Reset(quietTime)
		case !r.stopping:
			timer.Reset(never)
		}
		select {
		case l, ok := <-ops:
			if !r.take(l, ok) {
				ops = nil
			}
		case e, ok := <-r.d.Engine.Events():
			if r.closed = !ok; r.closed {
				return
			}
			r.on(e)
		case <-interrupted:
			interrupted, ops = nil, nil
			r.stop(timer)
		case <-timer.C:
			return
		}
		if r.out.gone && !r.stopping {
			ops = nil
			r.stop(timer)
		}
	}
}

// take passes one line of the script on; false when no more is read.
func (r *run) take(l line, ok bool) bool {
	if ok && l.err == nil {
		r.do(l.op)
		return true
	}
	r.script = false
	if ok {
		r.bad = true
		r.err.fault(l.err.Error())
		r.interrupt()
	}
	r.refuse()
	return false
}

// stop ends the turn because nobody waits for it any more; timer then bounds how long that may take.
func (r *run) stop(timer *time.Timer) {
	r.script, r.stopping = false, true
	r.interrupt()
	timer.Reset(graceTime)
}

func (r *run) interrupt() {
	if r.sent {
		r.d.Engine.Do(engine.Interrupt{})
	}
}

// on takes one event: what it means for the run, then what is shown of it.
func (r *run) on(e engine.Event) {
	r.turns.on(e)
	r.out.event(r.d.Now(), e)
	r.err.event(e)
	if e, ok := e.(engine.Opened); ok {
		r.session, r.route = e.Session.ID, e.Session.Route
	}
	if e, ok := e.(engine.Began); ok {
		r.route = e.Route
	}
	if e, ok := e.(engine.Ended); ok {
		r.outcome = &e.Outcome
		r.out.answer(e.Outcome)
	}
	r.refuse()
}

// refuse answers the open questions once no script can.
func (r *run) refuse() {
	if r.script {
		return
	}
	for _, op := range r.turns.refusals() {
		r.d.Engine.Do(op)
	}
}

// finish writes what is written at the end and returns the exit code; a signal wins over the outcome.
func (r *run) finish(ctx context.Context) int {
	signal := 0
	if r.d.ExitSignal != nil {
		signal = r.d.ExitSignal()
	}
	if signal == 0 && ctx.Err() != nil {
		signal = exitSignal
	}
	if r.outcome == nil && !r.sent && signal == 0 {
		if !r.bad {
			r.err.fault("standard input held no op, so nothing was done")
		}
		return exitUsage
	}
	o := r.last(signal != 0 || r.stopping)
	r.out.result(o)
	if !o.Completed && !r.out.gone {
		r.err.outcome(o)
	}
	if r.out.failure != nil {
		r.err.fault("the output could not be written: " + r.out.failure.Error())
	}
	switch {
	case signal != 0:
		return signal
	case r.bad:
		return exitUsage
	case r.out.failure != nil:
		return exitFailed
	}
	return o.ExitCode()
}

// last is the outcome of the last turn, or one that says why there is none.
func (r *run) last(interrupted bool) engine.Outcome {
	if r.outcome != nil && !r.turns.running {
		return *r.outcome
	}
	o := engine.Outcome{SessionID: r.session, Route: r.route, Exit: engine.ExitFailed}
	if interrupted {
		o.Exit, o.Interrupted = engine.ExitInterrupted, true
		return o
	}
	o.Err = &engine.Error{Reason: engine.ReasonUnknown, Code: engine.CodeInternal, Message: "the engine ended before the turn did",
		Hint: "talaria -c shows what was stored of it"}
	if !r.closed {
		o.Err.Message, o.Err.Hint = "nothing came of what was sent: there was nothing to continue", "submit a message first, or resume a session"
	}
	return o
}

package route

import (
	"context"
	"errors"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
)

// attempt is how one request went. err is nil when the reply came to its end; left when the consumer stopped reading.
// usage is what a failed attempt reported.
type attempt struct {
	err    *engine.Error
	left   bool
	usage  engine.Usage
	spoken bool // visible text that is not blank came
	called bool // a tool call came
}

// errSilent is the cause of a context that the watchdog ended.
var errSilent = errors.New("no data")

// attempt asks once and yields what comes, but for a Done that ends a reply without content: that is a failure.
func (r *route) attempt(ctx context.Context, req engine.Request, yield func(engine.Delta, error) bool) (a attempt) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := r.quiet(req.Estimate)
	// The clock runs only while the provider is asked for more, not while the consumer is busy.
	watchdog := time.AfterFunc(quiet, func() { cancel(errSilent) })
	defer watchdog.Stop()
	for d, err := range r.p.Stream(ctx, req) {
		watchdog.Stop()
		if err != nil {
			a.fail(ctx, err, quiet)
			return a
		}
		done, ended := a.note(d)
		if ended && a.empty(done.Stop) {
			a.err = &engine.Error{Reason: engine.ReasonEmptyResponse, Message: "the model sent an empty reply",
				Hint: "try again, or choose another model"}
			return a
		}
		if a.left = !yield(d, nil); a.left || ended {
			return a
		}
		watchdog.Reset(quiet)
	}
	a.fail(ctx, &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "the reply broke off before its end"}, quiet)
	return a
}

// note keeps what the verdict on the whole reply needs of d, and returns the Done that ended it.
func (a *attempt) note(d engine.Delta) (done engine.Done, ended bool) {
	switch d := d.(type) {
	case engine.TextDelta:
		a.spoken = a.spoken || strings.TrimSpace(d.Text) != ""
	case engine.CallDelta:
		a.called = true
	case engine.Retry: // of a decorator below; what came before it counts no more
		if !d.Keep {
			a.spoken, a.called = false, false
		}
	case engine.Done:
		if d.Usage != nil {
			a.usage = *d.Usage
		}
		return d, true
	case engine.ThoughtDelta, engine.OpaqueDelta:
	}
	return engine.Done{}, false
}

// empty reports whether a reply that stopped so has nothing to go on with. A reply cut by its length, a filter, a refusal
// or a pause is not repeated: the loop deals with these.
func (a *attempt) empty(s engine.Stop) bool {
	if a.spoken || a.called {
		return false
	}
	return s == engine.StopEnd || s == engine.StopCalls || s == engine.StopUnknown || s == ""
}

// fail notes err, or that the watchdog caused it.
func (a *attempt) fail(ctx context.Context, err error, quiet time.Duration) {
	if f := (*provider.Failure)(nil); errors.As(err, &f) {
		a.usage = f.Usage
	}
	a.err = engine.AsError(err)
	if errors.Is(context.Cause(ctx), errSilent) {
		a.err = silent(quiet) // not wrapping err: a cancelled context would look like the user's stop
	}
}

// quiet is how long the provider may send no data, given the estimated input tokens (RULINGS 4).
func (r *route) quiet(estimate int) time.Duration {
	const usual = 180 * time.Second
	switch {
	case r.o.NoData > 0:
		return r.o.NoData
	case estimate > 100_000:
		return usual * 27 / 10
	case estimate > 50_000:
		return usual * 17 / 10
	}
	return usual
}

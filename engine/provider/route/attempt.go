package route

import (
	"context"
	"errors"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// attempt is how one request went: done when the reply came to its end, else err; left when the consumer stopped
// reading. Usage is what the attempt reported.
type attempt struct {
	done  *engine.Done
	err   *engine.Error
	left  bool
	plain bool // asked without streaming
	usage engine.Usage

	spoken  bool // visible text that is not blank came
	thought bool // reasoning came
	called  bool // a tool call, or a piece of one, came
}

// attempt asks once and yields what comes, but for the Done: what that means is for follow to say.
func (x *exchange) attempt(ctx context.Context, yield yielder) *attempt {
	x.requests++
	key := x.v.key
	x.v.s.Pool.used(key)
	a := &attempt{plain: key.Plain != nil && x.v.s.plain.Load()}
	p := key.Model
	if a.plain {
		p = key.Plain
	}
	ctx, dog := x.v.s.watch(ctx, x.next.Estimate, a.plain)
	defer dog.leave()
	x.seam = newSeam(x.kept)
	for d, err := range p.Stream(ctx, x.next) {
		dog.stop()
		if err != nil {
			a.left = !x.flush(yield)
			a.fail(dog.blame(ctx, err))
			return a
		}
		if done, ok := d.(engine.Done); ok {
			a.left = !x.flush(yield)
			a.end(done, x.req.MayBeEmpty)
			return a
		}
		a.note(d)
		if a.left = !x.pass(d, yield); a.left {
			return a
		}
		dog.reset()
	}
	a.left = !x.flush(yield)
	a.fail(dog.blame(ctx, &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeCut, Message: "the reply broke off before its end"}))
	return a
}

// note keeps what the verdict on the attempt needs of d.
func (a *attempt) note(d engine.Delta) {
	switch d := d.(type) {
	case engine.TextDelta:
		a.spoken = a.spoken || strings.TrimSpace(d.Text) != ""
	case engine.ThoughtDelta:
		a.thought = a.thought || strings.TrimSpace(d.Text) != ""
	case engine.CallDelta:
		a.called = true
	case engine.Retry: // of a decorator below; what came before it counts no more
		if !d.Keep {
			a.spoken, a.thought, a.called = false, false, false
		}
	case engine.OpaqueDelta, engine.Done:
	}
}

// silent reports whether the user saw nothing of the attempt.
func (a *attempt) silent() bool { return !a.spoken && !a.thought && !a.called }

// end notes how the reply ended; one without content is a failure, unless the loop has what it needs.
func (a *attempt) end(d engine.Done, mayBeEmpty bool) {
	a.done = &d
	if d.Usage != nil {
		a.usage = *d.Usage
	}
	if a.empty() && !mayBeEmpty {
		a.err = &engine.Error{Reason: engine.ReasonEmptyResponse, Message: "the model sent an empty reply",
			Hint: "try again, or choose another model"}
	}
}

// empty reports whether the reply has nothing to go on with. One cut by its length, a filter, a refusal or a pause is
// not empty: it says why there is nothing.
func (a *attempt) empty() bool { return !a.spoken && !a.called && ordinary(a.done.Stop) }

// ordinary reports whether s claims that the reply is whole.
func ordinary(s engine.Stop) bool {
	return s == engine.StopEnd || s == engine.StopCalls || s == engine.StopUnknown || s == ""
}

// fail notes the error that ended the attempt.
func (a *attempt) fail(err error) {
	if f := (*provider.Failure)(nil); errors.As(err, &f) {
		a.usage = f.Usage
	}
	a.err = engine.AsError(err)
}

// dropped reports whether a connection that was there was lost. A server that cannot be reached, or stays silent until a
// clock runs out, will hardly be there the next moment: that is none.
func (a *attempt) dropped() bool {
	if a.err.Reason != engine.ReasonTimeout || a.err.Status != 0 {
		return false
	}
	var stale *provider.StaleError
	quiet := errors.Is(a.err, errSilent) || errors.As(a.err, &stale) || errors.Is(a.err, context.DeadlineExceeded)
	return !quiet && a.err.Code != engine.CodeNoConnection && a.err.Code != provider.CodeCertificate
}

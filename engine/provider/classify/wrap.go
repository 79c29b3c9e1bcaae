package classify

import (
	"context"
	"errors"
	"iter"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// Wrap returns p with *engine.Error as its only kind of error. provider is the name that hints use. No secret appears in
// a message, a hint or the text of a cause; without any secret an auth failure has the code engine.CodeNoKey.
// When the context is done, the error is of reason timeout and wraps the context's.
func Wrap(p engine.Provider, provider string, secrets ...string) engine.Provider {
	return wrapped{p, provider, newScrubber(secrets)}
}

type wrapped struct {
	inner engine.Provider
	name  string
	scrub scrubber
}

func (w wrapped) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for d, err := range w.inner.Stream(ctx, req) {
			if err != nil {
				yield(nil, w.convert(ctx, err))
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (w wrapped) convert(ctx context.Context, err error) *engine.Error {
	if cause := ctx.Err(); cause != nil {
		message := "the request was stopped"
		if errors.Is(cause, context.DeadlineExceeded) {
			message = "the request took too long"
		}
		return &engine.Error{Reason: engine.ReasonTimeout, Message: message, Err: cause}
	}
	var e *engine.Error
	var f *provider.Failure
	switch {
	case errors.As(err, &e):
		own := *e
		e = &own
	case errors.As(err, &f):
		e = judge(f, w.name)
	default:
		e = judge(&provider.Failure{Message: err.Error(), Err: err}, w.name)
	}
	if (e.Reason == engine.ReasonAuth || e.Reason == engine.ReasonAuthPermanent) && len(w.scrub.secrets) == 0 && e.Code != provider.CodeBadKey {
		e.Code, e.Hint = engine.CodeNoKey, hintNoKey.fill(w.name, "")
	}
	e.Message, e.Hint, e.Code = w.scrub.clean(e.Message), w.scrub.clean(e.Hint), w.scrub.clean(e.Code)
	if e.Err != nil {
		e.Err = masked{e.Err, w.scrub.clean(e.Err.Error())}
	}
	return e
}

// masked is a cause whose text holds no key. The cause itself stays reachable for errors.Is and errors.As.
type masked struct {
	error
	text string
}

func (m masked) Error() string { return m.text }
func (m masked) Unwrap() error { return m.error }

// Error says what f means. now for dates in headers is the clock, or the server's own Date.
func Error(f *provider.Failure) *engine.Error {
	e := judge(f, "")
	none := newScrubber(nil)
	e.Message, e.Hint = none.clean(e.Message), none.clean(e.Hint)
	return e
}

func judge(f *provider.Failure, name string) *engine.Error {
	x := factsOf(f)
	e := &engine.Error{Reason: x.reason(), Status: x.status, Code: x.code, Message: x.message, Err: f}
	switch {
	case f.Dial:
		e.Code = engine.CodeNoConnection
	case f.Cut:
		e.Code = engine.CodeCut
	}
	if e.Reason == engine.ReasonRateLimit || e.Reason == engine.ReasonOverloaded || e.Reason == engine.ReasonServerError || e.Reason == engine.ReasonBilling {
		e.After, _ = x.wait()
	}
	e.Window, e.Room = x.tokens(e.Reason)
	if x.status == 404 && f.URL != "" && !strings.Contains(e.Message, f.URL) {
		e.Message += " (called: " + f.URL + ")"
	}
	e.Hint = x.hint(e.Reason).fill(name, f.URL)
	return e
}

package classify

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync/atomic"

	"talaria/engine"
	"talaria/engine/provider"
)

// Wrap returns p with *engine.Error as its only kind of error. provider is the name that hints use. No secret appears in
// a message, a hint or the text of a cause; without any secret an auth failure has the code engine.CodeNoKey.
// When the context is done, the error is of reason timeout and wraps the context's.
func Wrap(p engine.Provider, provider string, secrets ...string) engine.Provider {
	return wrapped{p, provider, newScrubber(secrets), new(atomic.Bool)}
}

type wrapped struct {
	inner engine.Provider
	name  string
	scrub scrubber
	drops *atomic.Bool // the newest request was dropped without a word
}

func (w wrapped) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for d, err := range w.inner.Stream(ctx, req) {
			if err != nil {
				yield(nil, w.convert(ctx, req, err))
				return
			}
			w.drops.Store(false)
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (w wrapped) convert(ctx context.Context, req engine.Request, err error) *engine.Error {
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
		e = w.judge(req, f)
	default:
		e = w.judge(req, &provider.Failure{Message: err.Error(), Err: err})
	}
	if (e.Reason == engine.ReasonAuth || e.Reason == engine.ReasonAuthPermanent) && len(w.scrub.secrets) == 0 && e.Code != provider.CodeBadKey {
		e.Code, e.Hint = engine.CodeNoKey, about{provider: w.name}.fill(hintNoKey)
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
	e := factsOf(f).judged(about{url: f.URL})
	none := newScrubber(nil)
	e.Message, e.Hint = none.clean(e.Message), none.clean(e.Hint)
	return e
}

// judge says what f means for req. A request that is dropped is repeated before its size is blamed: a network fails more
// often than a server is too polite to say that a request is too long.
func (w wrapped) judge(req engine.Request, f *provider.Failure) *engine.Error {
	x := factsOf(f)
	x.size, x.again = size{req.Estimate, req.Window}, w.drops.Load()
	w.drops.Store(x.dropped())
	return x.judged(about{provider: w.name, model: req.Route.Model, url: f.URL})
}

// judged puts together what is known of the failure.
func (x *facts) judged(who about) *engine.Error {
	f := x.f
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
	e.Hint = who.fill(x.hint(e.Reason, who.provider))
	return e
}

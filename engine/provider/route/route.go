// Package route asks a model until it answers: it repeats a request that failed in a way that may pass, waits between
// attempts so that the user can cut the wait short, and gives up on a stream that sends nothing.
//
// A repeat is a Retry delta inside the stream, so the loop does not know that there are any. What is done about a reason
// is engine.PlanOf's to say; which reason a failure has is classify's. It refuses to change a request: a plan that needs
// a fix, a smaller history, another key or another provider ends here with its error.
package route

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"

	"talaria/engine"
)

// Options are the settings of a route. Zero values take the defaults: 3 attempts, 5 s doubling up to 120 s (CONTRACT 5).
// NoData 0 is 180 s, more for long requests (RULINGS 4); what is set is taken as it is. Name is the provider's, for
// Retry deltas; "" takes the request's.
type Options struct {
	Name     string
	Attempts int
	Base     time.Duration
	Max      time.Duration
	NoData   time.Duration
	Rand     func() float64 // uniform in [0, 1)
}

// patience is the longest wait that a server may ask for without the user being asked (RULINGS 5).
const patience = 120 * time.Second

// New returns p with retries and a watchdog. The errors it yields are *engine.Error.
func New(p engine.Provider, o Options) engine.Provider {
	if o.Attempts <= 0 {
		o.Attempts = 3
	}
	if o.Base <= 0 {
		o.Base = 5 * time.Second
	}
	if o.Max <= 0 {
		o.Max = 120 * time.Second
	}
	if o.Rand == nil {
		o.Rand = rand.Float64 // seeded by the runtime, so sessions do not retry in step
	}
	return &route{p, o}
}

type route struct {
	p engine.Provider
	o Options
}

// Stream yields the deltas of one attempt after another, with a Retry between them, until one ends well.
func (r *route) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for try := 1; ; try++ {
			a := r.attempt(ctx, req, yield)
			if a.left || a.err == nil {
				return
			}
			retry, err := r.plan(a, try)
			if ctx.Err() != nil {
				err = cancelled(context.Cause(ctx))
			}
			if err != nil {
				yield(nil, err)
				return
			}
			retry.Provider, retry.Model = r.name(req), req.Route.Model
			if !yield(retry, nil) {
				return
			}
			if err := wait(ctx, req, retry.After); err != nil {
				yield(nil, cancelled(err))
				return
			}
		}
	}
}

func (r *route) name(req engine.Request) string {
	if r.o.Name != "" {
		return r.o.Name
	}
	return req.Route.Provider
}

// plan returns the Retry that follows the failed attempt number try, or the error that ends the reply.
func (r *route) plan(a attempt, try int) (engine.Retry, error) {
	plan := engine.PlanOf(a.err.Reason)
	of := plan.Attempts
	if of == 0 {
		of = r.o.Attempts
	}
	switch {
	case plan.Fix != engine.FixNone: // the same request would fail in the same way
		return engine.Retry{}, a.err
	case try >= of:
		return engine.Retry{}, exhausted(a.err, try)
	case a.err.After > patience:
		return engine.Retry{}, tooLong(a.err)
	}
	return engine.Retry{Err: a.err, Action: engine.ActionRetry, Try: try + 1, Of: of, After: r.delay(a.err.After, try), Usage: a.usage}, nil
}

// delay is how long to wait after attempt number try. What the server asks for is exact plus at most a second; only
// computed delays are spread widely (BEHAVIOUR 4.3, RULINGS 5).
func (r *route) delay(asked time.Duration, try int) time.Duration {
	if asked > 0 {
		return asked + time.Duration(r.o.Rand()*float64(time.Second))
	}
	d := r.o.Base
	for i := 1; i < try && d < r.o.Max; i++ {
		d *= 2
	}
	d = min(d, r.o.Max)
	return d + time.Duration(r.o.Rand()*0.5*float64(d))
}

// wait sleeps for d by the request's own Wait, which the user can cut short, or a timer.
func wait(ctx context.Context, req engine.Request, d time.Duration) error {
	if req.Wait != nil {
		return req.Wait(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

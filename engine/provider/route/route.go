// Package route asks a model until it answers: it repeats a request that failed in a way that may pass, reconnects when
// a connection drops, has the model go on where its reply was cut, asks again for a tool call that was cut, waits
// between attempts so that the user can cut the wait short, and gives up on a stream that sends nothing.
//
// Each further request is a Retry delta inside the stream, so the loop does not know that there are any. What the user
// has seen stays where the reply can go on from it (Keep); what a dead attempt said of a tool call never does. What is
// done about a reason is engine.PlanOf's to say; which reason a failure has is classify's. Everything is counted, and
// nothing is repeated without a bound. Of a request it changes only what such a repeat needs: the partial reply at its
// end, the output cap, streaming. It refuses any other change: a plan that needs a fix, a smaller history, another key
// or another provider ends here with its error.
package route

import (
	"context"
	"iter"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"talaria/engine"
)

// Options are the settings of a route. Zero values take the defaults: 3 attempts, 5 s doubling up to 120 s (CONTRACT 5).
// NoData 0 is 180 s, more for long requests (RULINGS 4); what is set is taken as it is. Name is the provider's, for
// Retry deltas; "" takes the request's. Plain asks the same model without streaming, for servers that refuse to stream;
// nil where there is no such way.
type Options struct {
	Name     string
	Attempts int
	Base     time.Duration
	Max      time.Duration
	NoData   time.Duration
	Rand     func() float64 // uniform in [0, 1)
	Plain    engine.Provider
}

// New returns p with retries, continuations and a watchdog. The errors it yields are *engine.Error. What it learns of
// the server (that it refuses to stream) it knows for as long as the value lives.
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
	return &route{p: p, o: o}
}

type route struct {
	p     engine.Provider
	o     Options
	plain atomic.Bool // the server refused to stream
}

// Stream yields the deltas of one attempt after another, with a Retry between them, until the reply is whole.
func (r *route) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		x := exchange{r: r, req: req, next: req, cap: outputCap{asked: req.MaxTokens}}
		x.run(ctx, yield)
	}
}

func (r *route) name(req engine.Request) string {
	if r.o.Name != "" {
		return r.o.Name
	}
	return req.Route.Provider
}

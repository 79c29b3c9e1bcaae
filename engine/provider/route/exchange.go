package route

import (
	"context"
	"time"

	"talaria/engine"
)

// How often each kind of further request is made within one reply (BEHAVIOUR 4.6, 4.8). Failures that are none of these
// are counted by Options.Attempts, for each key.
const (
	maxReconnects    = 2
	maxContinuations = 3
	maxReasks        = 3
)

// exchange is one reply: the requests made for it so far, and what the consumer holds of it.
type exchange struct {
	t      *turn
	c      *Chain
	req    engine.Request // as the loop made it
	next   engine.Request // as it is asked next
	said   engine.Fold    // what the consumer holds
	kept   string         // the text that next goes on from; "" when it begins anew
	why    cause          // why that text ended
	seam   *seam
	cap    outputCap
	visits map[int]*visit // by station
	v      *visit         // where next is asked

	failed     int // attempts that ended in an error
	reconnects int
	continued  int
	reasked    int
	silences   int  // continuations that came back empty
	declined   bool // a refusal was passed on to another provider
	requests   int
	offline    bool // the network is waited for
	outages    int
	polls      int      // requests made to see whether the network is back
	looked     int      // of these, in this outage
	before     []string // what became of the stations that the chain went on from
}

type yielder = func(engine.Delta, error) bool

// run asks until the reply is whole, nothing more can be done, or the consumer leaves.
func (x *exchange) run(ctx context.Context, yield yielder) {
	at, why := x.t.begin(time.Now())
	x.enter(at)
	x.next = x.request()
	if why != nil && !yield(x.again(*x.goneOn(why), engine.Usage{}), nil) {
		return
	}
	for {
		a := x.attempt(ctx, yield)
		if a.left {
			return
		}
		retry, err := x.follow(ctx, a)
		switch {
		case retry == nil && err == nil:
			x.worked()
			yield(*a.done, nil)
			return
		case ctx.Err() != nil:
			err = cancelled(context.Cause(ctx))
		}
		if err != nil {
			x.logEnd(err)
			yield(nil, billed(err, a.usage))
			return
		}
		if !yield(x.again(*retry, a.usage), nil) {
			return
		}
		if err := wait(ctx, x.req, retry.After); err != nil {
			yield(nil, cancelled(err))
			return
		}
	}
}

// follow says what follows an attempt: a further request, an error that ends the reply, or neither when a.done ends it.
func (x *exchange) follow(ctx context.Context, a *attempt) (*engine.Retry, error) {
	if a.err != nil {
		return x.afterFailure(ctx, a)
	}
	return x.afterEnd(a)
}

// enter makes station i the one that is asked.
func (x *exchange) enter(i int) {
	v := x.visits[i]
	if v == nil {
		v = &visit{at: i, s: x.c.stations[i], key: x.t.key(i, time.Now()), free: map[string]time.Time{}}
		x.visits[i] = v
	}
	x.v = v
	x.t.use(i, v.key)
}

// worked tells pool and station that they did.
func (x *exchange) worked() {
	x.v.s.worked()
	x.v.s.Pool.worked(x.v.key)
	for _, f := range x.v.fixed {
		if f.why.Window == 0 { // what depends on how long this history is, is found anew
			x.v.s.remember(f)
		}
	}
}

// again completes the retry and makes the request that it stands for.
func (x *exchange) again(retry engine.Retry, used engine.Usage) engine.Retry {
	if retry.Action == engine.ActionContinue {
		x.why = dropped
		if retry.Err.Code == engine.CodeOutputLimit {
			x.why = limited
		}
	}
	x.said.Add(retry)
	x.kept = ""
	if retry.Keep {
		x.kept = x.text()
	}
	x.next = x.request()
	retry.Usage, retry.Provider, retry.Model = used, x.name(), x.next.Route.Model
	x.logRetry(retry)
	return retry
}

// name is the provider that is asked.
func (x *exchange) name() string {
	switch {
	case x.v.s.Route.Provider != "":
		return x.v.s.Route.Provider
	case x.c.o.Name != "":
		return x.c.o.Name
	}
	return x.req.Route.Provider
}

// text is the visible text that the consumer holds.
func (x *exchange) text() string { return x.said.Message(time.Time{}).Text() }

// tell yields d and keeps account of it.
func (x *exchange) tell(d engine.Delta, yield yielder) bool {
	x.said.Add(d)
	return yield(d, nil)
}

// pass yields d, its text joined to what was kept.
func (x *exchange) pass(d engine.Delta, yield yielder) bool {
	switch t := d.(type) {
	case engine.TextDelta:
		t.Text = x.seam.add(t.Text)
		return t.Text == "" || x.tell(t, yield)
	case engine.ThoughtDelta:
		if t == (engine.ThoughtDelta{}) {
			return yield(d, nil) // a sign of life
		}
	case engine.CallDelta, engine.OpaqueDelta, engine.Retry, engine.Done:
	}
	return x.flush(yield) && x.tell(d, yield)
}

// flush yields the text that still waited for more.
func (x *exchange) flush(yield yielder) bool {
	text := x.seam.end()
	return text == "" || x.tell(engine.TextDelta{Text: text}, yield)
}

package route

import (
	"context"
	"slices"
	"time"

	"talaria/engine"
)

const (
	// patience is the longest wait that a server may ask for without the user being asked (RULINGS 5).
	patience = 120 * time.Second
	// brief is the longest wait that a server may ask for while another key or provider is there (RULINGS 5).
	brief = 10 * time.Second
)

// plan returns the Retry that follows a failure which is neither gone on from nor reconnected after, or the error that
// ends the reply: mend the request, ask again here, take another key, go on with another provider, wait for whoever is
// free first, and give up, in this order.
func (x *exchange) plan(ctx context.Context, a *attempt) (*engine.Retry, error) {
	e, plan := a.err, engine.PlanOf(a.err.Reason)
	x.v.tries++
	x.blame(e)
	if x.offline && e.Code == engine.CodeNoConnection && x.polls < maxPolls {
		return x.poll(e), nil
	}
	x.offline = false
	if retry := x.fix(e, plan); retry != nil {
		return retry, nil
	}
	if plan.Compress {
		return nil, e // a smaller history is the loop's to make
	}
	if retry := x.reread(e); retry != nil {
		return retry, nil
	}
	of := x.attempts(plan)
	spare, others := x.spare(plan)
	further := x.further(plan)
	elsewhere := others > 0 || further >= 0
	switch {
	case x.v.tries < of && e.After <= patience && (!elsewhere || e.After <= brief && x.v.tries <= sameKey(e.Reason, of)):
		return x.here(e, of), nil
	case others > 0:
		return x.rotate(e, spare, 0), nil
	case further >= 0:
		return x.fallBack(e, further), nil
	}
	return x.lastly(ctx, a, of)
}

// attempts is how often the same request is worth making with one key.
func (x *exchange) attempts(plan engine.Plan) int {
	switch {
	case plan.Fix != engine.FixNone:
		return 1 // what was not mended fails in the same way
	case plan.Attempts > 0:
		return min(plan.Attempts, x.c.o.Attempts)
	}
	return x.c.o.Attempts
}

// sameKey is how often a request is repeated with the same key while another key or provider is there: a burst is over in
// a moment, an overload may be, and an empty reply is how some servers say that they are overloaded.
func sameKey(r engine.Reason, of int) int {
	switch r {
	case engine.ReasonRateLimit, engine.ReasonOverloaded:
		return 1
	case engine.ReasonEmptyResponse:
		return 0
	}
	return of
}

// blame tells the pool what the key did, and keeps when it may be asked again.
func (x *exchange) blame(e *engine.Error) {
	now := time.Now()
	if e.Status != 0 {
		x.v.s.answered.Store(true)
	}
	x.v.gone = e.Code == engine.CodeNoConnection
	x.v.s.Pool.failed(x.v.key, e, now)
	if id := x.v.key.ID; !slices.Contains(x.v.tried, id) {
		x.v.tried = append(x.v.tried, id)
	}
	if e.Reason == engine.ReasonRateLimit && e.After > 0 {
		x.v.free[x.v.key.ID] = now.Add(e.After)
	}
}

// here repeats the request where it failed.
func (x *exchange) here(e *engine.Error, of int) *engine.Retry {
	return &engine.Retry{Err: e, Action: engine.ActionRetry, Try: x.v.tries + 1, Of: of, After: x.c.delay(e.After, x.v.tries)}
}

// reread reads the keys again from where they come, once a station, after one was refused: it may have been replaced
// meanwhile.
func (x *exchange) reread(e *engine.Error) *engine.Retry {
	if e.Reason != engine.ReasonAuth || x.v.reread || x.v.s.Reload == nil {
		return nil
	}
	x.v.reread = true
	for _, k := range x.v.s.Reload() {
		if k.Name == x.v.key.Name && k.ID != x.v.key.ID {
			return x.rotate(e, k, 0)
		}
	}
	return nil
}

// spare returns a key that was not tried yet, and how many there are.
func (x *exchange) spare(plan engine.Plan) (Key, int) {
	if !plan.Rotate {
		return Key{}, 0
	}
	k, n, _ := x.v.s.Pool.pick(x.v.s.Keys, time.Now(), func(k Key) bool { return !slices.Contains(x.v.tried, k.ID) })
	return k, n
}

// rotate goes on with another key of the same provider after d.
func (x *exchange) rotate(e *engine.Error, k Key, d time.Duration) *engine.Retry {
	x.v.key, x.v.tries = k, 0
	x.v.s.Pool.take(k)
	x.t.use(x.v.at, k)
	n := len(x.v.tried)
	return &engine.Retry{Err: e, Action: engine.ActionRotate, Try: n + 1, Of: max(n+1, len(x.v.s.Keys)), After: d, Key: k.Name}
}

// further returns the next station that was not asked for this reply, does not rest, and, where there is a choice, takes
// in as much as the request holds; -1 when there is none.
func (x *exchange) further(plan engine.Plan) int {
	if !plan.Fallback {
		return -1
	}
	first := -1
	for i := x.v.at + 1; i < len(x.c.stations); i++ {
		s := x.c.stations[i]
		if until, _ := s.resting(time.Now()); x.visits[i] != nil || !until.IsZero() {
			continue
		}
		if s.Window == 0 || x.req.Estimate < s.Window {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// fallBack goes on with station i, which says the reply from its beginning: no model goes on in another's words.
func (x *exchange) fallBack(e *engine.Error, i int) *engine.Retry {
	x.v.s.leave(e, time.Now())
	x.before = append(x.before, x.name()+" "+string(e.Reason))
	x.enter(i)
	return x.goneOn(e)
}

// goneOn is the Retry that says that the station in use now was changed to.
func (x *exchange) goneOn(e *engine.Error) *engine.Retry {
	route := x.request().Route
	return &engine.Retry{Err: e, Action: engine.ActionFallback, Try: x.v.at + 1, Of: len(x.c.stations), Route: &route, Key: x.v.key.Name}
}

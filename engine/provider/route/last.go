package route

import (
	"context"
	"errors"
	"net"
	"slices"
	"syscall"
	"time"

	"talaria/engine"
)

// The bounds of an outage: how often in one reply the network may go, and how often in all it is looked whether it is
// back, which is about a day.
const (
	maxOutages = 3
	maxPolls   = 720
)

// lastly is for when no key and no provider is left that was not asked: wait for the network, or for whoever is free
// first; what takes longer than the user's patience is offered.
func (x *exchange) lastly(ctx context.Context, a *attempt, of int) (*engine.Retry, error) {
	e := a.err
	if x.c.o.Attended && x.outages < maxOutages && x.lost(e) {
		return x.outage(e), nil
	}
	at, key, until := x.soonest()
	back := !until.IsZero()
	d := max(0, time.Until(until))
	if stay := x.v.tries < of; stay && (!back || e.After <= d) {
		back, d = false, e.After
	} else if !back {
		return nil, x.exhausted(a)
	}
	if d > patience && (x.req.Offer == nil || !x.req.Offer(ctx, e, d)) {
		return nil, tooLong(e, d)
	}
	if !back {
		x.v.back = append(x.v.back, x.v.key.ID)
		return x.here(e, of), nil
	}
	return x.comeBack(e, at, key, d), nil
}

// soonest is the key that may be asked again first of those that were limited and not yet come back to, here or at any
// station; the zero time when there is none.
func (x *exchange) soonest() (at int, key Key, until time.Time) {
	better := func(i int, k Key, t time.Time) {
		if until.IsZero() || t.Before(until) {
			at, key, until = i, k, t
		}
	}
	for i, s := range x.c.stations {
		v := x.visits[i]
		if v == nil {
			if t, _ := s.resting(time.Now()); !t.IsZero() {
				better(i, x.t.key(i, time.Now()), t)
			}
			continue
		}
		for _, k := range s.Keys {
			here := i == x.v.at && k.ID == x.v.key.ID // whoever is asked now has its own attempts
			if t, ok := v.free[k.ID]; ok && !here && !slices.Contains(v.back, k.ID) {
				better(i, k, t)
			}
		}
	}
	return at, key, until
}

// comeBack asks with a key that was limited, once it is free.
func (x *exchange) comeBack(e *engine.Error, at int, k Key, d time.Duration) *engine.Retry {
	moved := at != x.v.at
	x.enter(at)
	x.v.back = append(x.v.back, k.ID)
	retry := x.rotate(e, k, d+x.c.spread())
	x.v.tries = x.c.o.Attempts - 1 // once, and not from the beginning
	if moved {
		to := x.goneOn(e)
		to.After = retry.After
		return to
	}
	return retry
}

// lost reports whether e says that this machine has no network, or that a server is gone which was there before. A name
// that does not exist, or a server that never answered, is a mistake in the settings: waiting mends nothing.
func (x *exchange) lost(e *engine.Error) bool {
	if e.Code != engine.CodeNoConnection {
		return false
	}
	var dns *net.DNSError
	if errors.As(e, &dns) && !dns.IsNotFound {
		return true
	}
	for _, gone := range []error{syscall.ENETUNREACH, syscall.ENETDOWN, syscall.EHOSTUNREACH} {
		if errors.Is(e, gone) {
			return true
		}
	}
	return x.v.s.answered.Load()
}

// outage begins to wait for the network. The first station that could not be reached is asked when it is back, and all
// have their attempts again.
func (x *exchange) outage(e *engine.Error) *engine.Retry {
	x.outages++
	x.offline, x.looked = true, 0
	first := x.v.at
	for i, v := range x.visits {
		if v.gone {
			first = min(first, i)
		}
	}
	moved := first != x.v.at
	x.visits = map[int]*visit{}
	x.enter(first)
	retry := x.poll(e)
	if moved {
		retry.Route, retry.Action = x.goneOn(e).Route, engine.ActionFallback
	}
	return retry
}

// poll waits before it is looked again whether the network is back. There is no saying how often that will be.
func (x *exchange) poll(e *engine.Error) *engine.Retry {
	x.polls++
	x.looked++
	own := *e
	own.Code, own.Err = engine.CodeOffline, e
	return &engine.Retry{Err: &own, Action: engine.ActionRetry, After: x.c.delay(0, x.looked)}
}

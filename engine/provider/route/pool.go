package route

import (
	"slices"
	"sync"
	"time"

	"talaria/engine"
)

// The strategies of a pool (config credential_pool.strategy). The first usable key in the order of the configuration; the
// one that was taken longest ago; the one that made the fewest requests.
const (
	FillFirst  = "fill_first"
	RoundRobin = "round_robin"
	LeastUsed  = "least_used"
)

// How long a key rests after a failure that was its own, when the server names no time (BEHAVIOUR 9.9).
const (
	restAfterAuth  = 5 * time.Minute
	restAfterOther = time.Hour
)

// Key is one credential of a provider, and what asks with it. Name is where it comes from, as the user knows it
// ("$OPENAI_API_KEY"); ID tells values apart without being one. Plain asks without streaming, nil where there is no such way.
type Key struct {
	Name, ID string
	Model    engine.Provider
	Plain    engine.Provider
}

// Pool is what is known of the keys of one provider, for as long as the program runs. All that ask this provider share
// it. The zero value is ready and fills first. It is safe for concurrent use.
type Pool struct {
	Strategy string

	mu     sync.Mutex
	known  map[string]*holding // by Key.ID
	choice int                 // how often a key was chosen
}

type holding struct {
	uses, chosen int
	rests        time.Time // until then
}

func (p *Pool) of(id string) *holding {
	h, ok := p.known[id]
	if !ok {
		h = &holding{}
		if p.known == nil {
			p.known = map[string]*holding{}
		}
		p.known[id] = h
	}
	return h
}

// choose returns the key to begin with. When all rest, it is the one that is free first: a key that may work is better
// than none.
func (p *Pool) choose(keys []Key, now time.Time) Key {
	k, _, ok := p.pick(keys, now, func(Key) bool { return true })
	if ok {
		return k
	}
	return slices.MinFunc(keys, func(a, b Key) int { return p.until(a).Compare(p.until(b)) })
}

// pick returns the best of the keys that fit and do not rest.
func (p *Pool) pick(keys []Key, now time.Time, fits func(Key) bool) (best Key, left int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, k := range keys {
		h := p.of(k.ID)
		if now.Before(h.rests) || !fits(k) {
			continue
		}
		left++
		if b := p.of(best.ID); !ok || p.Strategy == RoundRobin && h.chosen < b.chosen || p.Strategy == LeastUsed && h.uses < b.uses {
			best, ok = k, true
		}
	}
	return best, left, ok
}

func (p *Pool) until(k Key) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of(k.ID).rests
}

// take notes that k was chosen.
func (p *Pool) take(k Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.choice++
	p.of(k.ID).chosen = p.choice
}

// used notes a request with k.
func (p *Pool) used(k Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(k.ID).uses++
}

// worked ends the rest of k.
func (p *Pool) worked(k Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(k.ID).rests = time.Time{}
}

// failed has k rest when e is its own fault, and says until when.
func (p *Pool) failed(k Key, e *engine.Error, now time.Time) {
	rest := e.After
	switch e.Reason {
	case engine.ReasonAuth, engine.ReasonAuthPermanent:
		rest = restAfterAuth
	case engine.ReasonBilling, engine.ReasonRateLimit:
		if rest <= 0 {
			rest = restAfterOther
		}
	default:
		return // the server's fault, or the request's
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(k.ID).rests = now.Add(rest)
}

package route

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"talaria/engine"
)

// Station is one model at one address, with the keys that may be used there: at least one, an empty one where the server
// wants none. Pool nil is one of its own. A zero Route leaves the request's. MaxTokens is the user's output cap for the
// model, Window what it takes in, both in tokens and 0 when unknown. Reload reads the keys again from where they come; nil
// when they cannot change.
type Station struct {
	Route     engine.Route
	Keys      []Key
	Pool      *Pool
	MaxTokens int
	Window    int
	NoData    time.Duration
	Reload    func() []Key
}

// How long a provider that limits the rate is left alone after the chain went on without it: doubling with each time in
// a row (BEHAVIOUR 9.10).
const (
	leastRest   = time.Minute
	longestRest = 4 * time.Hour
)

// station is a Station with what was learnt of it.
type station struct {
	Station
	plain    atomic.Bool // the server refused to stream
	answered atomic.Bool // it was there once

	mu    sync.Mutex
	rests time.Time // the next turn begins without it until then
	hits  int       // how often in a row it was left for its rate limit
	why   *engine.Error
	fixes []fix // what its model needs of every request
}

// fix is a change to requests that a server once demanded.
type fix struct {
	what engine.Fix
	why  *engine.Error
}

// leave notes that the chain goes on without s because of e. Only a rate limit makes it rest: whatever else was wrong may
// be mended by the next turn.
func (s *station) leave(e *engine.Error, now time.Time) {
	if e.Reason != engine.ReasonRateLimit {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := leastRest << min(s.hits, 8)
	if e.After > 0 {
		rest = e.After
	}
	s.hits++
	s.rests, s.why = now.Add(min(rest, longestRest)), e
}

// worked ends the rest.
func (s *station) worked() {
	s.answered.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rests, s.hits, s.why = time.Time{}, 0, nil
}

// resting returns until when s is left alone, and why; the zero time when it is not.
func (s *station) resting(now time.Time) (time.Time, *engine.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.rests) {
		return s.rests, s.why
	}
	return time.Time{}, nil
}

// remember has every later request changed by f, too: the same history comes back with each.
func (s *station) remember(f fix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.ContainsFunc(s.fixes, func(g fix) bool { return g.what == f.what }) {
		s.fixes = append(s.fixes, f)
	}
}

func (s *station) needs() []fix {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.fixes)
}

// visit is what one reply has done at a station.
type visit struct {
	at     int
	s      *station
	key    Key
	tries  int // counted failures with this key
	tried  []string
	back   []string // keys that were waited for and asked once more
	fixed  []fix
	gone   bool                 // it could not be reached
	free   map[string]time.Time // when a key that was limited may be asked again
	reread bool                 // its keys were read again from where they come
}

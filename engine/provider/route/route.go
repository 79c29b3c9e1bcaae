// Package route asks a model until it answers: it repeats a request that failed in a way that may pass, reconnects when
// a connection drops, has the model go on where its reply was cut, asks again for a tool call that was cut, takes another
// key when one is refused or limited, mends what a server will not take, goes on with the next provider of a chain, waits
// between attempts so that the user can cut the wait short, and gives up on a stream that sends nothing.
//
// Each further request is a Retry delta inside the stream, so the loop need not know why there are any. What the user
// has seen stays where the reply can go on from it (Keep); what a dead attempt said of a tool call never does. What is
// done about a reason is engine.PlanOf's to say; which reason a failure has is classify's; how a request is mended
// is Options.Mend's. Everything is counted, each count only grows, and none goes past its bound, so no run of failures is
// without an end (Chain.Most). It refuses to make a history smaller: a request that does not fit ends here with its
// error, for the loop to compress.
package route

import (
	"context"
	"iter"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"talaria/engine"
)

// Options are the settings of a route. Zero values take the defaults: 3 attempts, 5 s doubling up to 120 s (CONTRACT 5).
// Attended: somebody watches, so that a network which is gone is waited for. Mend makes the change of a plan to a request and
// reports whether it changed anything; nil where nothing is mended. Log gets a line for every further request.
//
// Name, NoData and Plain are those of the one place that New asks. NoData 0 is 180 s, more for long requests (RULINGS 4);
// what is set is taken as it is. Name is the provider's, for Retry deltas; "" takes the request's.
type Options struct {
	Attempts int
	Base     time.Duration
	Max      time.Duration
	Rand     func() float64 // uniform in [0, 1)
	Attended bool
	Mend     func(f engine.Fix, r engine.Request, e *engine.Error) (engine.Request, bool)
	Log      *slog.Logger

	Name   string
	NoData time.Duration
	Plain  engine.Provider
}

func (o Options) filled() Options {
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
		o.Rand = rand.Float64 // seeded by the runtime, so that programs which start together do not retry in step
	}
	if o.Mend == nil {
		o.Mend = func(_ engine.Fix, r engine.Request, _ *engine.Error) (engine.Request, bool) { return r, false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// New returns p with retries, continuations and a watchdog: a chain of one place with one key.
func New(p engine.Provider, o Options) *Chain {
	return NewChain([]Station{{Keys: []Key{{Model: p, Plain: o.Plain}}, NoData: o.NoData}}, o)
}

// Chain asks its stations: the first, and when it fails the others in order. It knows what it learnt of them for as long
// as it lives. Its Turn begins at the first again.
type Chain struct {
	stations []*station
	o        Options
}

// NewChain returns the chain of these stations; there is at least one.
func NewChain(stations []Station, o Options) *Chain {
	c := &Chain{o: o.filled()}
	for _, s := range stations {
		if s.Pool == nil {
			s.Pool = &Pool{}
		}
		c.stations = append(c.stations, &station{Station: s})
	}
	return c
}

// Most is how many requests one reply can take, whatever goes wrong. While somebody watches, the network may go three
// times and all begin again, and it is looked 720 times in all whether it is back.
func (c *Chain) Most() int {
	const mends, cap = 4, 1 // the fixes of engine.Fix that change a request; a raised output cap taken back
	once := 0
	for _, s := range c.stations {
		keys := len(s.Keys)
		once += (keys+1)*c.o.Attempts + keys + mends + 1 // each key and one that was read again; come back to; streaming given up
	}
	more := maxReconnects + maxContinuations + maxReasks + cap
	if c.o.Attended {
		return more + (1+maxOutages)*once + maxPolls
	}
	return more + once
}

// Stream is a turn of one request.
func (c *Chain) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return c.Turn().Stream(ctx, req)
}

// Turn returns a provider for the requests of one turn, made one after another. The first asks the first station that
// does not rest; once the chain went on to another, the later ones begin there. The errors it yields are *engine.Error.
func (c *Chain) Turn() engine.Provider { return &turn{c: c, at: -1, keys: map[int]Key{}} }

type turn struct {
	c    *Chain
	mu   sync.Mutex
	at   int         // the station that is asked; -1 before the first request
	keys map[int]Key // in use at a station: one key serves a turn for as long as it can, which keeps caches warm
}

// Stream yields the deltas of one attempt after another, with a Retry between them, until the reply is whole.
func (t *turn) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		x := &exchange{t: t, c: t.c, req: req, cap: outputCap{asked: req.MaxTokens}, visits: map[int]*visit{}}
		x.run(ctx, yield)
	}
}

// begin says where a reply begins, and when the first station is passed over because it rests, why.
func (t *turn) begin(now time.Time) (at int, why *engine.Error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at >= 0 {
		return t.at, nil
	}
	_, why = t.c.stations[0].resting(now)
	for i, s := range t.c.stations {
		if until, _ := s.resting(now); until.IsZero() {
			t.at = i
			if i == 0 {
				why = nil
			}
			return i, why
		}
	}
	t.at = 0 // all rest: the first may be free by now, and only a request tells
	return 0, nil
}

// key returns the key that is in use at station i.
func (t *turn) key(i int, now time.Time) Key {
	t.mu.Lock()
	defer t.mu.Unlock()
	k, ok := t.keys[i]
	if !ok {
		s := t.c.stations[i]
		k = s.Pool.choose(s.Keys, now)
		s.Pool.take(k)
		t.keys[i] = k
	}
	return k
}

// use makes station i, and key there, what the next request of the turn begins with.
func (t *turn) use(i int, k Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at, t.keys[i] = i, k
}

package dial

import (
	"context"
	"path/filepath"
	"sync"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/provider/probe"
)

// Windows knows how much a model can take in: what the user set, what the server itself said, what an overflow taught,
// what the catalogue has, in this order. A server is asked beside the turn, never before it. Safe for concurrent use.
type Windows struct {
	path    string // where what was learned is kept
	learned probe.Learned

	mu    sync.Mutex
	asked map[string]answer // by base URL and model
}

type answer struct {
	tokens int
	how    string
}

// NewWindows returns what is kept in the state directory of p.
func NewWindows(p config.Paths) *Windows {
	w := &Windows{path: filepath.Join(p.State, "windows.json"), asked: map[string]answer{}}
	_ = w.learned.Load(w.path) // what cannot be read is learned again
	return w
}

// Of returns the window of r's model in tokens, 0 when nobody knows it.
func (w *Windows) Of(r config.Resolved, info catalog.ModelInfo) int {
	w.mu.Lock()
	said := w.asked[r.Route.BaseURL+" "+r.Route.Model]
	w.mu.Unlock()
	switch {
	case r.Window > 0:
		return r.Window
	case said.tokens > 0 && probe.Firm(said.how):
		return said.tokens
	}
	if n, ok := w.learned.Get(r.Route.BaseURL, r.Route.Model); ok {
		return n
	}
	if said.tokens > 0 {
		return said.tokens
	}
	return info.Window
}

// Ask asks r's server in the background, once, and again while its answer is not firm: a local server tells the real
// window only when the model is loaded. An address that was only typed (--base-url) is not asked unbidden: it gets the
// requests that the user made and no others, and its window is learned from its own overflow.
func (w *Windows) Ask(ctx context.Context, r config.Resolved) {
	key := r.Route.BaseURL + " " + r.Route.Model
	w.mu.Lock()
	said, before := w.asked[key]
	_, named := catalog.Provider(r.Route.Provider)
	if r.Window > 0 || !named || r.Route.Provider == DemoProvider || before && (said.tokens == 0 || probe.Firm(said.how)) {
		w.mu.Unlock()
		return
	}
	w.asked[key] = said
	w.mu.Unlock()
	engine.Go("ask for the window", func() {
		n, how, err := probe.Window(ctx, endpoint(r), r.Route.Model)
		if err != nil || n == 0 {
			return // a server that does not know is no trouble
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked[key] = answer{n, how}
	})
}

// Learn takes the limit that an overflow told, when it is lower than what was believed.
func (w *Windows) Learn(r engine.Route, believed int, e *engine.Error) {
	if e == nil || e.Window <= 0 || believed > 0 && e.Window >= believed {
		return
	}
	w.learned.Put(r.BaseURL, r.Model, e.Window)
	_ = w.learned.Save(w.path) // what cannot be kept is learned again
}

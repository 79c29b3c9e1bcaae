// Package dial makes what the program asks models through: the provider stack of a resolved route, the table of wire
// protocols, the windows of models, and the connections that a user can choose from.
//
// It puts the parts of engine/provider together with what the configuration and the catalogue know. It refuses to know of
// sessions, turns and the screen: who dials says what is asked.
package dial

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/catalog"
	"talaria/engine/config"
	"talaria/engine/image"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/coax"
	"talaria/engine/provider/demo"
	"talaria/engine/provider/route"
	"talaria/engine/provider/textcalls"
	"talaria/engine/provider/think"
)

// DemoProvider is the name of the built-in offline model.
const DemoProvider = "demo"

// Options are what all stacks of a program share. Attended: somebody watches and can be asked to wait. Log may be nil.
type Options struct {
	Attended bool
	Log      *slog.Logger
}

// Dialer makes provider stacks. It keeps what is known of keys, which ones rest and which were used how often, for as
// long as the program runs. It is safe for concurrent use.
type Dialer struct {
	resolver config.Resolver
	o        Options

	mu    sync.Mutex
	pools map[string]*route.Pool // by provider and address
	aux   map[string]task        // side tasks, by name
}

// New returns a dialer for what the resolver finds.
func New(r config.Resolver, o Options) *Dialer {
	return &Dialer{resolver: r, o: o, pools: map[string]*route.Pool{}, aux: map[string]task{}}
}

// Build makes the provider stack of a conversation's model: the wire, what went wrong on it, the scrubber, and around all
// the retries, the other keys and the fallbacks.
func (d *Dialer) Build(r config.Resolved) (engine.Provider, error) {
	if r.Route.Provider == DemoProvider {
		return think.Wrap(demo.New()), nil
	}
	more, _ := d.resolver.Fallbacks() // Skipped tells of those that are left out
	return d.chain(r, more, d.o.Attended)
}

// Skipped says which fallbacks, and which models of side tasks, cannot be asked, and why.
func (d *Dialer) Skipped() []error {
	_, skipped := d.resolver.Fallbacks()
	side := d.resolver.Config.Auxiliary
	for _, t := range []struct {
		name string
		own  config.Aux
	}{{engine.TaskCompression, side.Compression}, {engine.TaskTitle, side.Title}, {engine.TaskReview, side.Review}} {
		if t.own.Provider == "" {
			continue // the turn's model, or another at its address
		}
		if _, _, err := d.resolver.Auxiliary(t.name, engine.Route{}); err != nil {
			skipped = append(skipped, fmt.Errorf("auxiliary.%s names a model that cannot be asked, and no other is asked instead: %w", t.name, err))
		}
	}
	return skipped
}

// chain puts first and the fallbacks behind it in a row. What would ask the same model with the same key again is left out.
func (d *Dialer) chain(first config.Resolved, more []config.Resolved, attended bool) (*route.Chain, error) {
	var stations []route.Station
	seen := map[string]bool{}
	for i, r := range append([]config.Resolved{first}, more...) {
		same := r.Route.BaseURL + " " + r.Route.Model + " " + idOf(string(r.Key))
		if seen[same] || i > 0 && r.Route.Provider == DemoProvider {
			continue
		}
		seen[same] = true
		s, err := d.station(r)
		if err != nil {
			return nil, err
		}
		stations = append(stations, s)
	}
	cfg := d.resolver.Config
	return route.NewChain(stations, route.Options{Attempts: cfg.Agent.APIMaxRetries, Base: cfg.Retry.BaseSeconds.Duration(),
		Max: cfg.Retry.MaxSeconds.Duration(), Attended: attended, Log: d.o.Log, Mend: mend}), nil
}

// mend changes a request that a server refused as the plan for its failure says.
func mend(f engine.Fix, r engine.Request, e *engine.Error) (engine.Request, bool) {
	return provider.Fix(f, r, e, func(data []byte) ([]byte, string, error) { return image.Prepare(data, image.Refused) })
}

// station is the place where r is asked, with each of its keys.
func (d *Dialer) station(r config.Resolved) (route.Station, error) {
	wire, err := modeOf(r.Route.APIMode)
	if err != nil {
		return route.Station{}, err
	}
	info, _ := catalog.Model(r.Route.Provider, r.Route.Model)
	window := r.Window
	if window == 0 {
		window = info.Window
	}
	return route.Station{Route: r.Route, Keys: d.keysOf(wire, r), Pool: d.pool(r.Route), MaxTokens: r.MaxOutput, Window: window, NoData: noData(r),
		Reload: func() []route.Key {
			now, err := d.resolver.Stored(r.Route)
			if err != nil {
				return nil // the key is gone from its place: the one that was refused is all there is
			}
			return d.keysOf(wire, now)
		}}, nil
}

// keysOf are the keys of r, each with what asks with it.
func (d *Dialer) keysOf(wire mode, r config.Resolved) []route.Key {
	var keys []route.Key
	ep := endpoint(r)
	for _, h := range append([]config.Held{{Key: r.Key, From: r.From}}, r.More...) {
		ep.Key = string(h.Key)
		p := keeping(dress(wire.open(ep), r), CacheOf(d.resolver.Config))
		keys = append(keys, route.Key{Name: h.From, ID: idOf(ep.Key), Model: p, Plain: inOnePiece(p)})
	}
	return keys
}

// idOf tells keys apart without being one.
func idOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// pool is what is known of the keys of a provider at an address.
func (d *Dialer) pool(r engine.Route) *route.Pool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := r.Provider + " " + r.BaseURL
	if d.pools[at] == nil {
		d.pools[at] = &route.Pool{Strategy: d.resolver.Config.CredentialPool.Strategy}
	}
	return d.pools[at]
}

// dress puts around a wire what every reply needs: what went wrong in words, reasoning told apart from text, for local
// models the calls that they print as text, and a second question after an empty reply.
func dress(p engine.Provider, r config.Resolved) engine.Provider {
	p = think.Wrap(classify.Wrap(p, r.Route.Provider, Secrets(r)...))
	if printsCalls(r) {
		p = textcalls.Wrap(p) // outside think, so that a call which the model only thought of is none
	}
	return coax.Wrap(p)
}

// printsCalls reports whether what looks like a call in the model's text is one.
func printsCalls(r config.Resolved) bool {
	switch r.TextCalls {
	case config.TextCallsOn:
		return true
	case config.TextCallsOff:
		return false
	}
	return provider.IsLocal(r.Route.BaseURL) && textcalls.Families(r.Route.Model)
}

// CacheOf says how long providers are to keep the prompts of a session.
func CacheOf(cfg config.Config) engine.Cache {
	switch {
	case !cfg.PromptCaching.Enabled:
		return engine.CacheOff
	case cfg.PromptCaching.TTL == string(engine.CacheHour):
		return engine.CacheHour
	}
	return engine.CacheMinutes
}

// keeping has prompts kept as the user set it, where a request does not say itself.
func keeping(p engine.Provider, c engine.Cache) engine.Provider {
	return settled{p, func(r *engine.Request) { r.Cache = cmp.Or(r.Cache, c) }}
}

// inOnePiece asks without streaming, for servers that refuse to stream.
func inOnePiece(p engine.Provider) engine.Provider {
	return settled{p, func(r *engine.Request) { r.NoStream = true }}
}

// settled settles what a request leaves open.
type settled struct {
	engine.Provider
	settle func(*engine.Request)
}

func (p settled) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	p.settle(&req)
	return p.Provider.Stream(ctx, req)
}

// localNoData is how long a server on this machine may think before it sends anything (RULINGS 4).
const localNoData = 900 * time.Second

func noData(r config.Resolved) time.Duration {
	if d := r.Clocks.NoDataSeconds.Duration(); d > 0 || !provider.IsLocal(r.Route.BaseURL) {
		return d
	}
	return localNoData
}

// Secrets are what must never stand in an error: the keys of the route, and what signs for Bedrock.
func Secrets(r config.Resolved) []string {
	all := []string{string(r.Key), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN"), os.Getenv("AWS_BEARER_TOKEN_BEDROCK")}
	for _, k := range r.More {
		all = append(all, string(k.Key))
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func endpoint(r config.Resolved) provider.Endpoint {
	return provider.Endpoint{Provider: r.Route.Provider, BaseURL: r.Route.BaseURL, Key: string(r.Key), Headers: r.Headers,
		HTTP: provider.NewClient(r.Clocks.ConnectSeconds.Duration()), Stale: r.Clocks.StaleSeconds.Duration(),
		Connect: r.Clocks.ConnectSeconds.Duration(), Total: r.Clocks.TotalSeconds.Duration()}
}

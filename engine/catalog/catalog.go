// Package catalog is what is known about providers and models without asking anybody: addresses, the names of key
// variables, context windows, prices. It is two tables and the rules for reading them.
//
// It refuses to guess money: a price is given only for a name that is in the table, or that differs from one by a date
// or a release word. A context window is taken more freely, since a wrong one costs a retry and not a wrong bill. It
// knows nothing of the user's configuration, holds no key and opens no connection.
package catalog

import (
	"regexp"
	"strings"

	"talaria/engine"
)

// ProviderInfo is a place where models can be asked.
type ProviderInfo struct {
	Name    string         // as it stands in "-m NAME/MODEL"
	Title   string         // as people write it
	BaseURL string         // requests go to BaseURL + "/chat/completions"; "" when nothing goes over the network
	APIMode engine.APIMode // the wire protocol that is spoken at BaseURL
	KeyEnv  []string       // environment variables that hold a key, first match wins; nil when none is needed
	Signs   []string       // variables that name credentials of another kind, which sign requests; any of them is enough
	Model   string         // what is used when the user names no model; "" when only the server knows what it has
	Port    int            // the usual port of a server on this machine, 0 for all others
	Missing string         // why this version cannot reach it, "" when it can
}

// Local reports whether p is a model server on this machine.
func (p ProviderInfo) Local() bool { return p.Port != 0 }

// Provider returns the built-in provider of that name; letter case does not matter.
func Provider(name string) (ProviderInfo, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, p := range providers {
		if p.Name == name {
			return p, true
		}
	}
	return ProviderInfo{}, false
}

// Providers returns all built-in providers in the order in which they are offered.
func Providers() []ProviderInfo { return append([]ProviderInfo(nil), providers...) }

// ModelInfo is what is known about a model. Window and MaxOutput are in tokens, 0 when unknown. Vision (it sees pictures),
// Reasons (it can think before it answers) and Tools (it can call tools) are false also when that is not known: a thing is
// only held back from a model when Sees says that it is known not to.
type ModelInfo struct {
	Provider  string
	Name      string // the name in the table, of which the model asked for is a version
	Window    int
	MaxOutput int
	Price     Price

	Vision, Reasons, Tools bool
}

// row is a model in the table.
type row struct {
	Provider, Name    string
	Window, MaxOutput int
	Price             Price
}

func (r row) info() ModelInfo {
	return ModelInfo{Provider: r.Provider, Name: r.Name, Window: r.Window, MaxOutput: r.MaxOutput, Price: r.Price}
}

// Price is in US dollars for a million tokens; the zero value means that it is not known. Read is the price of input
// read from the provider's cache, 0 when it is not known. Write is the price of input written to it, 0 where the
// provider charges that as any other input.
type Price struct {
	In    float64 `json:"input"`
	Out   float64 `json:"output"`
	Read  float64 `json:"cache_read"`
	Write float64 `json:"cache_write"`
}

// Model returns what is known about model at provider, by the longest name in the table that model begins with.
// A provider that is not in the table (a proxy, a custom address) gets the window of the model family but no price. What
// the model can do is filled in for any name whose family is known, also when the result is false.
func Model(provider, model string) (ModelInfo, bool) {
	m, ok := numbers(provider, model)
	can := abilityOf(model)
	m.Vision, m.Reasons, m.Tools = can.vision.true(), can.reasons.true(), can.tools.true()
	return m, ok
}

func numbers(provider, model string) (ModelInfo, bool) {
	provider = strings.ToLower(strings.TrimSpace(provider))
	if m, ok := lookup(provider, model); ok {
		return m, true
	}
	vendor, name := vendorOf(model)
	best, found := ModelInfo{}, false
	for _, row := range models {
		if vendor.name != "" && row.Provider != vendor.name {
			continue
		}
		if m, ok := lookup(row.Provider, name); ok && len(m.Name) > len(best.Name) {
			best, found = m, true
		}
	}
	if provider != "openrouter" || !vendor.samePrice {
		best.Price = Price{}
	}
	best.Provider = provider
	return best, found
}

// lookup finds model among the rows of provider.
func lookup(provider, model string) (best ModelInfo, found bool) {
	name := normal(model)
	for _, row := range models {
		key := normal(row.Name)
		rest, ok := strings.CutPrefix(name, key)
		if row.Provider != provider || !ok || len(row.Name) < len(best.Name) || !boundary(rest) {
			continue
		}
		best, found = row.info(), true
		if !release.MatchString(rest) {
			best.Price = Price{} // a sibling with a price of its own ("-mini", "-fast")
		}
	}
	return best, found
}

// normal makes "claude-sonnet-4.5" and "claude-sonnet-4-5" one name.
func normal(model string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(model)), ".", "-")
}

// boundary reports whether a name may end before rest, so that "gpt-4" is not the beginning of "gpt-4o".
func boundary(rest string) bool { return rest == "" || strings.ContainsRune("-:@/_", rune(rest[0])) }

// release matches what a name may have after it and still be the same model at the same price: a date or a word for
// the newest version.
var release = regexp.MustCompile(`^([-@](latest|preview|exp|001|002|\d{2}-\d{2}|\d{4}(-\d{2}-\d{2})?|\d{8}))*$`)

// vendor is who made a model that somebody else serves under "maker/model". samePrice says that OpenRouter passes the
// maker's own price on; open models are served by several hosts at several prices.
type vendor struct {
	name      string
	samePrice bool
}

func vendorOf(model string) (vendor, string) {
	maker, name, ok := strings.Cut(model, "/")
	if !ok {
		return vendor{}, model
	}
	return vendors[strings.ToLower(maker)], name
}

// KeptFor is m with the price of what is written to the cache for that long. Anthropic, the only one that is asked for an
// hour, takes twice the input price for it (platform.claude.com, pricing); the table has the price for five minutes.
func (m ModelInfo) KeptFor(c engine.Cache) ModelInfo {
	if _, name := vendorOf(m.Name); c == engine.CacheHour && m.Price.Write > 0 && strings.HasPrefix(normal(name), "claude") {
		m.Price.Write = 2 * m.Price.In
	}
	return m
}

// Cost returns the price of u in US dollars, or nil when it is not known: never 0. Usage.Input includes what was read
// from and written to the cache, so those tokens are taken out of it before the input price is applied.
func (m ModelInfo) Cost(u engine.Usage) *float64 {
	p := m.Price
	if p == (Price{}) || (u.CacheRead > 0 && p.Read == 0) {
		return nil
	}
	write := p.Write
	if write == 0 {
		write = p.In
	}
	plain := max(0, u.Input-u.CacheRead-u.CacheWrite)
	cost := (float64(plain)*p.In + float64(u.CacheRead)*p.Read + float64(u.CacheWrite)*write + float64(u.Output)*p.Out) / 1e6
	return &cost
}

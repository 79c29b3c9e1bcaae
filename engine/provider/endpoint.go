package provider

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Endpoint is where a mode sends its requests. Headers are added to every request and win over the mode's own. HTTP nil
// makes a client of its own. Stale is the no-byte clock, Connect the limit for reaching the server, Total that for a
// whole reply; 0 takes the defaults below, and what is set is taken as it is.
type Endpoint struct {
	Provider, BaseURL, Key string
	Headers                map[string]string
	HTTP                   *http.Client
	Stale, Connect, Total  time.Duration
}

// The default clocks (RULINGS 4, BEHAVIOUR 4.5).
const (
	DefaultConnect    = 30 * time.Second
	DefaultTotal      = 1800 * time.Second
	DefaultStale      = 90 * time.Second
	DefaultStaleLocal = 900 * time.Second // a local model may load and read a long prompt before its first byte
)

// StaleFor returns how long the server may send no byte, given the estimated input tokens of the request: long prompts
// take longer to read.
func (e Endpoint) StaleFor(estimate int) time.Duration {
	switch {
	case e.Stale > 0:
		return e.Stale
	case IsLocal(e.BaseURL):
		return DefaultStaleLocal
	case estimate > 100_000:
		return DefaultStale * 27 / 10
	case estimate > 50_000:
		return DefaultStale * 17 / 10
	}
	return DefaultStale
}

// WithClient returns e with an HTTP client that follows no redirects, made once so that connections are kept.
func (e Endpoint) WithClient() Endpoint {
	if e.HTTP == nil {
		e.HTTP = NewClient(e.Connect)
		return e
	}
	own := *e.HTTP
	own.CheckRedirect = noRedirect
	e.HTTP = &own
	return e
}

func (e Endpoint) total() time.Duration {
	if e.Total > 0 {
		return e.Total
	}
	return DefaultTotal
}

// Authorise puts the key into req: as the header named, or as a bearer token when name is "". A blank key sets nothing.
// A key that no header can carry (a pasted quote or line end) is a *Failure that says where the trouble is, not what.
func (e Endpoint) Authorise(req *http.Request, name string) error {
	key := strings.TrimSpace(e.Key)
	for i, r := range []rune(key) {
		if r <= ' ' || r > '~' {
			return &Failure{URL: PublicURL(req.URL), Code: CodeBadKey, Message: fmt.Sprintf("the key holds a character at place %d that no key has (%U)", i+1, r)}
		}
	}
	switch {
	case key == "":
	case name == "":
		req.Header.Set("Authorization", "Bearer "+key)
	default:
		req.Header.Set(name, key)
	}
	return nil
}

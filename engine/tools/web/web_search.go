package web

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed web_search.md
var searchDoc string

const (
	defaultHits = 5
	maxHits     = 20
	searchLimit = 20 * time.Second
	excerpt     = 500 // characters of one hit
)

// Search is the service that is asked. Backend is searxng, brave or tavily, "" for none; BaseURL "" is the service's own.
// The key goes to BaseURL alone.
type Search struct{ Backend, BaseURL, Key string }

type hit struct{ title, url, text string }

// backend is one search service: how it is asked, and how its answer is read.
type backend struct {
	base   string // its own address, "" when there is none
	key    bool   // it needs one
	ask    func(ctx context.Context, s Search, query string, n int) (*http.Request, error)
	answer func(body []byte) ([]hit, error)
}

// Backends are the names that web.search.backend takes.
func Backends() []string { return []string{"searxng", "brave", "tavily"} }

func backendOf(name string) (backend, bool) {
	switch name {
	case "searxng":
		return backend{ask: func(ctx context.Context, s Search, q string, _ int) (*http.Request, error) {
			r, err := get(ctx, s.BaseURL, "/search", url.Values{"q": {q}, "format": {"json"}})
			if err == nil && s.Key != "" {
				r.Header.Set("Authorization", "Bearer "+s.Key)
			}
			return r, err
		}, answer: hits("results", "title", "url", "content")}, true
	case "brave":
		return backend{base: "https://api.search.brave.com/res/v1", key: true, ask: func(ctx context.Context, s Search, q string, n int) (*http.Request, error) {
			r, err := get(ctx, s.BaseURL, "/web/search", url.Values{"q": {q}, "count": {fmt.Sprint(n)}})
			if err == nil {
				r.Header.Set("X-Subscription-Token", s.Key)
			}
			return r, err
		}, answer: hits("web.results", "title", "url", "description")}, true
	case "tavily":
		return backend{base: "https://api.tavily.com", key: true, ask: func(ctx context.Context, s Search, q string, n int) (*http.Request, error) {
			body, err := engine.Marshal(map[string]any{"query": q, "max_results": n})
			if err != nil {
				return nil, err
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(s.BaseURL, "/")+"/search", bytes.NewReader(body))
			if err == nil {
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", "Bearer "+s.Key)
			}
			return r, err
		}, answer: hits("results", "title", "url", "content")}, true
	}
	return backend{}, false
}

func get(ctx context.Context, base, path string, q url.Values) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(base, "/")+path+"?"+q.Encode(), nil)
	if err == nil {
		r.Header.Set("Accept", "application/json")
	}
	return r, err
}

// hits reads a list of results that lies at a path of the answer.
func hits(path, title, address, text string) func([]byte) ([]hit, error) {
	return func(body []byte) ([]hit, error) {
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			return nil, errors.New("its answer is no JSON. With SearXNG, json must stand under search.formats of its settings")
		}
		for name := range strings.SplitSeq(path, ".") {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		list, _ := v.([]any)
		var all []hit
		for _, one := range list {
			m, _ := one.(map[string]any)
			str := func(key string) string { s, _ := m[key].(string); return s }
			if h := (hit{str(title), str(address), str(text)}); h.url != "" {
				all = append(all, h)
			}
		}
		return all, nil
	}
}

type searchIn struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
}

// finder is the tool web_search.
type finder struct {
	engine.Tool
	s Search
	b backend
	w *Web
}

// search returns the tool; nil where no service can be asked.
func (w *Web) search() engine.Tool {
	s := w.o.Search
	b, ok := backendOf(s.Backend)
	if s.BaseURL == "" {
		s.BaseURL = b.base
	}
	if !ok || s.BaseURL == "" || b.key && s.Key == "" {
		return nil
	}
	f := &finder{s: s, b: b, w: w}
	f.Tool = engine.NewTool(engine.Spec{Name: "web_search", Doc: searchDoc, Effect: engine.Reads, Toolset: "web"}, f.find, nil)
	return f
}

func (f *finder) find(ctx context.Context, c engine.Call, in searchIn, _ engine.Output) (engine.Result, error) {
	if strings.TrimSpace(in.Query) == "" {
		return engine.Badly(c, "query is empty"), nil
	}
	n := in.Limit
	if n <= 0 {
		n = defaultHits
	}
	n = min(n, maxHits)
	found, err := f.request(ctx, in.Query, n)
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	if err != nil {
		return engine.Failed(c, "the search service (%s) could not be asked: %v", f.s.Backend, err), nil
	}
	found = found[:min(len(found), n)]
	r := f.w.space.Foreign(c, "web search by "+f.s.Backend, listing(in.Query, found))
	r.Note = fmt.Sprintf("%d results", len(found))
	return r, nil
}

func (f *finder) request(ctx context.Context, query string, n int) ([]hit, error) {
	ctx, cancel := context.WithTimeout(ctx, searchLimit)
	defer cancel()
	req, err := f.b.ask(ctx, f.s, query, n)
	if err != nil {
		return nil, errors.New("its address is not usable")
	}
	req.Header.Set("User-Agent", "talaria/"+f.w.o.Version)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }} // the key is for this host alone
	res, err := client.Do(req)
	if err != nil {
		return nil, plainly(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return nil, plainly(err)
	}
	if res.StatusCode != http.StatusOK {
		hint := ""
		if res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden {
			hint = " (is its key right? With SearXNG: is json allowed?)"
		}
		return nil, fmt.Errorf("it answered %s%s", res.Status, hint)
	}
	return f.b.answer(body)
}

func listing(query string, found []hit) string {
	if len(found) == 0 {
		return fmt.Sprintf("Nothing was found for %q.", query)
	}
	var b strings.Builder
	for i, h := range found {
		text := strings.Join(strings.Fields(h.text), " ")
		if cut := tools.Cut(text, excerpt); cut != text {
			text = cut + "…"
		}
		fmt.Fprintf(&b, "%d. %s\n   %s\n   %s\n", i+1, strings.Join(strings.Fields(h.title), " "), h.url, text)
	}
	return b.String()
}

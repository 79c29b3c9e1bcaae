package web

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed web_extract.md
var extractDoc string

const (
	maxURLs   = 5
	shownPage = 15_000 // characters of one page that the result shows (BEHAVIOUR 8.9 shortens from 5,000 on; a page of documentation is mostly below this)
)

// Options says what may be reached. Shorten is the auxiliary model that makes long pages short; nil for none.
type Options struct {
	Version      string
	AllowPrivate bool
	Search       Search
	Shorten      engine.Aux
}

// Web is the two tools and their client.
type Web struct {
	o      Options
	space  *tools.Workspace
	client *http.Client
}

// Tools are web_extract, and web_search where a backend is configured.
func Tools(w *tools.Workspace, o Options) []engine.Tool {
	web := &Web{o: o, space: w, client: newClient(o.AllowPrivate)}
	all := []engine.Tool{engine.NewTool(engine.Spec{Name: "web_extract", Doc: extractDoc, Effect: engine.Reads, Toolset: "web"}, web.extract, nil)}
	if s := web.search(); s != nil {
		all = append(all, s)
	}
	return all
}

type extractIn struct {
	URLs []string `json:"urls"`
}

func (w *Web) extract(ctx context.Context, c engine.Call, in extractIn, out engine.Output) (engine.Result, error) {
	switch {
	case len(in.URLs) == 0:
		return engine.Badly(c, "urls is empty: give at least one web address"), nil
	case len(in.URLs) > maxURLs:
		return engine.Badly(c, "%d addresses are too many at once: give at most %d", len(in.URLs), maxURLs), nil
	}
	texts, spills, good := make([]string, len(in.URLs)), make([]string, len(in.URLs)), make([]bool, len(in.URLs))
	var all sync.WaitGroup
	for i, text := range in.URLs {
		all.Add(1)
		engine.Go("read a page", func() {
			defer all.Done()
			texts[i], spills[i], good[i] = w.one(ctx, c, text)
			fmt.Fprintf(out, "%s: %s\n", text, map[bool]string{true: "read", false: "not read"}[good[i]])
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	r := engine.Succeeded(c, strings.Join(texts, "\n\n"))
	read := 0
	for i := range good {
		if good[i] {
			read++
		}
		if r.Spill == "" {
			r.Spill = spills[i]
		}
	}
	r.Note = fmt.Sprintf("%d of %d pages", read, len(good))
	if len(good) == 1 {
		r.Note = ""
	}
	if read == 0 {
		r.Status = engine.StatusFailed
	}
	return r, nil
}

// one reads one page and returns its part of the result.
func (w *Web) one(ctx context.Context, c engine.Call, text string) (part, spill string, ok bool) {
	u, err := parse(text)
	var p page
	if err == nil {
		p, err = w.fetch(ctx, u)
	}
	if err != nil {
		return engine.Untrusted("web_extract", fmt.Sprintf("%s was not read: %v", tools.Cut(text, 300), err)), "", false
	}
	if p.text == "" {
		return engine.Untrusted(source(p.url), "The page has no text. It may need a browser that runs scripts."), "", true
	}
	body := p.text
	if p.title != "" {
		body = "Title: " + p.title + "\n\n" + body
	}
	if p.cut {
		body += fmt.Sprintf("\n\n[the page is longer than %d MB; the rest was not read]", maxBody>>20)
	}
	if len(body) > shownPage && w.o.Shorten != nil {
		if brief, err := w.brief(ctx, source(p.url), body); err == nil {
			part, spill = w.space.Shortened(c, source(p.url), body, brief)
			return part, spill, true
		}
	}
	part, spill = w.space.Outside(c, source(p.url), body, shownPage)
	return part, spill, true
}

func source(u *url.URL) string { return tools.Cut(u.String(), 300) }

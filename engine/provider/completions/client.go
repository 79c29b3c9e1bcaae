package completions

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"talaria/engine"
	"talaria/engine/provider"
)

type client struct {
	ep provider.Endpoint
}

// New returns a provider that asks ep. Its errors are *provider.Failure, or the context's error when that is done.
func New(ep provider.Endpoint) engine.Provider { return &client{ep.WithClient()} }

// Stream asks for one reply.
func (c *client) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		resp, err := c.post(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		d := &decoder{Reply: provider.NewReply(ctx, resp, yield)}
		d.ReadText(d)
	}
}

func (c *client) post(ctx context.Context, req engine.Request) (*http.Response, error) {
	at, err := provider.JoinURL(c.ep.BaseURL, "/chat/completions")
	if err != nil {
		return nil, provider.BadURL(err)
	}
	q := quirksOf(c.ep.Provider, at)
	body, err := encode(req, q)
	if err != nil {
		return nil, provider.BadRequest(err)
	}
	hr, err := provider.NewPost(ctx, at, body, provider.Accept(req))
	if err != nil {
		return nil, err
	}
	if err := c.ep.Authorise(hr, q.keyHeader); err != nil {
		return nil, err
	}
	return c.ep.Do(hr, req.Estimate)
}

// quirksOf returns the row for the server at an address.
func quirksOf(name, at string) quirks {
	u, err := url.Parse(at)
	if err != nil {
		return quirks{}
	}
	return provider.Find(quirkRows, name, u.Hostname())
}

// Models asks {base}/models for the names of the models on offer, in the server's order, each once.
func Models(ctx context.Context, ep provider.Endpoint) ([]string, error) {
	at, err := provider.JoinURL(ep.BaseURL, "/models")
	if err != nil {
		return nil, provider.BadURL(err)
	}
	return provider.Models(ctx, ep, at, func(req *http.Request) error {
		return ep.Authorise(req, quirksOf(ep.Provider, at).keyHeader)
	})
}

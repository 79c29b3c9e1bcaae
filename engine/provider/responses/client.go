package responses

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
		resp, from, err := c.post(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		d := &decoder{Reply: provider.NewReply(ctx, resp, yield), from: from, mayPause: pauses(req) < maxPauses}
		d.ReadText(d)
	}
}

// post sends req; the origin is the mark on all that the reply leaves for later requests.
func (c *client) post(ctx context.Context, req engine.Request) (*http.Response, origin, error) {
	at, err := provider.JoinURL(c.ep.BaseURL, "/responses")
	if err != nil {
		return nil, origin{}, provider.BadURL(err)
	}
	u, err := url.Parse(at)
	if err != nil {
		return nil, origin{}, provider.BadURL(err)
	}
	q, from := provider.Find(quirkRows, c.ep.Provider, u.Hostname()), origin{u.Host + u.Path, req.Route.Model}
	body, err := encode(req, q, from)
	if err != nil {
		return nil, from, provider.BadRequest(err)
	}
	hr, err := provider.NewPost(ctx, at, body, provider.Accept(req))
	if err != nil {
		return nil, from, err
	}
	if err := c.ep.Authorise(hr, q.keyHeader); err != nil {
		return nil, from, err
	}
	resp, err := c.ep.Do(hr, req.Estimate)
	return resp, from, err
}

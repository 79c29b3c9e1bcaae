package responses

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net/http"

	"talaria/engine"
	"talaria/engine/provider"
)

const userAgent = "talaria"

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
		defer resp.Body.Close()
		(&decoder{yield: yield, ctx: ctx, resp: resp, from: from, mayPause: pauses(req) < maxPauses}).run()
	}
}

// post sends req; the origin is the mark on all that the reply leaves for later requests.
func (c *client) post(ctx context.Context, req engine.Request) (*http.Response, origin, error) {
	at, err := provider.JoinURL(c.ep.BaseURL, "/responses")
	if err != nil {
		return nil, origin{}, &provider.Failure{Code: provider.CodeBadURL, Message: err.Error(), Err: err}
	}
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, at, nil)
	if err != nil {
		return nil, origin{}, fmt.Errorf("make the request: %w", err)
	}
	q, from := quirksOf(c.ep.Provider, hr.URL), origin{hr.URL.Host + hr.URL.Path, req.Route.Model}
	body, err := encode(req, q, from)
	if err != nil {
		return nil, from, &provider.Failure{Code: provider.CodeBadRequest, Message: "the request cannot be sent: " + err.Error(), Err: err}
	}
	if hr, err = http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body)); err != nil {
		return nil, from, fmt.Errorf("make the request: %w", err)
	}
	hr.Header.Set("Content-Type", "application/json")
	hr.Header.Set("Accept", "text/event-stream")
	hr.Header.Set("User-Agent", userAgent)
	if err := c.ep.Authorise(hr, q.keyHeader); err != nil {
		return nil, from, err
	}
	resp, err := c.ep.Do(hr, req.Estimate)
	return resp, from, err
}

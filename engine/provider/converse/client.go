package converse

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net/http"
	"sync"

	"talaria/engine"
	"talaria/engine/provider"
)

const userAgent = "talaria"

// The two calls of the protocol.
const (
	streaming = "converse-stream"
	atOnce    = "converse"
)

type client struct {
	ep     provider.Endpoint
	creds  credentials
	refuse sync.Map // models whose streaming was refused while the other call worked
}

// New returns a provider that asks ep, or the endpoint of the AWS region when ep has no base URL. Requests are signed
// with the AWS credentials that the environment names, else ep.Key is sent as a bearer token; credentials are looked for
// with the first request. Errors are *provider.Failure, or the context's error when that is done.
func New(ep provider.Endpoint) engine.Provider { return &client{ep: ep.WithClient()} }

// Stream asks for one reply. Where the model or the account's policy forbids streaming it asks once more without, and
// goes on so for that model.
func (c *client) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		resp, err := c.ask(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		defer resp.Body.Close()
		(&decoder{yield: yield, ctx: ctx, resp: resp, model: req.Route.Model}).run()
	}
}

func (c *client) ask(ctx context.Context, req engine.Request) (*http.Response, error) {
	model := req.Route.Model
	if _, refused := c.refuse.Load(model); refused {
		return c.post(ctx, req, atOnce)
	}
	resp, err := c.post(ctx, req, streaming)
	if !refusesStreaming(err) {
		return resp, err
	}
	resp, err = c.post(ctx, req, atOnce)
	if err == nil {
		c.refuse.Store(model, true)
	}
	return resp, err
}

func (c *client) post(ctx context.Context, req engine.Request, call string) (*http.Response, error) {
	body, err := encode(req)
	if err != nil {
		return nil, &provider.Failure{Code: provider.CodeBadRequest, Message: "the request cannot be sent: " + err.Error(), Err: err}
	}
	at, err := c.target(ctx, req.Route.Model, call)
	if err != nil {
		return nil, err
	}
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, at.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	hr.Header.Set("Content-Type", "application/json")
	hr.Header.Set("Accept", "application/json")
	if call == streaming {
		hr.Header.Set("Accept", "application/vnd.amazon.eventstream")
	}
	hr.Header.Set("User-Agent", userAgent)
	for name, value := range c.ep.Headers {
		hr.Header.Set(name, value) // before the signature, which covers them
	}
	if err := c.authorise(hr, body, at); err != nil {
		return nil, err
	}
	resp, err := c.ep.Do(hr, req.Estimate)
	return resp, c.named(err)
}

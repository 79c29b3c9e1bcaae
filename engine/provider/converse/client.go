package converse

import (
	"context"
	"iter"
	"net/http"
	"sync"

	"talaria/engine"
	"talaria/engine/provider"
)

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
		d := &decoder{Reply: provider.NewReply(ctx, resp, yield)}
		d.Model = req.Route.Model
		d.Read(d, d.body)
	}
}

func (c *client) ask(ctx context.Context, req engine.Request) (*http.Response, error) {
	model := req.Route.Model
	if _, refused := c.refuse.Load(model); refused || req.NoStream {
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
		return nil, provider.BadRequest(err)
	}
	at, err := c.target(ctx, req.Route.Model, call)
	if err != nil {
		return nil, err
	}
	accept := "application/json"
	if call == streaming {
		accept = "application/vnd.amazon.eventstream"
	}
	hr, err := provider.NewPost(ctx, at.url, body, accept)
	if err != nil {
		return nil, err
	}
	for name, value := range c.ep.Headers {
		hr.Header.Set(name, value) // before the signature, which covers them
	}
	if err := c.authorise(hr, body, at); err != nil {
		return nil, err
	}
	resp, err := c.ep.Do(hr, req.Estimate)
	return resp, c.named(err)
}

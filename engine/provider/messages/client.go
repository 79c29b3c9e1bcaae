package messages

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"talaria/engine"
	"talaria/engine/provider"
)

const version = "2023-06-01" // the only version of the protocol there has been since (docs.anthropic.com, versioning)

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
	at, err := provider.JoinURL(c.ep.BaseURL, "/v1/messages")
	if err != nil {
		return nil, provider.BadURL(err)
	}
	h := hostOf(at)
	body, err := encode(req, h)
	if err != nil {
		return nil, provider.BadRequest(err)
	}
	hr, err := provider.NewPost(ctx, at, body, provider.Accept(req))
	if err != nil {
		return nil, err
	}
	if err := introduce(hr, c.ep, h); err != nil {
		return nil, err
	}
	return c.ep.Do(hr, req.Estimate)
}

// hostOf returns the row for the server at an address.
func hostOf(at string) host {
	u, err := url.Parse(at)
	if err != nil {
		return host{}
	}
	return provider.Find(hostRows, "", u.Hostname())
}

// introduce sets the headers that every call has.
func introduce(r *http.Request, ep provider.Endpoint, h host) error {
	r.Header.Set("Anthropic-Version", version)
	header := "X-Api-Key"
	if h.bearer {
		header = ""
	}
	return ep.Authorise(r, header)
}

// Models asks {base}/v1/models for the names of the models on offer, in the server's order, each once.
func Models(ctx context.Context, ep provider.Endpoint) ([]string, error) {
	at, err := modelsURL(ep.BaseURL)
	if err != nil {
		return nil, provider.BadURL(err)
	}
	return provider.Models(ctx, ep, at, func(req *http.Request) error { return introduce(req, ep, hostOf(at)) })
}

// modelsURL asks for the longest page there is, 1000 names, which holds all models of any server known.
func modelsURL(base string) (string, error) {
	at, err := provider.JoinURL(base, "/v1/models")
	if err != nil {
		return "", err
	}
	u, err := url.Parse(at)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set("limit", "1000")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

package messages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"

	"talaria/engine"
	"talaria/engine/provider"
)

const (
	userAgent = "talaria"
	version   = "2023-06-01" // the only version of the protocol there has been since (docs.anthropic.com, versioning)
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
		defer resp.Body.Close()
		(&decoder{yield: yield, ctx: ctx, resp: resp}).run()
	}
}

func (c *client) post(ctx context.Context, req engine.Request) (*http.Response, error) {
	at, err := provider.JoinURL(c.ep.BaseURL, "/v1/messages")
	if err != nil {
		return nil, badURL(err)
	}
	h := hostOf(at)
	body, err := encode(req, h)
	if err != nil {
		return nil, &provider.Failure{Code: provider.CodeBadRequest, Message: "the request cannot be sent: " + err.Error(), Err: err}
	}
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	hr.Header.Set("Content-Type", "application/json")
	hr.Header.Set("Accept", "text/event-stream")
	if err := introduce(hr, c.ep, h); err != nil {
		return nil, err
	}
	return c.ep.Do(hr, req.Estimate)
}

func badURL(err error) *provider.Failure {
	return &provider.Failure{Code: provider.CodeBadURL, Message: err.Error(), Err: err}
}

// introduce sets the headers that every call has.
func introduce(r *http.Request, ep provider.Endpoint, h host) error {
	r.Header.Set("Anthropic-Version", version)
	r.Header.Set("User-Agent", userAgent)
	header := "X-Api-Key"
	if h.bearer {
		header = ""
	}
	return ep.Authorise(r, header)
}

// maxModels bounds the list of models.
const maxModels = 16 << 20

// Models asks {base}/v1/models for the names of the models on offer, in the server's order, each once.
func Models(ctx context.Context, ep provider.Endpoint) ([]string, error) {
	own := ep.HTTP == nil
	ep = ep.WithClient()
	if own {
		defer ep.HTTP.CloseIdleConnections()
	}
	at, err := modelsURL(ep.BaseURL)
	if err != nil {
		return nil, badURL(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	if err := introduce(req, ep, hostOf(at)); err != nil {
		return nil, err
	}
	resp, err := ep.Do(req, 0)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		return nil, &provider.Failure{Status: resp.StatusCode, URL: provider.PublicURL(req.URL), Cut: true, Err: err, Message: "the list of models broke off: " + err.Error()}
	}
	names, ok := modelNames(body)
	if !ok {
		said := provider.ReadError(body)
		return nil, &provider.Failure{Status: resp.StatusCode, Header: resp.Header, ContentType: resp.Header.Get("Content-Type"), URL: provider.PublicURL(req.URL),
			Code: said.Code, Type: said.Type, Message: fmt.Sprintf("%s did not answer with a list of models: %s", req.URL.Host, said.Message)}
	}
	return names, nil
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

func modelNames(body []byte) ([]string, bool) {
	var box struct {
		Data *[]struct{ ID string }
	}
	if json.Unmarshal(body, &box) != nil || box.Data == nil {
		return nil, false
	}
	names, seen := []string{}, map[string]bool{"": true}
	for _, m := range *box.Data {
		if !seen[m.ID] {
			names, seen[m.ID] = append(names, m.ID), true
		}
	}
	return names, true
}

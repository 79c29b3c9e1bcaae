package completions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	at, err := provider.JoinURL(c.ep.BaseURL, "/chat/completions")
	if err != nil {
		return nil, &provider.Failure{Code: provider.CodeBadURL, Message: err.Error(), Err: err}
	}
	q := quirksOf(c.ep.Provider, at)
	body, err := encode(req, q)
	if err != nil {
		return nil, &provider.Failure{Code: provider.CodeBadRequest, Message: "the request cannot be sent: " + err.Error(), Err: err}
	}
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	hr.Header.Set("Content-Type", "application/json")
	hr.Header.Set("Accept", "text/event-stream")
	hr.Header.Set("User-Agent", userAgent)
	if err := c.ep.Authorise(hr, q.keyHeader); err != nil {
		return nil, err
	}
	return c.ep.Do(hr, req.Estimate)
}

// maxModels bounds the list of models; the longest known (an aggregator's) is under 2 MiB.
const maxModels = 16 << 20

// Models asks {base}/models for the names of the models on offer, in the server's order, each once.
func Models(ctx context.Context, ep provider.Endpoint) ([]string, error) {
	own := ep.HTTP == nil
	ep = ep.WithClient()
	if own {
		defer ep.HTTP.CloseIdleConnections()
	}
	at, err := provider.JoinURL(ep.BaseURL, "/models")
	if err != nil {
		return nil, &provider.Failure{Code: provider.CodeBadURL, Message: err.Error(), Err: err}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", userAgent)
	if err := ep.Authorise(req, quirksOf(ep.Provider, at).keyHeader); err != nil {
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

// modelNames reads {"data":[{"id"}]}, {"models":[{"name"}]} or a bare list.
func modelNames(body []byte) ([]string, bool) {
	type model struct{ ID, Name, Model string }
	var box struct {
		Data, Models *[]model
	}
	var list []model
	switch err := json.Unmarshal(body, &box); {
	case err == nil && box.Data != nil:
		list = *box.Data
	case err == nil && box.Models != nil:
		list = *box.Models
	case json.Unmarshal(body, &list) != nil:
		return nil, false
	}
	names, seen := []string{}, map[string]bool{"": true}
	for _, m := range list {
		name := m.ID
		if name == "" {
			name = m.Model
		}
		if name == "" {
			name = m.Name
		}
		if !seen[name] {
			names, seen[name] = append(names, name), true
		}
	}
	return names, true
}

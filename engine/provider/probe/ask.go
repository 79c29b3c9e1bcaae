package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"talaria/engine/provider"
)

// maxAnswer bounds an answer; the longest known (an aggregator's list of models) is under 2 MiB.
const maxAnswer = 16 << 20

// asker asks one server. list is its base with /models; root the address without the /v1 of the OpenAI protocol, where
// a server's own protocol begins.
type asker struct {
	ep         provider.Endpoint
	list, root *url.URL
	dead       *bool // nobody was reached: the other questions would fail alike
}

func newAsker(ep provider.Endpoint) (asker, error) {
	list, err := join(ep.BaseURL, "/models")
	if err != nil {
		return asker{}, err
	}
	root, err := join(ep.BaseURL, "/v1/models")
	if err != nil {
		return asker{}, err
	}
	root.Path = strings.TrimSuffix(root.Path, "/v1/models")
	return asker{ep, list, root, new(bool)}, nil
}

func join(base, call string) (*url.URL, error) {
	joined, err := provider.JoinURL(base, call)
	if err != nil {
		return nil, fmt.Errorf("ask for the context window: %w", err)
	}
	return url.Parse(joined) // JoinURL wrote it
}

func (a asker) gone() bool { return *a.dead }

// get decodes the answer of the server's own protocol at path into v.
func (a asker) get(ctx context.Context, path string, v any) bool {
	return a.ask(ctx, http.MethodGet, a.below(path), nil, v)
}

func (a asker) post(ctx context.Context, path string, body, v any) bool {
	b, err := json.Marshal(body)
	return err == nil && a.ask(ctx, http.MethodPost, a.below(path), b, v)
}

func (a asker) below(path string) string {
	at := *a.root
	at.Path += path
	return at.String()
}

// ask reports whether the server answered 2xx with JSON that fits v. What went wrong otherwise is of no interest here:
// a server that matters says so again when it is asked for a reply.
func (a asker) ask(ctx context.Context, method, at string, body []byte, v any) bool {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "talaria")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if a.ep.Authorise(req, "") != nil {
		return false
	}
	for name, value := range a.ep.Headers {
		req.Header.Set(name, value)
	}
	resp, err := a.ep.HTTP.Do(req)
	if err != nil {
		*a.dead = true
		return false
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return false
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return err == nil && json.Unmarshal(b, v) == nil
}

func hostPort(base string) (host, port string) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return "", ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), u.Port()
}

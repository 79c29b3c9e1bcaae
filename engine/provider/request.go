package provider

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"talaria/engine"
)

const userAgent = "talaria"

// BadURL is the failure of a base URL that is none.
func BadURL(err error) *Failure {
	return &Failure{Code: CodeBadURL, Message: err.Error(), Err: err}
}

// BadRequest is the failure of a request that cannot be encoded.
func BadRequest(err error) *Failure {
	return &Failure{Code: CodeBadRequest, Message: "the request cannot be sent: " + err.Error(), Err: err}
}

// NewPost returns a request that sends body, JSON, and takes an answer of type accept.
func NewPost(ctx context.Context, at string, body []byte, accept string) (*http.Request, error) {
	req, err := newRequest(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	return req, nil
}

// Accept is the type of answer that a request wants: a stream of events, or one JSON object.
func Accept(r engine.Request) string {
	if r.NoStream {
		return "application/json"
	}
	return "text/event-stream"
}

func newRequest(ctx context.Context, method, at string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, body)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("User-Agent", userAgent)
	return req, nil
}

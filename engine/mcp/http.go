package mcp

import (
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// remote is the way to a server at an address. It follows no redirect: headers may hold a key, and it is for that
// address alone.
func remote(s Server) (*sdk.StreamableClientTransport, *http.Transport) {
	base := http.DefaultTransport.(*http.Transport).Clone()
	client := &http.Client{Transport: headers{base, s.Headers}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client, MaxRetries: -1, MaxEventSize: maxLine}, base
}

// headers adds the configured headers to each request.
type headers struct {
	next http.RoundTripper
	set  map[string]string
}

func (h headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h.set {
		r.Header.Set(name, value)
	}
	return h.next.RoundTrip(r)
}

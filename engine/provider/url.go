package provider

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
)

// endings are what people paste after the base URL: the address of one call. The longest match is taken off.
var endings = []string{"/chat/completions", "/completions", "/responses", "/messages", "/models"}

// JoinURL returns the address of the call path ("/chat/completions", "/v1/messages") under base, however base is
// spelled: blanks and slashes at its ends, a whole endpoint, with or without /v1, a query (kept). A base without any
// path gets /v1, except on hosts that have their endpoints at the root. The error says what is wrong with base.
func JoinURL(base, call string) (string, error) {
	base = strings.TrimSpace(base)
	if base == "" {
		return "", errors.New("the base URL is empty")
	}
	u, err := url.Parse(base)
	if err != nil || u.Opaque != "" || !strings.Contains(base, "://") {
		return "", fmt.Errorf("the base URL %q needs a scheme and a host, as in https://api.example.com/v1 or http://localhost:11434/v1", hidden(base))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("the base URL must begin with http:// or https://, not %s://", u.Scheme)
	}
	if u.Hostname() == "" {
		return "", fmt.Errorf("the base URL %q names no host", hidden(base))
	}
	p := strings.TrimRight(path.Clean("/"+u.Path), "/")
	for _, e := range endings {
		if cut, ok := strings.CutSuffix(p, e); ok {
			p = strings.TrimRight(cut, "/")
			break
		}
	}
	call = "/" + strings.Trim(call, "/")
	switch {
	case strings.HasPrefix(call, "/v1/"):
		p = strings.TrimSuffix(p, "/v1")
	case p == "" && !slices.Contains(rootHosts, strings.ToLower(u.Hostname())):
		p = "/v1"
	}
	u.Path, u.RawPath, u.Fragment = p+call, "", ""
	return u.String(), nil
}

// hidden is a base URL without what may be a secret, for an error text.
func hidden(base string) string {
	base, _, _ = strings.Cut(base, "?")
	if _, rest, ok := strings.Cut(base, "@"); ok {
		return rest
	}
	return base
}

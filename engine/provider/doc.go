// Package provider holds what the four API modes share: the HTTP client with its clocks, base URLs, the SSE reader, the
// choice of a mode, and Failure, the one error a mode yields. Each mode encodes and decodes in a package of its own
// below this one; what a failure means is decided in classify, and what is done about it in route.
//
// It refuses to retry, to follow redirects (a key must not travel to a host nobody named), and to hand on the HTML of
// an error page.
package provider

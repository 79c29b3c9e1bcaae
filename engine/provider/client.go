package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// NewClient returns a client that gives up connecting after connect (0: 30 s), takes the proxy from the environment,
// follows no redirects and has no limit for the whole reply: Endpoint.Do has that.
func NewClient(connect time.Duration) *http.Client {
	connect = cmp.Or(connect, DefaultConnect)
	dial := net.Dialer{Timeout: connect, KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3, // BEHAVIOUR 4.5
	}}
	return &http.Client{CheckRedirect: noRedirect, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dial.DialContext, TLSHandshakeTimeout: connect,
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second,
	}}
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// errTotal is the cause of a reply that took longer than Endpoint.Total.
var errTotal = errors.New("the reply took longer than the total time allows")

// Do sends req with the headers and clocks of e and returns an answer of status 200 to 299 that is no HTML page.
// Anything else is a *Failure, or the error of req's context when that is done. estimate is the number of input tokens.
// The caller closes the body, which ends the clocks. e comes from WithClient.
func (e Endpoint) Do(req *http.Request, estimate int) (*http.Response, error) {
	outer := req.Context()
	ctx, cancelTotal := context.WithTimeoutCause(outer, e.total(), errTotal)
	ctx, cancel := context.WithCancelCause(ctx)
	end := func() { cancel(context.Canceled); cancelTotal() }

	idle := e.StaleFor(estimate)
	wait := time.AfterFunc(idle, func() { cancel(&StaleError{idle}) })
	req = req.WithContext(ctx)
	for name, value := range e.Headers {
		req.Header.Set(name, value)
	}
	resp, err := e.HTTP.Do(req)
	wait.Stop()
	if err != nil {
		err = unreached(ctx, outer, req.URL, err)
		end()
		return nil, err
	}
	resp.Body = &clockedBody{NewStaleBody(resp.Body, idle), ctx, outer, end}
	if bad := refused(resp, req.URL); bad != nil {
		resp.Body.Close()
		return nil, bad
	}
	return resp, nil
}

// unreached is the error of a request that got no answer.
func unreached(ctx, outer context.Context, at *url.URL, err error) error {
	if outer.Err() != nil {
		return outer.Err()
	}
	f := &Failure{URL: PublicURL(at), NoData: true, Err: err, Message: fmt.Sprintf("no answer from %s: %s", at.Host, plain(err))}
	if cause := context.Cause(ctx); cause != nil {
		f.Err, f.Message = cause, fmt.Sprintf("no answer from %s: %v", at.Host, cause)
		return f
	}
	var op *net.OpError
	var dns *net.DNSError
	if errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") || errors.As(err, &dns) {
		f.Dial, f.Message = true, fmt.Sprintf("cannot connect to %s: %s", at.Host, plain(err))
	}
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		f.Code, f.Message = CodeCertificate, fmt.Sprintf("the certificate of %s is not trusted: %s", at.Host, plain(cert.Err))
	}
	return f
}

// plain is the text of err without the method and URL that net/http puts before it: a URL can hold a key.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// refused returns the Failure that resp is, nil for an answer that can be decoded. It has read the body then.
func refused(resp *http.Response, at *url.URL) *Failure {
	kind := resp.Header.Get("Content-Type")
	fine := resp.StatusCode >= 200 && resp.StatusCode < 300
	html := strings.Contains(strings.ToLower(kind), "html")
	if fine && !html {
		return nil
	}
	f := &Failure{Status: resp.StatusCode, Header: resp.Header, ContentType: kind, URL: PublicURL(at)}
	f.Body, f.Err = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what came is worth showing even if the rest failed
	f.describe()
	return f
}

// clockedBody says why its reads fail, and ends the request's clocks when it is closed.
type clockedBody struct {
	io.ReadCloser
	ctx, outer context.Context
	end        func()
}

func (b *clockedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	if b.outer.Err() != nil {
		return n, b.outer.Err()
	}
	if cause := context.Cause(b.ctx); cause != nil {
		return n, cause
	}
	return n, err
}

func (b *clockedBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

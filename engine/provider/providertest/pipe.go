package providertest

import (
	"cmp"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"talaria/engine"
)

// Client returns a client whose every request, to whatever host, is answered by handler over a connection in memory.
// It uses no socket, so it works in a testing/synctest bubble, and keeps no connection, so nothing is left when the
// reply has ended and its body is closed.
func Client(handler http.Handler) *http.Client {
	hc, _ := Keeping(handler)
	hc.Transport.(*http.Transport).DisableKeepAlives = true
	return hc
}

// Keeping returns a client like that of Client which keeps its connections for the next request, and how many it has
// made so far. CloseIdleConnections of the client ends those that are left.
func Keeping(handler http.Handler) (hc *http.Client, made *atomic.Int32) {
	made = new(atomic.Int32)
	dial := func(context.Context, string, string) (net.Conn, error) {
		made.Add(1)
		ours, theirs := net.Pipe()
		serve(handler, theirs)
		return ours, nil
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, DialTLSContext: dial}}, made
}

func serve(handler http.Handler, conn net.Conn) {
	srv := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	engine.Go("providertest server", func() {
		srv.Serve(&oneConn{conn: conn}) // ends at once with io.EOF; the connection has a goroutine of its own
	})
}

// oneConn is a listener of one connection.
type oneConn struct {
	once sync.Once
	conn net.Conn
}

func (l *oneConn) Accept() (conn net.Conn, err error) {
	err = io.EOF
	l.once.Do(func() { conn, err = l.conn, nil })
	return conn, err
}

func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }

// Fails returns a client that reaches nobody: every request fails with err.
func Fails(err error) *http.Client {
	return &http.Client{Transport: failing{err}}
}

type failing struct{ err error }

func (f failing) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	return nil, f.err
}

// Replay returns a client that answers every request with a, without any server or goroutine: fast, for decoders. Each
// Read of the body gives at most the next of a.Sizes. Cut ends the body with io.ErrUnexpectedEOF; Stall has no effect.
func Replay(a Answer) *http.Client { return &http.Client{Transport: replay{a}} }

type replay struct{ a Answer }

func (p replay) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	h := p.a.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Content-Type", p.a.Type)
	body := Chunked(p.a.Body, p.a.Sizes...)
	if p.a.Cut {
		body = io.MultiReader(body, broken{})
	}
	return &http.Response{StatusCode: cmp.Or(p.a.Status, http.StatusOK), Header: h, Body: io.NopCloser(body), Request: r}, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

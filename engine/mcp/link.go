package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"talaria/engine"
)

const (
	maxStarts = 3                // in a row, before a server is given up (M04)
	steady    = 10 * time.Minute // a server that ran so long had a good start: its count begins anew
	// protocol is what servers are greeted with. The newer greeting begins with a question that older servers may never
	// answer; it is used when a server refuses this one.
	protocol = "2025-11-25"
)

// link is the connection to one server.
type link struct {
	s       Server
	o       Options
	servers []string // all names of the configuration
	tried   chan struct{}
	turn    chan struct{} // holds one token: who has it may dial
	ctx     context.Context
	cancel  context.CancelFunc // ends a dial when the program ends

	mu     sync.Mutex
	live   *session // nil while there is none
	state  State
	reason string
	told   bool // the user knows that it failed
	tools  []*sdk.Tool
	says   string
	starts int
	closed bool
	calls  map[string]engine.Output // of running calls, by progress token
}

// session is one connection while it lasts.
type session struct {
	*sdk.ClientSession
	p     *process        // nil for a server at an address
	http  *http.Transport // nil for a process
	began time.Time
}

func newLink(s Server, o Options, servers []string) *link {
	l := &link{s: s, o: o, servers: servers, tried: make(chan struct{}), turn: make(chan struct{}, 1), state: Starting, calls: map[string]engine.Output{}}
	l.turn <- struct{}{}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// first is the start that comes with the program.
func (l *link) first() {
	defer close(l.tried)
	if _, err := l.up(context.Background()); err != nil {
		l.tell()
	}
}

// again starts a server that failed before, as long as it may: it may have been too early.
func (l *link) again() {
	l.mu.Lock()
	due := l.state == Failed && l.starts < maxStarts && l.s.Fault == ""
	l.mu.Unlock()
	if due {
		engine.Go("mcp again "+l.s.Name, func() { _, _ = l.up(context.Background()) }) // the reason is kept; the user was told of the first failure
	}
}

// tell says once why the server is not there.
func (l *link) tell() {
	l.mu.Lock()
	reason := l.reason
	quiet := l.closed || l.told
	l.told = true
	l.mu.Unlock()
	if !quiet {
		l.o.Note(fmt.Sprintf("MCP server %q is not available: %s. Its tools are missing; everything else works. talaria mcp test %s tries it.", l.s.Name, reason, l.s.Name))
	}
}

// up returns the live connection, or makes one. Only one caller dials at a time.
func (l *link) up(ctx context.Context) (*session, error) {
	select {
	case <-l.turn:
		defer func() { l.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	l.mu.Lock()
	live, starts, closed, reason := l.live, l.starts, l.closed, l.reason
	l.mu.Unlock()
	switch {
	case live != nil:
		return live, nil
	case closed:
		return nil, errors.New("the program is ending")
	case starts >= maxStarts:
		return nil, fmt.Errorf("it was started %d times without success and is left alone now: %s", starts, reason)
	}
	s, tools, err := l.dial(ctx)
	if err != nil {
		if ctx.Err() == nil { // a call that was stopped says nothing about the server
			l.mu.Lock()
			l.starts++
			l.state, l.reason = Failed, err.Error()
			l.mu.Unlock()
		}
		return nil, err
	}
	return s, l.welcome(s, tools)
}

// welcome makes s the live connection and watches for its end.
func (l *link) welcome(s *session, tools []*sdk.Tool) error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		s.end()
		return errors.New("the program is ending")
	}
	l.live, l.state, l.reason, l.told = s, Ready, "", false
	l.tools = tools
	if info := s.InitializeResult(); info != nil && info.ServerInfo != nil {
		l.says = short(info.ServerInfo.Name + " " + info.ServerInfo.Version)
	}
	l.mu.Unlock()
	engine.Go("mcp watch "+l.s.Name, func() {
		err := s.Wait()
		l.lost(s, err)
	})
	return nil
}

// lost notes that a connection has ended by itself.
func (l *link) lost(s *session, err error) {
	reason := "the connection ended"
	if err != nil {
		reason = short(err.Error())
	}
	if s.p != nil {
		if why := s.p.why(); why != "" {
			reason = why
		}
	}
	s.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.live != s {
		return
	}
	l.live, l.state, l.reason = nil, Ended, reason
	if time.Since(s.began) > steady {
		l.starts = 0
	}
	l.starts++
	l.o.Log(l.s.Name, "ended: "+reason)
}

func (l *link) limit(fallback time.Duration) time.Duration {
	if l.s.Timeout > 0 {
		return l.s.Timeout
	}
	return fallback
}

// dial starts or reaches the server, greets it and asks for its tools.
func (l *link) dial(ctx context.Context) (*session, []*sdk.Tool, error) {
	if l.s.Fault != "" {
		return nil, nil, errors.New(l.s.Fault)
	}
	limit := l.limit(startLimit)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer context.AfterFunc(l.ctx, cancel)()
	s, tools, err := l.attempt(ctx, protocol)
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		s, tools, err = l.attempt(ctx, "") // the newest the SDK knows
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it did not answer within %s", limit)
	}
	return s, tools, err
}

func (l *link) attempt(ctx context.Context, version string) (*session, []*sdk.Tool, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "talaria", Version: l.o.Version}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{},
		ProgressNotificationHandler: l.progressed,
		ToolListChangedHandler: func(_ context.Context, r *sdk.ToolListChangedRequest) {
			engine.Go("mcp list "+l.s.Name, func() { l.relist(r.Session) })
		},
	})
	s := &session{began: time.Now()}
	var way sdk.Transport
	if l.s.URL != "" {
		way, s.http = remote(l.s)
	} else {
		p, err := launch(l.s, func(line string) { l.o.Log(l.s.Name, line) })
		if err != nil {
			return nil, nil, fmt.Errorf("it cannot be started: %w", err)
		}
		s.p = p
		way = &sdk.IOTransport{Reader: newLines(p.stdout, func(line string) { l.o.Log(l.s.Name, "stdout: "+line) }), Writer: p.stdin, MaxLineLength: -1}
	}
	tools, err := s.greet(ctx, client, way, version)
	if err != nil {
		if s.p != nil && ctx.Err() == nil {
			if why := s.p.why(); why != "" {
				err = errors.New(why)
			}
		}
		s.end()
		return nil, nil, err
	}
	return s, tools, nil
}

func (s *session) greet(ctx context.Context, client *sdk.Client, way sdk.Transport, version string) ([]*sdk.Tool, error) {
	var err error
	s.ClientSession, err = client.Connect(ctx, way, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return nil, fmt.Errorf("greet it: %w", err)
	}
	return listTools(ctx, s.ClientSession)
}

// maxTools is how many tools of one server are taken: a server that lists without end must not fill the memory.
const maxTools = 500

func listTools(ctx context.Context, cs *sdk.ClientSession) ([]*sdk.Tool, error) {
	if info := cs.InitializeResult(); info != nil && info.Capabilities != nil && info.Capabilities.Tools == nil {
		return nil, nil // it offers other things than tools
	}
	var all []*sdk.Tool
	for t, err := range cs.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("list its tools: %w", err)
		}
		if all = append(all, t); len(all) == maxTools {
			break
		}
	}
	slices.SortFunc(all, func(a, b *sdk.Tool) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b *sdk.Tool) bool { return a.Name == b.Name }), nil
}

// relist takes the changed list of tools; it is used from the next turn on.
func (l *link) relist(cs *sdk.ClientSession) {
	ctx, cancel := context.WithTimeout(context.Background(), l.limit(startLimit))
	defer cancel()
	tools, err := listTools(ctx, cs)
	if err != nil {
		l.o.Log(l.s.Name, "the changed list of tools could not be read: "+short(err.Error()))
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.live != nil && l.live.ClientSession == cs {
		l.tools = tools
	}
}

// end closes the connection. A process goes first: the SDK would wait for calls that it will never answer.
func (s *session) end() {
	if s.p != nil {
		s.p.end()
	}
	closing := make(chan struct{})
	engine.Go("close an mcp session", func() {
		defer close(closing)
		if s.ClientSession != nil {
			_ = s.ClientSession.Close() // it is gone, whatever it says
		}
		if s.http != nil {
			s.http.CloseIdleConnections()
		}
	})
	select {
	case <-closing:
	case <-time.After(termGrace): // a server at an address that does not take its leave
	}
}

func (l *link) close() {
	l.mu.Lock()
	live := l.live
	l.live, l.closed = nil, true
	l.mu.Unlock()
	l.cancel()
	if live != nil {
		live.end()
	}
	select {
	case <-l.turn: // a start that was under way has been taken back
		l.turn <- struct{}{}
	case <-time.After(quitGrace + 2*termGrace):
	}
}

func (l *link) status() Status {
	l.mu.Lock()
	st := Status{Name: l.s.Name, State: l.state, Reason: l.reason, Says: l.says, Tools: []string{}}
	l.mu.Unlock()
	for _, t := range l.offered() {
		st.Tools = append(st.Tools, t.Spec().Name)
	}
	return st
}

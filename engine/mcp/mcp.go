// Package mcp gives the agent the tools of MCP servers, over stdio or streamable HTTP, through the official SDK. Servers
// start side by side, each with its own time limit; one that is broken is told of once and keeps nobody waiting. A
// server that ends is started again by the next call that needs it, at most three times in a row.
//
// It refuses to trust what servers say: results are marked as data from outside, hints about what a tool does are not
// read, lines on stdout that are no protocol go to the log, and pictures do not reach the model.
package mcp

import (
	"context"
	"slices"
	"sync"
	"time"

	"talaria/engine"
)

// Time limits of a server that sets none.
const (
	startLimit = 30 * time.Second // to start, greet and list its tools
	callLimit  = 2 * time.Minute  // of one call
)

// Server says how to reach one server: by Command over stdio, or at URL. Timeout bounds its start and each call; 0 is 30 s
// and two minutes. Include and Exclude are tool names as the server gives them, or patterns with * and ?.
type Server struct {
	Name             string
	Command          string
	Args             []string
	Env              []string // of the process, whole: KEY=value
	Dir              string
	URL              string
	Headers          map[string]string
	Timeout          time.Duration
	Include, Exclude []string
	ParallelSafe     bool
	Fault            string // why it cannot even be tried; "" when it can
}

// Options are what a Host needs. Result makes a tool's answer of a text from outside: marked, and cut or kept in a file
// when it is long. Note tells the user, Log keeps for later; both may be called from any goroutine.
type Options struct {
	Servers []Server
	Version string // of this program, for the greeting
	Result  func(c engine.Call, source, text string) engine.Result
	Note    func(text string)
	Log     func(server, line string)
}

// Host holds the connections to all servers. Its methods may be called from any goroutine.
type Host struct {
	o     Options
	links []*link
	once  sync.Once
}

// New returns a host that has started nothing yet. Servers are taken in the order of their names.
func New(o Options) *Host {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.Log == nil {
		o.Log = func(string, string) {}
	}
	if o.Result == nil {
		o.Result = func(c engine.Call, source, text string) engine.Result {
			return engine.Succeeded(c, engine.Untrusted(source, text))
		}
	}
	h := &Host{o: o}
	servers := slices.Clone(o.Servers)
	slices.SortFunc(servers, func(a, b Server) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	var names []string
	for _, s := range servers {
		names = append(names, s.Name)
	}
	for _, s := range servers {
		h.links = append(h.links, newLink(s, o, names))
	}
	return h
}

// Start starts every server side by side and returns at once. It does so only once.
func (h *Host) Start() {
	h.once.Do(func() {
		for _, l := range h.links {
			engine.Go("mcp "+l.s.Name, l.first)
		}
	})
}

// Wait returns when every server has started or failed, or when ctx ends. Start must have been called.
func (h *Host) Wait(ctx context.Context) {
	for _, l := range h.links {
		select {
		case <-l.tried:
		case <-ctx.Done():
			return
		}
	}
}

// Again starts the servers that failed before once more, beside the turn that begins: what they offer is there with the
// next one.
func (h *Host) Again() {
	for _, l := range h.links {
		l.again()
	}
}

// Tools are what the servers that have started offer, in the order of their names. Of a server that has ended since, the
// tools stay: a call starts it again.
func (h *Host) Tools() []engine.Tool {
	var all []engine.Tool
	for _, l := range h.links {
		all = append(all, l.offered()...)
	}
	return all
}

// State is how a server does.
type State string

// The states of a server. Ended: it was there, and the next call starts it again.
const (
	Starting State = "starting"
	Ready    State = "ready"
	Ended    State = "ended"
	Failed   State = "failed"
)

// Status is what can be told of one server. Reason says why it is not ready; Tools are the names that the model sees.
type Status struct {
	Name   string   `json:"name"`
	State  State    `json:"state"`
	Reason string   `json:"reason,omitempty"`
	Says   string   `json:"says,omitempty"` // name and version as the server gives them
	Tools  []string `json:"tools"`
}

// Status tells of every server, in the order of their names.
func (h *Host) Status() []Status {
	var all []Status
	for _, l := range h.links {
		all = append(all, l.status())
	}
	return all
}

// Close ends every connection and process. It takes no longer than the slowest server needs to be killed.
func (h *Host) Close() {
	var all sync.WaitGroup
	for _, l := range h.links {
		all.Add(1)
		engine.Go("close mcp "+l.s.Name, func() {
			defer all.Done()
			l.close()
		})
	}
	all.Wait()
}

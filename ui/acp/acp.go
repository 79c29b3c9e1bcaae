// Package acp lets an editor drive the agent over its standard input and output, by the Agent Client Protocol: the same ops
// and events as the screen's, in other words. Editors start the program as "talaria acp".
//
// Each session of the editor is an engine of its own, in the directory that it names. The package refuses to know where
// sessions are kept and how an engine is made, and to write anything but the protocol on its output.
package acp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	proto "github.com/coder/acp-go-sdk"

	"talaria/engine"
)

// Engine is what a session needs of an engine: ops in, events out. Events closes when the engine has ended.
type Engine interface {
	Do(op engine.Op)
	Events() <-chan engine.Event
}

// Begin says what session an engine is to be started for: the directory, absolute, further allowed roots, the id of a
// stored session or "", and the tool servers that the editor brings.
type Begin struct {
	Dir     string
	AddDirs []string
	Session string
	Servers []Server
}

// Server is a tool server of the editor's: a command, or an address.
type Server struct {
	Name, Command, URL string
	Args               []string
	Env, Headers       map[string]string
}

// Deps is what serving needs. Start makes an engine; its end function stops it and waits until all is stored. Pictures is
// a directory for those that an editor sends; it is made when one comes.
type Deps struct {
	In       io.Reader
	Out      io.Writer
	Version  string
	Mode     string
	Library  engine.Library
	Pictures string
	Start    func(ctx context.Context, b Begin) (e Engine, end func(), err error)
}

// Serve answers an editor until it closes its end, or ctx ends. All engines have ended then.
func Serve(ctx context.Context, d Deps) {
	a := &agent{d: d, ctx: ctx, sessions: map[string]*session{}}
	a.conn = proto.NewAgentSideConnection(a, d.Out, d.In)
	a.conn.SetLogger(slog.New(slog.DiscardHandler)) // its words would stand among the editor's
	close(a.ready())
	select {
	case <-a.conn.Done():
	case <-ctx.Done():
	}
	a.mu.Lock()
	all := a.sessions
	a.sessions = nil
	a.mu.Unlock()
	for _, s := range all {
		s.end()
	}
}

// agent is the protocol's side of all sessions.
type agent struct {
	d    Deps
	ctx  context.Context
	conn *proto.AgentSideConnection

	mu       sync.Mutex
	began    chan struct{}
	sessions map[string]*session // nil when the editor has gone
}

// ready closes when conn is set: a request may come before its constructor returns.
func (a *agent) ready() chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.began == nil {
		a.began = make(chan struct{})
	}
	return a.began
}

// modes are the approval modes, with the words that an editor shows.
var modes = []proto.SessionMode{
	{Id: "ask", Name: "Ask", Description: proto.Ptr("asks before edits and commands")},
	{Id: "edit", Name: "Edit", Description: proto.Ptr("edits are allowed, commands ask")},
	{Id: "plan", Name: "Plan", Description: proto.Ptr("reads only")},
	{Id: "auto", Name: "Auto", Description: proto.Ptr("everything but the hard-line list is allowed")},
}

// Initialize tells what this agent can do.
func (a *agent) Initialize(context.Context, proto.InitializeRequest) (proto.InitializeResponse, error) {
	return proto.InitializeResponse{ProtocolVersion: proto.ProtocolVersionNumber, AuthMethods: []proto.AuthMethod{},
		AgentInfo: &proto.Implementation{Name: "talaria", Title: proto.Ptr("Talaria"), Version: a.d.Version},
		AgentCapabilities: proto.AgentCapabilities{LoadSession: true, McpCapabilities: proto.McpCapabilities{Http: true},
			PromptCapabilities:  proto.PromptCapabilities{Image: true, EmbeddedContext: true},
			SessionCapabilities: proto.SessionCapabilities{List: &proto.SessionListCapabilities{}, Resume: &proto.SessionResumeCapabilities{}, Close: &proto.SessionCloseCapabilities{}, AdditionalDirectories: &proto.SessionAdditionalDirectoriesCapabilities{}}}}, nil
}

// Authenticate has nothing to do: keys come from the configuration and the environment.
func (a *agent) Authenticate(context.Context, proto.AuthenticateRequest) (proto.AuthenticateResponse, error) {
	return proto.AuthenticateResponse{}, nil
}

// NewSession starts an engine in a directory.
func (a *agent) NewSession(_ context.Context, r proto.NewSessionRequest) (proto.NewSessionResponse, error) {
	s, err := a.open(Begin{Dir: r.Cwd, AddDirs: r.AdditionalDirectories, Servers: serversOf(r.McpServers)})
	if err != nil {
		return proto.NewSessionResponse{}, err
	}
	return proto.NewSessionResponse{SessionId: s.id, Modes: s.modes()}, nil
}

// LoadSession goes on with a stored session, and tells what was said in it.
func (a *agent) LoadSession(_ context.Context, r proto.LoadSessionRequest) (proto.LoadSessionResponse, error) {
	s, err := a.open(Begin{Dir: r.Cwd, AddDirs: r.AdditionalDirectories, Session: string(r.SessionId), Servers: serversOf(r.McpServers)})
	if err != nil {
		return proto.LoadSessionResponse{}, err
	}
	s.replay()
	return proto.LoadSessionResponse{Modes: s.modes()}, nil
}

// ResumeSession is LoadSession without telling.
func (a *agent) ResumeSession(_ context.Context, r proto.ResumeSessionRequest) (proto.ResumeSessionResponse, error) {
	s, err := a.open(Begin{Dir: r.Cwd, AddDirs: r.AdditionalDirectories, Session: string(r.SessionId), Servers: serversOf(r.McpServers)})
	if err != nil {
		return proto.ResumeSessionResponse{}, err
	}
	return proto.ResumeSessionResponse{Modes: s.modes()}, nil
}

// listed is how many sessions a list has at most.
const listed = 100

// ListSessions are the newest ones, of a directory or of all.
func (a *agent) ListSessions(ctx context.Context, r proto.ListSessionsRequest) (proto.ListSessionsResponse, error) {
	q := engine.Query{Limit: listed}
	if r.Cwd != nil {
		q.Dir = *r.Cwd
	}
	out := proto.ListSessionsResponse{Sessions: []proto.SessionInfo{}}
	all, err := a.d.Library.List(ctx, q)
	if err != nil {
		return out, refused("list the sessions", err)
	}
	for _, s := range all {
		info := proto.SessionInfo{SessionId: proto.SessionId(s.ID), Cwd: s.Dir, UpdatedAt: proto.Ptr(s.Updated.UTC().Format(time.RFC3339))}
		if s.Title != "" {
			info.Title = proto.Ptr(s.Title)
		}
		out.Sessions = append(out.Sessions, info)
	}
	return out, nil
}

// CloseSession ends the engine of a session.
func (a *agent) CloseSession(_ context.Context, r proto.CloseSessionRequest) (proto.CloseSessionResponse, error) {
	s, err := a.session(r.SessionId)
	if err != nil {
		return proto.CloseSessionResponse{}, err
	}
	a.mu.Lock()
	delete(a.sessions, string(r.SessionId))
	a.mu.Unlock()
	s.end()
	return proto.CloseSessionResponse{}, nil
}

// SetSessionMode changes the approval mode.
func (a *agent) SetSessionMode(_ context.Context, r proto.SetSessionModeRequest) (proto.SetSessionModeResponse, error) {
	s, err := a.session(r.SessionId)
	if err != nil {
		return proto.SetSessionModeResponse{}, err
	}
	if !slices.ContainsFunc(modes, func(m proto.SessionMode) bool { return m.Id == r.ModeId }) {
		return proto.SetSessionModeResponse{}, proto.NewInvalidParams(map[string]any{"error": fmt.Sprintf("there is no mode %q", r.ModeId)})
	}
	s.engine.Do(engine.Set{Mode: string(r.ModeId)})
	return proto.SetSessionModeResponse{}, nil
}

// SetSessionConfigOption refuses: no options are offered.
func (a *agent) SetSessionConfigOption(context.Context, proto.SetSessionConfigOptionRequest) (proto.SetSessionConfigOptionResponse, error) {
	return proto.SetSessionConfigOptionResponse{}, proto.NewMethodNotFound(proto.AgentMethodSessionSetConfigOption)
}

// Prompt runs one turn.
func (a *agent) Prompt(ctx context.Context, r proto.PromptRequest) (proto.PromptResponse, error) {
	s, err := a.session(r.SessionId)
	if err != nil {
		return proto.PromptResponse{}, err
	}
	return s.prompt(ctx, r.Prompt)
}

// Cancel stops the turn of a session at once.
func (a *agent) Cancel(_ context.Context, r proto.CancelNotification) error {
	s, err := a.session(r.SessionId)
	if err == nil {
		s.engine.Do(engine.Interrupt{})
	}
	return nil
}

func (a *agent) session(id proto.SessionId) (*session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := a.sessions[string(id)]; s != nil {
		return s, nil
	}
	return nil, proto.NewInvalidParams(map[string]any{"error": fmt.Sprintf("session %s is not open; session/load opens it", id)})
}

// refused is an error for the editor: what was being done, and why not.
func refused(doing string, err error) error {
	return &proto.RequestError{Code: -32603, Message: fmt.Sprintf("%s: %v", doing, err)}
}

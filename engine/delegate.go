package engine

import (
	"context"
	"time"
)

// Why a session has a parent (Session.ParentWhy). A delegate is not listed by itself; a lineage of compressions is one row.
const (
	WhyDelegate    = "delegate"
	WhyCompression = "compression"
	WhyFork        = "fork"
)

// AgentState says how a delegated agent stands: AgentWorking, or the Exit it ended with.
type AgentState string

// AgentWorking is the state of an agent that runs.
const AgentWorking AgentState = "working"

// AgentInfo is a delegated agent as the screen lists it. Step counts its rounds; Doing is the line of the action that
// runs, "" between two. Cost is in US dollars, nil when not known.
type AgentInfo struct {
	ID    string
	Goal  string
	State AgentState
	Step  int
	Doing string
	Began time.Time
	Usage Usage
	Cost  *float64
}

// Agents is what the screen may ask about delegated agents. Both return at once.
type Agents interface {
	// Agents lists those that run, oldest first.
	Agents() []AgentInfo
	// StopAgent stops one at once; "" stops all.
	StopAgent(id string)
}

type agentKey struct{}

// WithAgent marks ctx as the work of a delegated agent, so that what it asks names it.
func WithAgent(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, agentKey{}, id)
}

// AgentOf is the delegated agent whose work ctx is, "" for the user's own conversation.
func AgentOf(ctx context.Context) string {
	id, _ := ctx.Value(agentKey{}).(string)
	return id
}

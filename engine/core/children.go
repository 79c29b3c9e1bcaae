package core

import (
	"context"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/core/delegate"
	"talaria/engine/core/ward"
	"talaria/engine/prompt"
	"talaria/engine/tools"
)

// newDelegate makes the tool that sends out agents.
func (c *Core) newDelegate() *delegate.Tool {
	d := c.d.Resolver.Config.Delegation
	return delegate.New(parent{c}, delegate.Limits{MaxIterations: d.MaxIterations, MaxParallel: d.MaxParallel, MaxDepth: d.MaxDepth, Share: d.ShareBudget}, c.d.Now)
}

// Agents lists the delegated agents that run.
func (c *Core) Agents() []engine.AgentInfo { return c.agents.Agents() }

// StopAgent stops one delegated agent, or with "" all of them.
func (c *Core) StopAgent(id string) { c.agents.StopAgent(id) }

// parent is the conversation of this engine as its delegated agents need it.
type parent struct{ c *Core }

// Child gives an agent its own working directory, shell, task list and gates: what it does must not move the parent's.
func (p parent) Child(string) (agent.Deps, func()) {
	c := p.c
	main := *c.asked.Load() // a turn runs, so there is one
	var provider engine.Provider
	provider, err := c.d.Build(main)
	if err != nil {
		provider = failing{engine.AsError(err)}
	}
	if chain, ok := provider.(interface{ Turn() engine.Provider }); ok {
		provider = chain.Turn()
	}
	k := c.newKit(context.Background(), tools.TodoTool(nil))
	mask := c.masker()
	return agent.Deps{
		Provider: c.out.Provider(provider), Tools: c.hintsFor(k.space.Dir).Box(c.out.Box(k.box)), Gates: c.gates(k), Sanitise: prompt.SanitiseInput, Mask: mask, Redact: ward.Redact,
		Live: func() agent.Masker { return ward.NewLive(mask) },
		Line: lineOf, Price: c.price, Now: c.d.Now, Wait: c.wait, Route: main.Route, Window: func(r engine.Route) int { return c.window(main, r) },
		MaxTokens: main.MaxOutput, Workers: c.d.Resolver.Config.Agent.ToolWorkers,
	}, func() { _, _ = k.shell.Close() } // what cannot be ended cannot be helped
}

// Log starts the record of an agent's session; it hangs below the parent's and is not listed.
func (p parent) Log(ctx context.Context, s engine.Session) (engine.Log, error) {
	return p.c.d.Store.Create(ctx, s)
}

// Session is the parent's row.
func (p parent) Session() engine.Session { return p.c.journal.Session() }

// Tell makes an event part of the parent's stream.
func (p parent) Tell(ctx context.Context, e engine.Event) {
	p.c.journal.Emit(context.WithoutCancel(ctx), e)
}

// Charge counts an agent's work in the running turn.
func (p parent) Charge(o engine.Outcome, rounds int) {
	if a := p.c.turn.Load(); a != nil {
		a.Charge(o.Usage, o.Cost, rounds)
	}
}

// Left is how many rounds the running turn has left, negative without a cap.
func (p parent) Left() int {
	if a := p.c.turn.Load(); a != nil {
		return a.Left()
	}
	return -1
}

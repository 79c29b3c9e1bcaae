package agent

import (
	"context"

	"talaria/engine"
)

// Crowd is a history that has become too long. Fixed are the estimated tokens of prompt and tools, Tokens the best known
// size of the whole request, Scale how far real usage is from the estimate (1: as estimated). Err is the server's refusal,
// nil when it is our own threshold that was passed.
type Crowd struct {
	Messages []engine.Message
	Route    engine.Route
	Window   int
	Fixed    int
	Tokens   int
	Scale    float64
	Err      *engine.Error
}

// Shrunk is the history that stands in its place, the prompt that goes with it, and the session that it is kept in.
type Shrunk struct {
	Messages []engine.Message
	System   string
	Session  engine.Session
}

// mostPasses bounds how often one round, or one refused request, may compress (BEHAVIOUR 10.2).
const mostPasses = 3

// meter is how large the conversation is: what the server counted last, and what came since.
type meter struct {
	real    int     // tokens of the last request and its reply, 0 when no server told yet
	at      int     // messages that were part of it
	scale   float64 // real usage by estimate, smoothed
	waiting bool    // compressed just now: only the server's next count may call for another
	gaveUp  bool    // compressing gained nothing: not again in this turn
}

// size is the best guess of the next request's tokens.
func (c *conversation) size(specs []engine.Spec) int {
	m := &c.meter
	if m.real > 0 && m.at <= len(c.messages) {
		return m.real + int(float64(estimate(c.memo.tokens, "", c.messages[m.at:], nil))*m.factor())
	}
	return int(float64(c.tokens(c.messages, specs)) * m.factor())
}

func (m *meter) factor() float64 {
	if m.scale <= 0 {
		return 1
	}
	return m.scale
}

// counted learns from what the server says a request had.
func (m *meter) counted(u engine.Usage, estimate, messages int) {
	m.real, m.at, m.waiting = u.Input+u.Output, messages, false
	if estimate <= 0 || u.Input <= 0 {
		return
	}
	const newest = 0.5 // the share of the newest count in the smoothed ratio
	ratio := min(max(float64(u.Input)/float64(estimate), 0.2), 5)
	if m.scale <= 0 {
		m.scale = ratio
	} else {
		m.scale += newest * (ratio - m.scale)
	}
}

// makeRoom compresses the history before a request when it has passed the threshold, at most three times.
func (a *Agent) makeRoom(ctx context.Context, c *conversation) {
	if a.d.Compact == nil {
		return
	}
	specs := a.d.Tools.Specs()
	for range mostPasses {
		limit := a.d.Limit(c.route)
		if limit <= 0 || c.meter.waiting || c.meter.gaveUp || c.size(specs) < limit || !a.shrink(ctx, c, nil) {
			return
		}
	}
}

// overflowed compresses the history that a server refused as too long; false when there is nothing to gain any more.
func (a *Agent) overflowed(ctx context.Context, c *conversation, err *engine.Error) bool {
	if a.d.Compact == nil || err == nil || !engine.PlanOf(err.Reason).Compress || c.passes >= mostPasses {
		return false
	}
	c.passes++
	if !a.shrink(ctx, c, err) {
		return false
	}
	c.recovered(engine.Retry{Err: err, Action: engine.ActionCompress, Provider: c.route.Provider, Model: c.route.Model})
	return true
}

// shrink replaces the history by a smaller one. What comes back is stored already.
func (a *Agent) shrink(ctx context.Context, c *conversation, err *engine.Error) bool {
	specs := a.d.Tools.Specs()
	window := a.d.Window(c.route)
	if err != nil && err.Window > 0 {
		window = err.Window
	}
	scale := c.meter.factor()
	if err != nil {
		scale = max(scale, 1) // the server says it is too much: no count of before may call it small
		n := c.tokens(c.messages, specs)
		if n > 0 && int(float64(n)*scale) < err.Window {
			scale = float64(err.Window) / float64(n)
		}
		if refused := int(float64(n) * scale); window <= 0 || refused < window {
			window = refused // what was refused did not fit, whatever is believed of the model
		}
	}
	s, failed := a.d.Compact(ctx, Crowd{Messages: c.messages, Route: c.route, Window: window, Fixed: c.tokens(nil, specs),
		Tokens: c.size(specs), Scale: scale, Err: err})
	if failed != nil {
		c.meter.gaveUp = true
		return false
	}
	c.messages, c.system = s.Messages, s.System
	if s.Session.ID != "" {
		c.d.Session.ID, c.d.Session.ParentID = s.Session.ID, s.Session.ParentID
	}
	c.meter.real, c.meter.waiting = 0, true
	return true
}

package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

// conversation is the state of one turn. It belongs to the goroutine that runs the loop.
type conversation struct {
	d          Deps
	memo       *memo
	in         Input
	began      time.Time
	system     string
	messages   []engine.Message
	budget     budget
	usage      engine.Usage // of this turn
	spent      float64      // dollars of this turn, as far as known
	priced     bool         // spent is complete: every reply had a price
	unpriced   bool
	changed    []string
	recoveries []engine.Recovery
	refused    int // batches in a row in which no call could be run
	cut        int // replies in a row that the output limit cut inside a call
	needsUser  string
	repeats    repeats
	extra      string        // what the requests of this turn say after the newest message of the user
	said       string        // the visible part of a reply that did not come to its end
	route      engine.Route  // who is asked: the chosen model, or after a fallback another one
	switched   *engine.Retry // a fallback that the user was not told of yet
	told       bool          // one was told of
	offline    bool          // the newest recovery is a wait for the network
	acks       int           // replies that announced what they did not do
	nudge      string        // a word for the next request alone: never stored, never shown
	meter      meter         // how large it is
	estimate   int           // of the newest request
	passes     int           // times a refused request was compressed in this turn
}

// tokens guesses the size of a request with these messages.
func (c *conversation) tokens(msgs []engine.Message, specs []engine.Spec) int {
	return estimate(c.memo.tokens, c.system, msgs, specs)
}

func (c *conversation) emit(ctx context.Context, e engine.Event) {
	c.d.Emit(context.WithoutCancel(ctx), e)
}

// add stores messages and tells of them. It is done with even when the turn is being stopped.
func (c *conversation) add(ctx context.Context, msgs ...engine.Message) {
	for _, m := range msgs {
		c.messages = append(c.messages, m)
		c.emit(ctx, engine.Appended{Message: m})
	}
}

// turnNumber counts the user's messages, steers apart, this turn's included.
func (c *conversation) turnNumber() int {
	if c.d.Session.Root != "" { // older turns are not in the history any more
		if c.in.Continue {
			return max(c.d.Session.Turns, 1)
		}
		return c.d.Session.Turns + 1
	}
	n := 1
	for _, m := range c.messages {
		if m.Role == engine.RoleUser && !m.Steer {
			n++
		}
	}
	if c.in.Continue && n > 1 {
		n--
	}
	return n
}

// userMessage is what is stored; the text that is sent may be another (PersistText) and is put in by request.
func (c *conversation) userMessage(in Input) engine.Message {
	text := in.Text
	if in.PersistText != "" {
		text = in.PersistText
	}
	m := engine.UserMessage(c.d.Sanitise(text), c.d.Now())
	if in.ID != "" {
		m.ID = in.ID
	}
	for _, img := range in.Attachments {
		m.Parts = append(m.Parts, img)
	}
	c.in.ID = m.ID
	return m
}

// request is the model call for the history as it stands: a repaired copy, with the last notice in a grace call.
func (c *conversation) request(specs []engine.Spec) engine.Request {
	history := slices.Clone(c.messages)
	if c.in.PersistText != "" {
		for i, m := range history {
			if m.ID == c.in.ID {
				history[i].Parts = append(engine.Parts{engine.Text{Text: c.d.Sanitise(c.in.Text)}}, m.Parts[1:]...)
			}
		}
	}
	history = withExtra(c.withoutDropped(history), c.extra)
	if c.budget.last {
		history = append(history, engine.UserMessage(lastNotice, c.d.Now()))
	} else if c.nudge != "" {
		history = append(history, engine.UserMessage(c.nudge, c.d.Now()))
	}
	msgs := c.memo.repair(engine.Native(history, c.route.Maker()))
	c.estimate = c.tokens(msgs, specs)
	return engine.Request{
		Route: c.route, System: c.system, Messages: msgs, Tools: specs, MaxTokens: c.d.MaxTokens,
		SessionID: c.d.Session.ID, Estimate: c.estimate, Window: c.d.Window(c.route), Wait: c.d.Wait, Offer: c.d.Offer,
		MayBeEmpty: c.answered() != "",
	}
}

// withExtra puts what outside wants to add after the newest message of the user, in a copy that is sent.
func withExtra(history []engine.Message, extra string) []engine.Message {
	if extra == "" {
		return history
	}
	for i := len(history) - 1; i >= 0; i-- {
		if m := history[i]; m.Role == engine.RoleUser && !m.Steer {
			history[i].Parts = append(slices.Clone(m.Parts), engine.Text{Text: "\n\n<context>\n" + extra + "\n</context>"})
			break
		}
	}
	return history
}

// droppedText stands where the user left something out of what the model is sent.
const droppedText = "[left out by the user]"

// withoutDropped leaves out, in the copy that is sent, what the user dropped: the message stays, so that calls keep their
// results, but not what it says.
func (c *conversation) withoutDropped(history []engine.Message) []engine.Message {
	if c.d.Dropped == nil {
		return history
	}
	for i, m := range history {
		if !c.d.Dropped(m.ID) {
			continue
		}
		var parts engine.Parts
		for _, p := range m.Parts {
			switch p := p.(type) {
			case engine.Text, engine.Image, engine.Unknown:
				parts = append(parts, engine.Text{Text: droppedText})
			case engine.Result:
				p.Text = droppedText
				parts = append(parts, p)
			case engine.Call, engine.Thought, engine.Opaque:
				parts = append(parts, p)
			}
		}
		history[i].Parts = parts
	}
	return history
}

// account adds the usage of a reply and of the attempts that failed before it.
func (c *conversation) account(ctx context.Context, m engine.Message, lost engine.Usage) {
	c.budget.api++
	used := lost
	if m.Usage != nil {
		used = used.Add(*m.Usage)
	}
	c.usage = c.usage.Add(used)
	if price := c.d.Price(c.route, used); price != nil && m.Usage != nil {
		c.spent, c.priced = c.spent+*price, true
	} else {
		c.unpriced = true
	}
	size := c.estimate + size(c.memo.tokens, m) // until the server tells; with the tools, since the next turn goes by it
	if m.Usage != nil {
		size = m.Usage.Input + m.Usage.Output
		c.meter.counted(*m.Usage, c.estimate, len(c.messages)+1)
	} else {
		c.meter.real, c.meter.waiting = 0, false // this server does not count: the estimate has to do
	}
	total := c.d.Session.Usage.Add(c.usage)
	c.emit(ctx, engine.Used{Usage: used, Total: total, Cost: c.sessionCost(), Context: size, Window: c.d.Window(c.route)})
}

// cost is the turn's price in dollars; nil when any part of it is not known.
func (c *conversation) cost() *float64 {
	if !c.priced || c.unpriced {
		return nil
	}
	spent := c.spent
	return &spent
}

// sessionCost is the price of the session so far; nil when any part of it is not known.
func (c *conversation) sessionCost() *float64 {
	turn, before := c.cost(), c.d.Session.Cost
	if turn == nil || before == nil && c.d.Session.Messages > 0 {
		return nil
	}
	if before != nil {
		sum := *turn + *before
		return &sum
	}
	return turn
}

// changedFiles notes what a result changed on disk.
func (c *conversation) changedFiles(r engine.Result) {
	for _, path := range r.Changed {
		if !slices.Contains(c.changed, path) {
			c.changed = append(c.changed, path)
		}
	}
}

// recovered notes a repeated request for the result, and who is asked from now on. While the network is waited for,
// however often it is looked whether it is back, that is one recovery.
func (c *conversation) recovered(r engine.Retry) {
	if r.Route != nil {
		c.route = *r.Route
		c.switched = &r
	}
	rec := engine.Recovery{Action: r.Action, AfterMS: r.After.Milliseconds(), Provider: r.Provider, Model: r.Model, Reason: engine.ReasonUnknown}
	if r.Err != nil {
		rec.Reason = r.Err.Reason
		if r.Err.Code == engine.CodeOutputLimit {
			c.budget.api++ // that request succeeded; only its output was cut
		}
	}
	offline := r.Err != nil && r.Err.Code == engine.CodeOffline
	if n := len(c.recoveries); offline && c.offline && n > 0 {
		c.recoveries[n-1].AfterMS += rec.AfterMS
		return
	}
	c.offline = offline
	c.recoveries = append(c.recoveries, rec)
}

// answering says once a turn that another model than the chosen one answers: when it does, so that nothing is promised.
func (c *conversation) answering(ctx context.Context) {
	r := c.switched
	c.switched = nil
	if r == nil || c.told || c.route == c.d.Route {
		return
	}
	c.told = true
	why := engine.ReasonUnknown
	if r.Err != nil {
		why = r.Err.Reason
	}
	c.emit(ctx, engine.Noted{Kind: engine.NoteWarning, Text: fmt.Sprintf("%s/%s does not answer (%s). %s/%s answers for the rest of this turn.",
		c.d.Route.Provider, c.d.Route.Model, strings.ReplaceAll(string(why), "_", " "), c.route.Provider, c.route.Model)})
}

// lastText is the newest visible text of this turn, for the ends that have no final reply.
func (c *conversation) lastText() string {
	for i := len(c.messages) - 1; i >= 0; i-- {
		m := c.messages[i]
		if m.Role == engine.RoleUser && !m.Steer {
			return ""
		}
		if text := m.Text(); m.Role == engine.RoleAssistant && !m.Aside && text != "" {
			return text
		}
	}
	return ""
}

func (c *conversation) finished(reply engine.Message) engine.Outcome {
	return engine.Outcome{Final: reply.Text(), Reasoning: reply.Reasoning(), Completed: true, Exit: engine.ExitFinished}
}

func (c *conversation) exhausted(reply engine.Message) engine.Outcome {
	final := reply.Text()
	if final == "" {
		final = fmt.Sprintf("The limit of %d rounds was reached, and the model gave no summary. What was done is above.", c.budget.max)
	}
	return engine.Outcome{Final: final, Exit: engine.ExitIterations}
}

func (c *conversation) interrupted() engine.Outcome {
	so := c.soFar()
	return engine.Outcome{Final: so, Interrupted: true, Partial: so != "", Exit: engine.ExitInterrupted}
}

// soFar is what can be shown of a turn that did not come to its end: the cut reply, else the newest whole text.
func (c *conversation) soFar() string {
	if c.said != "" {
		return c.said
	}
	return c.lastText()
}

func (c *conversation) failed(err *engine.Error) engine.Outcome {
	so := c.soFar()
	o := engine.Outcome{Final: so, Partial: so != "", Exit: engine.ExitFailed, Err: err}
	if err.Reason == engine.ReasonContentPolicy || err.Reason == engine.ReasonProviderPolicy {
		o.Exit = engine.ExitBlocked
	}
	return o
}

// newest is the text of the user's newest message, as the model reads it.
func (c *conversation) newest() string {
	if !c.in.Continue {
		return c.d.Sanitise(c.in.Text)
	}
	for i := len(c.messages) - 1; i >= 0; i-- {
		if m := c.messages[i]; m.Role == engine.RoleUser && !m.Steer {
			return m.Text()
		}
	}
	return ""
}

package agent

import (
	"sync"

	"talaria/engine"
)

// ledger holds what was used on behalf of the running turn by agents that it sent out, until the turn adds it to its own.
type ledger struct {
	mu       sync.Mutex
	usage    engine.Usage
	cost     float64
	unpriced bool
	rounds   int
}

// Charge counts the work of a delegated agent in the running turn: its usage, its cost in dollars (nil: not known) and
// the rounds that it took from the turn's budget. It may be called from any goroutine.
func (a *Agent) Charge(u engine.Usage, cost *float64, rounds int) {
	a.sent.mu.Lock()
	defer a.sent.mu.Unlock()
	a.sent.usage = a.sent.usage.Add(u)
	a.sent.rounds += rounds
	switch {
	case cost != nil:
		a.sent.cost += *cost
	case u != (engine.Usage{}):
		a.sent.unpriced = true
	}
}

// Left is how many rounds the running turn has left for agents that share its budget; -1 without a cap or a turn. It is
// for tools of the turn, which run while the loop waits.
func (a *Agent) Left() int {
	c := a.current.Load()
	if c == nil || c.budget.max <= 0 {
		return -1
	}
	a.sent.mu.Lock()
	defer a.sent.mu.Unlock()
	return max(c.budget.max-c.budget.used-a.sent.rounds, 0)
}

// collect moves the ledger into the turn.
func (a *Agent) collect(c *conversation) {
	l := &a.sent
	l.mu.Lock()
	defer l.mu.Unlock()
	c.usage = c.usage.Add(l.usage)
	c.spent += l.cost
	c.unpriced = c.unpriced || l.unpriced
	c.budget.used += l.rounds
	l.usage, l.cost, l.unpriced, l.rounds = engine.Usage{}, 0, false, 0
}

// Package ledger adds up what a session used: by model, by turn, by side task, and what compressing gained. It reads the
// records of the session and of those that it goes on from. It refuses to guess: what has no price is not known.
package ledger

import (
	"context"
	"fmt"
	"slices"

	"talaria/engine"
)

// Source is the session whose bill it is.
type Source interface {
	Session() engine.Session
	Records(ctx context.Context) ([]engine.Record, error)
}

// Tail reads the records of a session that this one goes on from.
type Tail func(ctx context.Context, id string, n int) ([]engine.Record, error)

// Ledger implements engine.Ledger.
type Ledger struct {
	of   Source
	tail Tail
}

// New returns the ledger of a session.
func New(of Source, tail Tail) Ledger { return Ledger{of, tail} }

// lineageMost ends a walk through parents that some damage made endless.
const lineageMost = 200

// Bill adds up what the session used.
func (l Ledger) Bill(ctx context.Context) (engine.Bill, error) {
	row := l.of.Session()
	recs, err := l.of.Records(ctx)
	if err != nil {
		return engine.Bill{}, fmt.Errorf("read the session: %w", err)
	}
	parent, why := row.ParentID, row.ParentWhy
	for range lineageMost {
		if why != engine.WhyCompression || parent == "" {
			break
		}
		before, err := l.tail(ctx, parent, 0)
		if err != nil {
			return engine.Bill{}, fmt.Errorf("read the session that this one goes on from: %w", err)
		}
		recs = append(slices.Clone(before), recs...)
		parent, why = "", ""
		if i := slices.IndexFunc(before, opened); i >= 0 {
			first := before[i].Event.(engine.Opened).Session
			parent, why = first.ParentID, first.ParentWhy
		}
	}
	return add(row, recs), nil
}

func opened(r engine.Record) bool { _, ok := r.Event.(engine.Opened); return ok }

// add sums up records. What the row counts beyond the turns went to side tasks.
func add(row engine.Session, recs []engine.Record) engine.Bill {
	b := engine.Bill{Total: row.Usage, Cost: row.Cost, Side: engine.Share{Name: "side tasks", Usage: row.Usage, Cost: row.Cost}}
	for _, r := range recs {
		if e, ok := r.Event.(engine.Compacted); ok && e.Child != "" {
			b.Squeezed = append(b.Squeezed, engine.Squeeze{At: r.At, Before: e.Before, After: e.After})
		}
		e, ok := r.Event.(engine.Ended)
		if !ok || e.Outcome.Usage == (engine.Usage{}) {
			continue
		}
		o := e.Outcome
		name := o.Route.Provider + "/" + o.Route.Model
		i := slices.IndexFunc(b.Models, func(s engine.Share) bool { return s.Name == name })
		if i < 0 {
			i = len(b.Models)
			b.Models = append(b.Models, engine.Share{Name: name, Cost: new(float64)})
		}
		s := &b.Models[i]
		s.Turns++
		s.Usage = s.Usage.Add(o.Usage)
		s.Cost = sum(s.Cost, o.Cost, 1)
		b.Side.Usage = less(b.Side.Usage, o.Usage)
		b.Side.Cost = sum(b.Side.Cost, o.Cost, -1)
	}
	if b.Side.Usage == (engine.Usage{}) {
		b.Side.Cost = new(float64)
	}
	if c := b.Side.Cost; c != nil && *c < 1e-9 { // what is left of adding and taking away
		*c = 0
	}
	return b
}

// sum is a + sign*b, nil when one of them is not known.
func sum(a, b *float64, sign float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	total := *a + sign**b
	return &total
}

// less is a without b, nothing below zero: a turn that a crash cut counted, without an end.
func less(a, b engine.Usage) engine.Usage {
	return engine.Usage{Input: max(0, a.Input-b.Input), Output: max(0, a.Output-b.Output), CacheRead: max(0, a.CacheRead-b.CacheRead),
		CacheWrite: max(0, a.CacheWrite-b.CacheWrite), Reasoning: max(0, a.Reasoning-b.Reasoning)}
}

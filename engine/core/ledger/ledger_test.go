package ledger

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"talaria/engine"
)

func ended(model string, in, out int, cost *float64) engine.Record {
	return engine.Record{Event: engine.Ended{Outcome: engine.Outcome{Route: engine.Route{Provider: "lab", Model: model}, Usage: engine.Usage{Input: in, Output: out}, Cost: cost}}}
}

// open is the session on screen.
type open struct {
	row  engine.Session
	recs []engine.Record
}

func (o *open) Session() engine.Session                          { return o.row }
func (o *open) Records(context.Context) ([]engine.Record, error) { return o.recs, nil }

func TestTheBillGoesBackThroughCompressionsAndLeavesSideTasksTheRest(t *testing.T) {
	at := time.Unix(1, 0)
	before := []engine.Record{{Event: engine.Opened{Session: engine.Session{ID: "first"}}}, ended("large", 1000, 100, new(0.10)),
		{At: at, Event: engine.Compacted{Child: "second", Before: 900, After: 300}}}
	now := []engine.Record{{Event: engine.Opened{Session: engine.Session{ID: "second", ParentID: "first", ParentWhy: engine.WhyCompression}}}, ended("small", 50, 5, new(0.01)),
		{Event: engine.Compacted{Running: true, Before: 5}}, ended("large", 200, 20, new(0.02))}
	of := &open{engine.Session{ID: "second", ParentID: "first", ParentWhy: engine.WhyCompression, Usage: engine.Usage{Input: 1300, Output: 130}, Cost: new(0.15)}, now}
	l := New(of, func(_ context.Context, id string, n int) ([]engine.Record, error) {
		if id != "first" || n != 0 {
			return nil, errors.New("who is that")
		}
		return before, nil
	})
	b, err := l.Bill(t.Context())
	if err != nil || len(b.Models) != 2 || b.Models[0].Name != "lab/large" || b.Models[0].Turns != 2 || b.Models[0].Usage != (engine.Usage{Input: 1200, Output: 120}) {
		t.Fatalf("%+v %v", b, err)
	}
	if b.Side.Usage != (engine.Usage{Input: 50, Output: 5}) || b.Side.Cost == nil || math.Abs(*b.Side.Cost-0.02) > 1e-9 || math.Abs(*b.Models[0].Cost-0.12) > 1e-9 {
		t.Errorf("%+v", b.Side)
	}
	if len(b.Squeezed) != 1 || b.Squeezed[0] != (engine.Squeeze{At: at, Before: 900, After: 300}) {
		t.Errorf("%+v", b.Squeezed)
	}
	of.recs = append(of.recs, ended("free", 10, 1, nil)) // a price that is not known is not nothing
	if b, _ = l.Bill(t.Context()); b.Models[2].Cost != nil || b.Side.Cost != nil {
		t.Errorf("%+v", b)
	}
	l = New(of, func(context.Context, string, int) ([]engine.Record, error) { return nil, errors.New("locked") })
	if _, err := l.Bill(t.Context()); err == nil {
		t.Error("a part that cannot be read was left out silently")
	}
}

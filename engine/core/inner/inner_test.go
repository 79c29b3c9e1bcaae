package inner

import (
	"context"
	"errors"
	"strings"
	"testing"

	"talaria/engine"
)

// box has one tool, which does what its field says.
type box struct {
	do func(engine.Call) (engine.Result, error)
}

func (b box) Specs() []engine.Spec { return nil }

func (b box) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	if c.Name != "work" {
		r := engine.Badly(c, "there is no tool %q", c.Name)
		return nil, c, &r
	}
	type none struct{}
	return engine.NewTool(engine.Spec{Name: "work"}, func(_ context.Context, c engine.Call, _ none, _ engine.Output) (engine.Result, error) { return b.do(c) }, nil), c, nil
}

func TestEveryCallComesToAResult(t *testing.T) {
	call := engine.Call{ID: "c", Name: "work", Args: "{}"}
	says := func(v engine.Verdict, err error) engine.Gate {
		return func(context.Context, engine.Call, engine.Spec) (engine.Verdict, error) { return v, err }
	}
	fine := func(c engine.Call) (engine.Result, error) { return engine.Result{Text: "did " + c.ID}, nil }
	ran := false
	never := func(engine.Call) (engine.Result, error) { ran = true; return engine.Result{}, nil }
	for name, c := range map[string]struct {
		call   engine.Call
		do     func(engine.Call) (engine.Result, error)
		gate   engine.Gate
		status engine.Status
		text   string
	}{
		"passes":     {call, fine, says(engine.Verdict{}, nil), engine.StatusDone, "did c"},
		"edited":     {call, fine, says(engine.Verdict{Call: &engine.Call{ID: "other", Name: "work", Args: "{}"}}, nil), engine.StatusDone, "did other"},
		"unknown":    {engine.Call{ID: "c", Name: "play"}, never, says(engine.Verdict{}, nil), engine.StatusRefused, "there is no tool"},
		"denied":     {call, never, says(engine.Verdict{Decision: engine.Deny, Reason: "not now"}, nil), engine.StatusDenied, "not now"},
		"by rule":    {call, never, says(engine.Verdict{Decision: engine.Deny, Policy: true, Reason: "never"}, nil), engine.StatusRefused, "never"},
		"nobody":     {call, never, says(engine.Verdict{Decision: engine.NeedsApproval, Reason: "write"}, nil), engine.StatusRefused, "nobody to ask: write"},
		"gate fails": {call, never, says(engine.Verdict{}, errors.New("broken")), engine.StatusDenied, "broken"},
		"fails":      {call, func(engine.Call) (engine.Result, error) { return engine.Result{}, errors.New("bug") }, says(engine.Verdict{}, nil), engine.StatusFailed, "bug"},
		"panics":     {call, func(engine.Call) (engine.Result, error) { panic("boom") }, says(engine.Verdict{}, nil), engine.StatusFailed, "boom"},
	} {
		r := Do(context.Background(), box{c.do}, []engine.Gate{says(engine.Verdict{}, nil), c.gate}, c.call)
		if r.Status != c.status || !strings.Contains(r.Text, c.text) {
			t.Errorf("%s: %s %q", name, r.Status, r.Text)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := Do(ctx, box{never}, nil, call); r.Status != engine.StatusStopped || ran {
		t.Errorf("%+v, ran %v", r, ran)
	}
}

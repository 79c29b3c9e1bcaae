package delegate

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider/providertest"
)

// fakeParent gives every child the same scripted model and a toolbox of two tools.
type fakeParent struct {
	mu      sync.Mutex
	model   engine.Provider
	gates   []engine.Gate
	told    []engine.Event
	charged engine.Usage
	rounds  int
	left    int
	logs    map[string]*memoryLog
}

func (p *fakeParent) Child(string) (agent.Deps, func()) {
	return agent.Deps{Provider: p.model, Tools: twoTools{}, Gates: p.gates, Route: engine.Route{Model: "m"}}, func() {}
}

func (p *fakeParent) Log(_ context.Context, s engine.Session) (engine.Log, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &memoryLog{row: s}
	p.logs[s.ID] = l
	return l, nil
}
func (p *fakeParent) Session() engine.Session {
	return engine.Session{ID: "parent", Dir: "/src/shop", Messages: 2}
}
func (p *fakeParent) Tell(_ context.Context, e engine.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, e)
}
func (p *fakeParent) Charge(o engine.Outcome, rounds int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.charged, p.rounds = p.charged.Add(o.Usage), p.rounds+rounds
}
func (p *fakeParent) Left() int { return p.left }

type memoryLog struct {
	mu   sync.Mutex
	row  engine.Session
	recs []engine.Record
}

func (l *memoryLog) Append(_ context.Context, recs ...engine.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recs = append(l.recs, recs...)
	return nil
}
func (l *memoryLog) Records(context.Context) ([]engine.Record, error) { return l.recs, nil }
func (l *memoryLog) Fold(_ context.Context, change func(*engine.Session)) error {
	change(&l.row)
	return nil
}
func (l *memoryLog) Session() engine.Session { return l.row }
func (l *memoryLog) Close() error            { return nil }

// twoTools are a reading tool of the file set and a clarify that no child may reach.
type twoTools struct{}

func (twoTools) Specs() []engine.Spec {
	return []engine.Spec{{Name: "clarify", Effect: engine.Asks, Toolset: "agent", Schema: json.RawMessage(`{}`)}, {Name: "delegate_task", Toolset: "agent"},
		{Name: "look", Effect: engine.Reads, Toolset: "file", Schema: json.RawMessage(`{}`)}}
}

type look struct{ name string }

func (l look) Spec() engine.Spec {
	for _, s := range (twoTools{}).Specs() {
		if s.Name == l.name {
			return s
		}
	}
	return engine.Spec{Name: l.name}
}
func (l look) Run(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
	r := engine.Succeeded(c, "seen")
	r.Changed = []string{"/src/shop/a.go"}
	return r, nil
}
func (twoTools) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	return look{c.Name}, c, nil
}

func newParent(steps ...providertest.Step) *fakeParent {
	return &fakeParent{model: providertest.Scripted(steps...), logs: map[string]*memoryLog{}, left: -1}
}

func delegated(t *testing.T, ctx context.Context, tool *Tool, args string) engine.Result {
	t.Helper()
	r, err := tool.Run(ctx, engine.Call{ID: "c1", Name: "delegate_task", Args: args}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var limits = Limits{MaxIterations: 50, MaxParallel: 3, MaxDepth: 1}

func TestAChildSeesOnlyItsGoalAndGivesItsSummaryBack(t *testing.T) {
	u := &engine.Usage{Input: 10, Output: 5}
	p := newParent(providertest.Say(engine.CallDelta{ID: "x", Name: "look", Args: "{}"}, engine.Done{Stop: engine.StopCalls, Usage: u}),
		providertest.Say(engine.TextDelta{Text: "It is in a.go:7."}, engine.Done{Stop: engine.StopEnd, Usage: u}))
	r := delegated(t, t.Context(), New(p, limits, time.Now), `{"goal":"find the parser","context":"it is Go"}`)
	for _, want := range []string{"It is in a.go:7.", "Ended: finished", "look 1", "/src/shop/a.go", "read them again"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("the result lacks %q:\n%s", want, r.Text)
		}
	}
	req := p.model.(*providertest.Script).Requests()[0]
	if len(req.Messages) != 1 || req.Messages[0].Text() != "find the parser" || !strings.Contains(req.System, "it is Go") || !strings.Contains(req.System, "/src/shop") {
		t.Errorf("the child was sent %+v\n%s", req.Messages, req.System)
	}
	if p.charged.Input != 20 || p.rounds != 0 {
		t.Errorf("charged %+v and %d rounds", p.charged, p.rounds)
	}
	for _, l := range p.logs {
		if l.row.ParentID != "parent" || l.row.ParentWhy != engine.WhyDelegate || len(l.recs) == 0 || l.row.Last == "" {
			t.Errorf("its session is kept as %+v with %d records", l.row, len(l.recs))
		}
	}
	for _, e := range p.told {
		if c, ok := e.(engine.Child); !ok || c.Agent != "agent 1" {
			t.Errorf("told %T %+v", e, e)
		}
	}
}

func TestAChildHasNoToolThatNeedsTheUser(t *testing.T) {
	p := newParent(providertest.Calls(engine.Call{ID: "x", Name: "clarify", Args: "{}"}), providertest.Text("done"))
	delegated(t, t.Context(), New(p, limits, time.Now), `{"goal":"ask"}`)
	reqs := p.model.(*providertest.Script).Requests()
	if len(reqs[0].Tools) != 1 || reqs[0].Tools[0].Name != "look" {
		t.Errorf("offered %+v", reqs[0].Tools)
	}
	last := reqs[1].Messages[len(reqs[1].Messages)-1]
	if res := last.Results(); len(res) != 1 || res[0].Status != engine.StatusRefused {
		t.Errorf("clarify was answered %+v", last)
	}
}

func TestDelegationBelowTheLastDepthHasItsOwnChildren(t *testing.T) {
	p := newParent(providertest.Calls(engine.Call{ID: "x", Name: "delegate_task", Args: `{"goal":"deeper"}`}), providertest.Text("from below"), providertest.Text("from the middle"))
	l := limits
	l.MaxDepth = 2
	r := delegated(t, t.Context(), New(p, l, time.Now), `{"goal":"top"}`)
	if !strings.Contains(r.Text, "from the middle") {
		t.Fatal(r.Text)
	}
	reqs := p.model.(*providertest.Script).Requests()
	if len(reqs) != 3 || reqs[1].Messages[0].Text() != "deeper" || len(reqs[1].Tools) != 1 {
		t.Errorf("the grandchild was sent %+v with %d tools", reqs[1].Messages, len(reqs[1].Tools))
	}
}

func TestMoreTasksThanMayRunAreRefusedWithTheNumber(t *testing.T) {
	r := delegated(t, t.Context(), New(newParent(), limits, time.Now), `{"tasks":[{"goal":"a"},{"goal":"b"},{"goal":"c"},{"goal":"d"}]}`)
	if r.Status != engine.StatusRefused || !strings.Contains(r.Text, "at most 3") {
		t.Errorf("%+v", r)
	}
	if r := delegated(t, t.Context(), New(newParent(), limits, time.Now), `{}`); r.Status != engine.StatusRefused {
		t.Errorf("%+v", r)
	}
}

func TestOneChildIsStoppedAndTheOthersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newParent(providertest.Hang(engine.TextDelta{Text: "so far"}), providertest.Hang())
		tool := New(p, limits, time.Now)
		done := make(chan engine.Result)
		go func() { done <- delegated(t, t.Context(), tool, `{"tasks":[{"goal":"one"},{"goal":"two"}]}`) }()
		synctest.Wait()
		all := tool.Agents()
		if len(all) != 2 || all[0].State != engine.AgentWorking {
			t.Fatalf("running: %+v", all)
		}
		tool.StopAgent(all[0].ID)
		synctest.Wait()
		if left := tool.Agents(); len(left) != 1 || left[0].ID == all[0].ID {
			t.Fatalf("after one stop: %+v", left)
		}
		tool.StopAgent("")
		r := <-done
		if strings.Count(r.Text, "stopped by the user") != 2 || r.Status != engine.StatusFailed {
			t.Errorf("%+v", r)
		}
	})
}

func TestTheUsersStopEndsTheChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newParent(providertest.Hang())
		ctx, cancel := context.WithCancel(t.Context())
		tool := New(p, limits, time.Now)
		done := make(chan engine.Result)
		go func() { done <- delegated(t, ctx, tool, `{"goal":"one"}`) }()
		synctest.Wait()
		cancel()
		if r := <-done; !strings.Contains(r.Text, "interrupted") || len(tool.Agents()) != 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestWhatAChildAsksNamesIt(t *testing.T) {
	p := newParent(providertest.Calls(engine.Call{ID: "x", Name: "look", Args: "{}"}), providertest.Text("done"))
	var asked string
	p.gates = []engine.Gate{func(ctx context.Context, _ engine.Call, _ engine.Spec) (engine.Verdict, error) {
		asked = engine.AgentOf(ctx)
		return engine.Verdict{Decision: engine.Deny, Reason: "no"}, nil
	}}
	delegated(t, t.Context(), New(p, limits, time.Now), `{"goal":"one"}`)
	if asked != "agent 1" {
		t.Errorf("the gate was asked by %q", asked)
	}
}

func TestSharedRoundsAreTakenFromTheParent(t *testing.T) {
	p := newParent(providertest.Calls(engine.Call{ID: "x", Name: "look", Args: "{}"}), providertest.Calls(engine.Call{ID: "y", Name: "look", Args: "{}"}), providertest.Text("out of rounds"))
	p.left = 2
	l := limits
	l.Share = true
	r := delegated(t, t.Context(), New(p, l, time.Now), `{"goal":"one"}`)
	if p.rounds != 2 || !strings.Contains(r.Text, "max_iterations") {
		t.Errorf("%d rounds charged: %s", p.rounds, r.Text)
	}
	p.left = 0
	if r := delegated(t, t.Context(), New(p, l, time.Now), `{"goal":"one"}`); r.Status != engine.StatusFailed {
		t.Errorf("%+v", r)
	}
}

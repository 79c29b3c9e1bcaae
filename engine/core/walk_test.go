package core_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/coax"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/route"
	"talaria/engine/provider/think"
)

// answer is a server's refusal, as a mode saw it on the wire.
func answer(status int, body string) providertest.Step {
	return providertest.Fail(&provider.Failure{Status: status, ContentType: "application/json", URL: "https://h.test/v1/chat/completions", Header: http.Header{}, Body: []byte(body)})
}

// cutAfter is a connection that breaks after these deltas.
func cutAfter(deltas ...engine.Delta) providertest.Step {
	f := &provider.Failure{Status: 200, Cut: true, NoData: len(deltas) == 0, Message: "the reply broke off", Err: &net.OpError{Op: "read", Err: syscall.ECONNRESET}}
	return providertest.Fail(f, deltas...)
}

func say(text string) engine.Delta { return engine.TextDelta{Text: text} }

var (
	busy529   = answer(529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`)
	broken500 = answer(500, `{"error":{"message":"Internal server error"}}`)
	wrong401  = answer(401, `{"error":{"message":"Incorrect API key provided"}}`)
	empty402  = answer(402, `{"error":{"message":"Insufficient credits"}}`)
	gone404   = answer(404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`)
	long400   = answer(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`)
	policy404 = answer(404, `{"error":{"message":"No endpoints found matching your data policy"}}`)
	effort400 = answer(400, `{"error":{"message":"Unsupported parameter: 'reasoning_effort' is not supported with this model."}}`)
	format400 = answer(400, `{"error":{"message":"messages: a thing is wrong that no word mends"}}`)
	fine      = providertest.Text("Fine.")
)

func limited429(after string) providertest.Step {
	f := &provider.Failure{Status: 429, ContentType: "application/json", Header: http.Header{"Retry-After": {after}}, Body: []byte(`{"error":{"message":"Rate limit reached"}}`)}
	return providertest.Fail(f)
}

// journey is one walk: what each key of each provider says, in order, and what comes of it.
type journey struct {
	edges   []string // of the picture in docs/failures.md
	houses  [][][]providertest.Step
	want    string // the recoveries: "rotate:billing"
	reason  engine.Reason
	least   time.Duration
	most    time.Duration // 0: at once
	esc     bool          // the user stops during the first wait
	effort  string
	shrinks bool   // the history can be made smaller
	final   string // "Fine." when empty and reason is, too
}

func one(steps ...providertest.Step) [][][]providertest.Step {
	return [][][]providertest.Step{{steps}}
}

const begin, failure = "[*] --> Normal", "Normal --> ErrorClassify"

var journeys = map[string]journey{
	"it simply works": {edges: []string{begin, "Normal --> Success", "Success --> [*]"}, houses: one(fine)},
	"an overload passes": {edges: []string{failure, "ErrorClassify --> JitterBackoff", "JitterBackoff --> Normal"},
		houses: one(busy529, busy529, fine), want: "retry:overloaded retry:overloaded", least: 15 * time.Second, most: 22500 * time.Millisecond},
	"a limit with a time passes": {edges: []string{"ErrorClassify --> JitterBackoff"}, houses: one(limited429("30"), fine), want: "retry:rate_limit",
		least: 30 * time.Second, most: 31 * time.Second},
	"a fault that stays": {edges: []string{"JitterBackoff --> Abort", "Abort --> [*]"}, houses: one(broken500, broken500, broken500), want: "retry:server_error retry:server_error",
		reason: engine.ReasonServerError, least: 15 * time.Second, most: 22500 * time.Millisecond},
	"a fault that stays, and another provider": {edges: []string{"JitterBackoff --> ProviderFallback", "ProviderFallback --> Normal"},
		houses: [][][]providertest.Step{{{broken500, broken500, broken500}}, {{fine}}}, want: "retry:server_error retry:server_error fallback:server_error", least: 15 * time.Second, most: 22500 * time.Millisecond},
	"a stop during the wait": {edges: []string{"JitterBackoff --> Interrupted", "Interrupted --> [*]"}, houses: one(busy529), want: "retry:overloaded", esc: true},
	"an empty purse and a second key": {edges: []string{"ErrorClassify --> CredRotation", "CredRotation --> Normal"},
		houses: [][][]providertest.Step{{{empty402}, {fine}}}, want: "rotate:billing"},
	"no key left, but a provider": {edges: []string{"CredRotation --> ProviderFallback"},
		houses: [][][]providertest.Step{{{wrong401}, {empty402}}, {{fine}}}, want: "rotate:auth fallback:billing"},
	"no key and no provider": {edges: []string{"CredRotation --> Abort"}, houses: [][][]providertest.Step{{{wrong401}, {wrong401}}}, want: "rotate:auth", reason: engine.ReasonAuth},
	"a model that is not there": {edges: []string{"ErrorClassify --> ProviderFallback", "ProviderFallback --> Abort"},
		houses: [][][]providertest.Step{{{gone404}}, {{gone404}}}, want: "fallback:model_not_found", reason: engine.ReasonModelNotFound},
	"too long, and the history is made smaller": {edges: []string{"CtxCompress --> Normal"}, houses: one(long400, fine), want: "compress:context_overflow", shrinks: true},
	"too long, however small it gets": {edges: []string{"CtxCompress --> Abort"}, houses: one(long400, long400, long400, long400), shrinks: true, reason: engine.ReasonContextOverflow,
		want: "compress:context_overflow compress:context_overflow compress:context_overflow"},
	"too long":                 {edges: []string{"ErrorClassify --> CtxCompress", "CtxCompress --> Abort"}, houses: one(long400), reason: engine.ReasonContextOverflow},
	"a setting forbids it":     {edges: []string{"ErrorClassify --> Abort"}, houses: [][][]providertest.Step{{{policy404}}, {{}}}, reason: engine.ReasonProviderPolicy},
	"a field it does not know": {edges: []string{"ErrorClassify --> Mend", "Mend --> Normal"}, houses: one(effort400, fine), want: "fix:format_error", effort: "high"},
	"a request that nothing mends, and another provider": {edges: []string{"Mend --> ProviderFallback"},
		houses: [][][]providertest.Step{{{format400}}, {{fine}}}, want: "fallback:format_error"},
	"a request that nothing mends": {edges: []string{"Mend --> Abort"}, houses: one(format400), reason: engine.ReasonFormatError},
	"a drop in the middle":         {edges: []string{"ErrorClassify --> Continue", "Continue --> Normal"}, houses: one(cutAfter(say("One, ")), providertest.Text("two.")), want: "continue:timeout", final: "One, two."},
	"a text that its limit cut": {edges: []string{"Normal --> Continue"}, houses: one(providertest.Say(say("One, "), engine.Done{Stop: engine.StopLength}), providertest.Text("two.")),
		want: "continue:format_error", final: "One, two."},
	"a drop before anything": {edges: []string{"ErrorClassify --> Reconnect", "Reconnect --> Normal"}, houses: one(cutAfter(), fine), want: "retry:timeout"},
	"thoughts and no word":   {edges: []string{"Normal --> Reask", "Reask --> Normal"}, houses: one(providertest.Say(engine.ThoughtDelta{Text: "hm"}), fine), want: "reask:empty_response"},
	"never a word": {edges: []string{"Reask --> ErrorClassify"}, want: "reask:empty_response reask:empty_response retry:empty_response retry:empty_response", reason: engine.ReasonEmptyResponse,
		houses: one(slices.Repeat([]providertest.Step{providertest.Say(engine.ThoughtDelta{Text: "hm"})}, 5)...), least: 15 * time.Second, most: 22500 * time.Millisecond},
}

// stack is the program's own, from the wire's failures up, with scripts for wires.
func (j journey) stack() (*route.Chain, []*providertest.Script) {
	var stations []route.Station
	var scripts []*providertest.Script
	for i, keys := range j.houses {
		name := fmt.Sprintf("house%d", i+1)
		s := route.Station{Route: engine.Route{Provider: name, Model: name + "-1", BaseURL: "https://" + name + ".test", APIMode: engine.ChatCompletions, Effort: j.effort}, Pool: &route.Pool{}}
		for k, steps := range keys {
			script := providertest.Scripted(steps...)
			scripts = append(scripts, script)
			secret := fmt.Sprintf("sk-test-%s-%d-AAAABBBB", name, k)
			s.Keys = append(s.Keys, route.Key{Name: fmt.Sprintf("$%s_%d", strings.ToUpper(name), k), ID: fmt.Sprint(i, k), Model: coax.Wrap(think.Wrap(classify.Wrap(script, name, secret)))})
		}
		stations = append(stations, s)
	}
	mend := func(f engine.Fix, r engine.Request, e *engine.Error) (engine.Request, bool) {
		return provider.Fix(f, r, e, nil)
	}
	return route.NewChain(stations, route.Options{Mend: mend}), scripts
}

// walk goes one journey, then asks for another turn of the same session.
func (j journey) walk(t *testing.T) {
	chain, scripts := j.stack()
	var mu sync.Mutex
	var a *agent.Agent
	deps := agent.Deps{Tools: nothing{}, Provider: chain, Session: engine.Session{ID: "s"}, Route: engine.Route{Provider: "house1", Model: "house1-1", BaseURL: "https://house1.test", APIMode: engine.ChatCompletions, Effort: j.effort}, MaxTurns: 10,
		Emit: func(_ context.Context, e engine.Event) {
			mu.Lock()
			defer mu.Unlock()
			if s, ok := e.(engine.Streamed); ok && j.esc {
				if _, waits := s.Delta.(engine.Retry); waits {
					a.Stop(false)
				}
			}
		}}
	if j.shrinks {
		deps.Compact = func(_ context.Context, crowd agent.Crowd) (agent.Shrunk, error) {
			return agent.Shrunk{Messages: crowd.Messages[len(crowd.Messages)-1:]}, nil
		}
	}
	a = agent.New(deps)
	began := time.Now()
	r, err := a.RunConversation(t.Context(), agent.Input{Text: "hi"})
	took := time.Since(began)
	var went []string
	for _, rec := range r.Recoveries {
		went = append(went, fmt.Sprintf("%s:%s", rec.Action, rec.Reason))
	}
	if got := strings.Join(went, " "); got != j.want {
		t.Errorf("it went %q, want %q (%v)", got, j.want, err)
	}
	if took < j.least || took > j.most+time.Millisecond {
		t.Errorf("it took %v, want %v to %v", took, j.least, j.most)
	}
	j.ended(t, r, err)
	for _, s := range scripts {
		if s.Left() > 0 {
			t.Errorf("%d steps were never asked for", s.Left())
		}
		s.Add(providertest.Text("Next."))
	}
	j.next(t, deps, r.Stored)
}

func (j journey) ended(t *testing.T, r agent.Result, err error) {
	final := j.final
	if final == "" {
		final = "Fine."
	}
	var e *engine.Error
	switch {
	case j.esc:
		if !r.Interrupted || r.Exit != engine.ExitInterrupted {
			t.Errorf("%+v", r)
		}
	case j.reason == "":
		if err != nil || r.Final != final || !r.Completed {
			t.Errorf("%q, %v", r.Final, err)
		}
	case !errors.As(err, &e) || e.Reason != j.reason || e.Message == "" || e.Hint == "" || r.Completed:
		t.Errorf("%#v, want %s with a hint", err, j.reason)
	}
}

// next is the turn after it: whatever happened, the session works.
func (j journey) next(t *testing.T, deps agent.Deps, history []engine.Message) {
	chain, _ := journey{houses: one(providertest.React(func(req engine.Request) []engine.Delta {
		for i, m := range req.Messages {
			if i > 0 && m.Role == req.Messages[i-1].Role || len(m.Parts) == 0 {
				t.Errorf("message %d of the next turn cannot be sent: %+v", i, req.Messages)
			}
			if strings.Contains(m.Text(), "no answer") || strings.Contains(m.Text(), "Write the answer") {
				t.Errorf("a word of ours is in the history: %q", m.Text())
			}
		}
		return []engine.Delta{say("Next.")}
	}))}.stack()
	deps.Provider, deps.Emit = chain, func(context.Context, engine.Event) {}
	if r, err := agent.New(deps).RunConversation(t.Context(), agent.Input{Text: "and now?", History: history}); err != nil || r.Final != "Next." {
		t.Errorf("the next turn: %q, %v", r.Final, err)
	}
}

type nothing struct{}

func (nothing) Specs() []engine.Spec { return nil }
func (nothing) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	return nil, c, &engine.Result{CallID: c.ID, Name: c.Name, Text: "refused: there are no tools", Status: engine.StatusRefused}
}

var edge = regexp.MustCompile(`(?m)^\s+(\S+ --> \S+?)(?: :.*)?$`)

// The picture in docs/failures.md and the program are the same: every edge is walked, and nothing is walked that is not there.
func TestEveryEdgeOfTheFailureMachineIsWalked(t *testing.T) {
	page, err := os.ReadFile("../../docs/failures.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	for _, m := range edge.FindAllStringSubmatch(string(page), -1) {
		drawn[m[1]] = false
	}
	if len(drawn) < 25 {
		t.Fatalf("%d edges in the picture", len(drawn))
	}
	for name, j := range journeys {
		t.Run(name, func(t *testing.T) { synctest.Test(t, j.walk) })
		for _, e := range j.edges {
			if _, ok := drawn[e]; !ok {
				t.Errorf("%s: the picture has no %q", name, e)
			}
			drawn[e] = true
		}
	}
	for e, walked := range drawn {
		if !walked {
			t.Errorf("nobody walks %q", e)
		}
	}
}

// A fallback is for one turn: the next begins with the chosen model again.
func TestAfterAFallbackTheNextTurnBeginsWithTheChosenModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journey{houses: [][][]providertest.Step{{{gone404, fine}}, {{providertest.Text("Spare.")}}}}
		chain, scripts := j.stack()
		var p engine.Provider = chain
		deps := agent.Deps{Tools: nothing{}, Provider: p, Session: engine.Session{ID: "s"}, Route: engine.Route{Provider: "house1", Model: "house1-1"}, Emit: func(context.Context, engine.Event) {}}
		deps.Provider = chain.Turn()
		first, err := agent.New(deps).RunConversation(t.Context(), agent.Input{Text: "hi"})
		if err != nil || first.Final != "Spare." || first.Route.Provider != "house2" {
			t.Fatalf("%q by %q, %v", first.Final, first.Route.Provider, err)
		}
		deps.Provider = chain.Turn()
		second, err := agent.New(deps).RunConversation(t.Context(), agent.Input{Text: "again", History: first.Stored})
		if err != nil || second.Final != "Fine." || len(scripts[0].Requests()) != 2 || len(scripts[1].Requests()) != 1 {
			t.Errorf("%q, %v", second.Final, err)
		}
	})
}

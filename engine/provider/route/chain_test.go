package route_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/route"
	"talaria/engine/soak"
)

// house is a provider of a chain: a model with keys, each a script of its own.
func house(provider string, keys ...*providertest.Script) route.Station {
	s := route.Station{Route: engine.Route{Provider: provider, Model: provider + "-1", BaseURL: "http://" + provider + ".test", APIMode: engine.ChatCompletions}, Pool: &route.Pool{}}
	for i, k := range keys {
		s.Keys = append(s.Keys, route.Key{Name: fmt.Sprintf("$%s_KEY_%d", strings.ToUpper(provider), i+1), ID: fmt.Sprintf("%s-%d", provider, i+1), Model: k})
	}
	return s
}

func script(steps ...providertest.Step) *providertest.Script { return providertest.Scripted(steps...) }

func failed(reason engine.Reason, status int) providertest.Step {
	return providertest.Fail(&engine.Error{Reason: reason, Status: status, Message: string(reason)})
}

func broke() providertest.Step { return failed(engine.ReasonBilling, 402) }

// story tells the retries: "rotate 0s b $B_KEY_2".
func (h heard) story() []string {
	var all []string
	for _, r := range h.retries {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %v %s %s", r.Action, r.After, r.Provider, r.Key)))
	}
	return all
}

func (h heard) tells(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(h.story(), want) {
		t.Errorf("it went\n  %s\nwant\n  %s\nerror %v", strings.Join(h.story(), "\n  "), strings.Join(want, "\n  "), h.err)
	}
}

// TestALimitAnEmptyPurseAWorkingKeyAndAnOverloadedFallback is the story of the issue: minutes in milliseconds, with the
// waits exact within their jitter.
func TestALimitAnEmptyPurseAWorkingKeyAndAnOverloadedFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two, three := script(providertest.Fail(limited(30*time.Second)), broke()), script(broke()), script(providertest.Text("paid"), broke())
		spare := script(providertest.Fail(overloaded()), providertest.Fail(overloaded()), providertest.Text("spare"))
		chain := route.NewChain([]route.Station{house("a", one, two, three), house("b", spare)}, route.Options{})
		h := ask(t.Context(), chain.Turn(), engine.Request{})
		h.tells(t, "rotate 0s a $A_KEY_2", "rotate 0s a $A_KEY_3")
		if h.message.Text() != "paid" || h.took != 0 {
			t.Errorf("%q after %v", h.message.Text(), h.took)
		}

		// the next turn: the key that works is empty now, the limited one still rests, so the fallback is asked
		h = ask(t.Context(), chain.Turn(), engine.Request{})
		if len(h.retries) != 3 || h.message.Text() != "spare" {
			t.Fatalf("%v: %q, %v", h.story(), h.message.Text(), h.err)
		}
		if r := h.retries[0]; r.Action != engine.ActionFallback || r.After != 0 || r.Err.Reason != engine.ReasonBilling || r.Route == nil || r.Route.Provider != "b" {
			t.Errorf("%+v", r)
		}
		for i, base := range []time.Duration{5 * time.Second, 10 * time.Second} {
			if r := h.retries[i+1]; r.Action != engine.ActionRetry || r.Provider != "b" || r.After < base || r.After > base*3/2 || r.Err.Reason != engine.ReasonOverloaded {
				t.Errorf("wait %d: %+v", i, r)
			}
		}
		if h.took < 15*time.Second || h.took > 22500*time.Millisecond {
			t.Errorf("it took %v", h.took)
		}
		if one.Left() != 1 || two.Left() != 0 || three.Left() != 0 {
			t.Errorf("left: %d %d %d", one.Left(), two.Left(), three.Left())
		}
	})
}

func TestOneLimitedKeyIsWaitedForToTheSecond(t *testing.T) {
	for rnd, want := range map[float64]time.Duration{0: 30 * time.Second, 0.999: 30*time.Second + 999*time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			chain := route.NewChain([]route.Station{house("a", script(providertest.Fail(limited(30*time.Second)), providertest.Text("ok")))}, route.Options{Rand: fixed(rnd)})
			h := ask(t.Context(), chain, engine.Request{})
			if h.err != nil || h.took != want || h.retries[0].Err.Reason != engine.ReasonRateLimit {
				t.Errorf("%v after %v, want %v", h.err, h.took, want)
			}
		})
	}
}

func TestABriefLimitIsWaitedForOnceOnTheSameKeyALongOneIsNot(t *testing.T) {
	for after, want := range map[time.Duration][]string{
		10 * time.Second: {"retry 10s a", "rotate 0s a $A_KEY_2", "retry 10s a", "fallback 0s b $B_KEY_1"},
		11 * time.Second: {"rotate 0s a $A_KEY_2", "fallback 0s b $B_KEY_1"},
		0:                {"retry 5s a", "rotate 0s a $A_KEY_2", "retry 5s a", "fallback 0s b $B_KEY_1"}, // nothing said: a burst
	} {
		synctest.Test(t, func(t *testing.T) {
			l := providertest.Fail(limited(after))
			chain := route.NewChain([]route.Station{house("a", script(l, l), script(l, l)), house("b", script(providertest.Text("ok")))}, route.Options{Rand: fixed(0)})
			h := ask(t.Context(), chain, engine.Request{})
			h.tells(t, want...)
		})
	}
}

func TestWhenNothingIsLeftWhoIsFreeFirstIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain := route.NewChain([]route.Station{
			house("a", script(providertest.Fail(limited(90*time.Second))), script(providertest.Fail(limited(40*time.Second)), providertest.Text("back"))),
			house("b", script(broke()))}, route.Options{Rand: fixed(0)})
		turn := chain.Turn()
		h := ask(t.Context(), turn, engine.Request{})
		h.tells(t, "rotate 0s a $A_KEY_2", "fallback 0s b $B_KEY_1", "fallback 40s a $A_KEY_2")
		if h.message.Text() != "back" || h.took != 40*time.Second || h.retries[2].Route.Provider != "a" {
			t.Errorf("%q after %v, %+v", h.message.Text(), h.took, h.retries[2])
		}
	})
}

func TestALongWaitIsOfferedAndWithoutAnybodyItEndsWithTheTime(t *testing.T) {
	const long = 25 * time.Minute
	for name, c := range map[string]struct {
		offer func(context.Context, *engine.Error, time.Duration) bool
		ok    bool
	}{
		"nobody": {nil, false},
		"no":     {func(context.Context, *engine.Error, time.Duration) bool { return false }, false},
		"yes": {func(_ context.Context, e *engine.Error, d time.Duration) bool {
			return e.Reason == engine.ReasonRateLimit && d == long
		}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			chain := route.NewChain([]route.Station{house("a", script(providertest.Fail(limited(long)), providertest.Text("ok")))}, route.Options{Rand: fixed(0)})
			h := ask(t.Context(), chain, engine.Request{Offer: c.offer})
			if c.ok {
				if h.err != nil || h.took != long {
					t.Errorf("%s: %v after %v", name, h.err, h.took)
				}
				return
			}
			e := h.reason(t)
			if h.took != 0 || e.Reason != engine.ReasonRateLimit || e.After != long || !strings.Contains(e.Hint, "25 min") || !strings.Contains(e.Hint, began.Add(long).Format("15:04:05")) {
				t.Errorf("%s: %v after %v, hint %q", name, e, h.took, e.Hint)
			}
		})
	}
}

func TestTheChosenModelIsBackWithTheNextTurnUnlessItsLimitLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := failed(engine.ReasonServerError, 500)
		first := script(down, down, down, providertest.Text("first again"), providertest.Fail(limited(11*time.Second)), providertest.Text("first at last"))
		second := script(providertest.Text("second"), providertest.Text("second still"), providertest.Text("second, limited"), providertest.Text("second, resting"))
		chain := route.NewChain([]route.Station{house("a", first), house("b", second)}, route.Options{Rand: fixed(0)})
		say := func(turn engine.Provider, want string, stories ...string) {
			t.Helper()
			h := ask(t.Context(), turn, engine.Request{})
			h.tells(t, stories...)
			if h.message.Text() != want {
				t.Errorf("%q, want %q", h.message.Text(), want)
			}
		}
		turn := chain.Turn()
		say(turn, "second", "retry 5s a", "retry 10s a", "fallback 0s b $B_KEY_1")
		say(turn, "second still") // the rest of the turn stays there
		say(chain.Turn(), "first again")
		say(chain.Turn(), "second, limited", "fallback 0s b $B_KEY_1")
		say(chain.Turn(), "second, resting", "fallback 0s b $B_KEY_1") // 11 s are not over
		time.Sleep(11 * time.Second)
		say(chain.Turn(), "first at last")
	})
}

func TestALimitWithoutATimeRestsLongerEachTimeInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := script(), script()
		chain := route.NewChain([]route.Station{house("a", first), house("b", second)}, route.Options{Attempts: 1, Rand: fixed(0)})
		for _, rest := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
			first.Add(providertest.Fail(limited(0)))
			second.Add(providertest.Text("b"), providertest.Text("b"))
			ask(t.Context(), chain, engine.Request{})
			time.Sleep(rest - time.Second)
			if ask(t.Context(), chain, engine.Request{}); first.Left() != 0 || len(first.Requests()) == 0 {
				t.Fatal("the first was not asked")
			}
			asked := len(first.Requests())
			time.Sleep(2 * time.Second)
			if len(first.Requests()) != asked {
				t.Error("it was asked while it rested")
			}
		}
		first.Add(providertest.Text("a"))
		if h := ask(t.Context(), chain, engine.Request{}); h.message.Text() != "a" {
			t.Errorf("%q, %v", h.message.Text(), h.story())
		}
	})
}

func TestAKeyThatIsRefusedIsReadAgainOnceThenRotatedThenFallenBackFrom(t *testing.T) {
	no := failed(engine.ReasonAuth, 401)
	a, fresh := script(no), script(no)
	s := house("a", a, script(no))
	reads := 0
	s.Reload = func() []route.Key {
		reads++
		return []route.Key{{Name: "$A_KEY_1", ID: "replaced", Model: fresh}, s.Keys[1]}
	}
	chain := route.NewChain([]route.Station{s, house("b", script(providertest.Text("ok")))}, route.Options{})
	h := ask(t.Context(), chain, engine.Request{})
	h.tells(t, "rotate 0s a $A_KEY_1", "rotate 0s a $A_KEY_2", "fallback 0s b $B_KEY_1")
	if reads != 1 || fresh.Left() != 0 {
		t.Errorf("read %d times, %d left", reads, fresh.Left())
	}
	s.Reload = func() []route.Key { return s.Keys } // nothing new: the same key is not asked twice
	a.Add(no)
	chain = route.NewChain([]route.Station{{Route: s.Route, Keys: s.Keys[:1], Reload: s.Reload}}, route.Options{})
	if h := ask(t.Context(), chain, engine.Request{}); len(h.retries) != 0 || h.reason(t).Reason != engine.ReasonAuth {
		t.Errorf("%v %v", h.story(), h.err)
	}
}

func TestStrategiesChooseTheKeyOfATurn(t *testing.T) {
	for strategy, want := range map[string]string{route.FillFirst: "1111", route.RoundRobin: "1212", route.LeastUsed: "1221", "": "1111"} {
		var asked strings.Builder
		s := route.Station{Pool: &route.Pool{Strategy: strategy}}
		for _, n := range []string{"1", "2"} {
			s.Keys = append(s.Keys, route.Key{ID: n, Model: provFunc(func(yield func(engine.Delta, error) bool) {
				asked.WriteString(n)
				_ = yield(text("x"), nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
			})})
		}
		chain := route.NewChain([]route.Station{s}, route.Options{})
		ask(t.Context(), chain, engine.Request{})
		turn := chain.Turn()
		ask(t.Context(), turn, engine.Request{})
		if strategy == route.LeastUsed {
			ask(t.Context(), turn, engine.Request{}) // a turn keeps its key: 2 has the more uses now
		}
		ask(t.Context(), chain, engine.Request{})
		if strategy != route.LeastUsed {
			ask(t.Context(), chain, engine.Request{})
		}
		if asked.String() != want {
			t.Errorf("%q: %s, want %s", strategy, asked.String(), want)
		}
	}
}

func TestOnlyTheProviderThatFailedLosesAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := house("a", script(broke(), broke()), script(broke())), house("b", script(providertest.Fail(limited(time.Minute))), script(providertest.Text("ok"), providertest.Text("ok")))
		chain := route.NewChain([]route.Station{a, b}, route.Options{})
		ask(t.Context(), chain, engine.Request{}).tells(t, "rotate 0s a $A_KEY_2", "fallback 0s b $B_KEY_1", "rotate 0s b $B_KEY_2")
		// both keys of a rest: one is asked all the same, it may have been topped up, and only one
		ask(t.Context(), chain, engine.Request{}).tells(t, "fallback 0s b $B_KEY_2")
	})
}

func TestAFallbackGetsItsOwnModelCapAndNothingOfAnothersReasoning(t *testing.T) {
	first, second := script(failed(engine.ReasonContentPolicy, 400)), script(providertest.Text("ok"))
	b := house("b", second)
	b.MaxTokens, b.Window = 1000, 9000
	mine := engine.Route{Provider: "a", Model: "a-1", BaseURL: "http://a.test", APIMode: engine.ChatCompletions, Effort: "high"}
	req := engine.Request{Route: mine, MaxTokens: 5000, Messages: []engine.Message{engine.UserMessage("q", time.Time{}),
		{Role: engine.RoleAssistant, From: mine.Maker(), Parts: engine.Parts{engine.Thought{Text: "hm", Signature: "sig"}, engine.Text{Text: "a"}}}, engine.UserMessage("go", time.Time{})}}
	h := ask(t.Context(), route.NewChain([]route.Station{house("a", first), b}, route.Options{}), req)
	got, _ := second.Last()
	if h.err != nil || got.Route.Provider != "b" || got.Route.Model != "b-1" || got.Route.Effort != "high" || got.MaxTokens != 1000 || got.Window != 9000 || len(got.Messages[1].Parts) != 1 {
		t.Errorf("%v: %+v", h.err, got)
	}
	if r := first.Requests()[0]; r.MaxTokens != 5000 || len(r.Messages[1].Parts) != 2 {
		t.Errorf("the first got %+v", r)
	}
}

func TestAFallbackThatIsTooSmallIsPassedOverForOneThatIsNot(t *testing.T) {
	small, large := house("s", script()), house("l", script(providertest.Text("ok")))
	small.Window, large.Window = 8000, 200_000
	h := ask(t.Context(), route.NewChain([]route.Station{house("a", script(broke())), small, large}, route.Options{}), engine.Request{Estimate: 50_000})
	h.tells(t, "fallback 0s l $L_KEY_1")
}

func TestAFallbackSaysTheReplyFromItsBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := providertest.Fail(overloaded())
		second := script(providertest.Text("the whole answer"))
		h := ask(t.Context(), route.NewChain([]route.Station{house("a", script(providertest.Fail(overloaded(), text("half an ")), down, down)), house("b", second)}, route.Options{Rand: fixed(0)}), engine.Request{Messages: user("q")})
		h.tells(t, "continue 5s a", "fallback 0s b $B_KEY_1")
		if got, _ := second.Last(); h.message.Text() != "the whole answer" || len(got.Messages) != 1 || h.retries[1].Keep {
			t.Errorf("%q, asked %+v", h.message.Text(), got.Messages)
		}
	})
}

func TestWhatDoesNotFitGoesUpToTheLoop(t *testing.T) {
	for _, reason := range []engine.Reason{engine.ReasonContextOverflow, engine.ReasonPayloadTooLarge, engine.ReasonLongContextTier} {
		chain := route.NewChain([]route.Station{house("a", script(failed(reason, 400)), script()), house("b", script())}, route.Options{})
		if h := ask(t.Context(), chain, engine.Request{}); len(h.retries) != 0 || h.reason(t).Reason != reason {
			t.Errorf("%s: %v, %v", reason, h.story(), h.err)
		}
	}
}

func TestARefusedRequestIsMendedOnceAndWhatHelpedIsRemembered(t *testing.T) {
	for _, c := range []struct {
		reason engine.Reason
		fix    engine.Fix
	}{{engine.ReasonFormatError, engine.FixSanitise}, {engine.ReasonThinkingSignature, engine.FixStripSignatures},
		{engine.ReasonImageTooLarge, engine.FixShrinkImages}, {engine.ReasonMaxTokensTooLarge, engine.FixLowerCap}} {
		mend := func(f engine.Fix, r engine.Request, e *engine.Error) (engine.Request, bool) {
			if f != c.fix || e.Reason != c.reason {
				t.Errorf("%s for %v", f, e)
			}
			changed := r.System != "mended"
			r.System = "mended"
			return r, changed
		}
		no := failed(c.reason, 400)
		p := script(no, providertest.Text("ok"), providertest.Text("again"))
		chain := route.NewChain([]route.Station{house("a", p)}, route.Options{Mend: mend})
		ask(t.Context(), chain, engine.Request{System: "s"}).tells(t, "fix 0s a")
		ask(t.Context(), chain, engine.Request{System: "s"}).tells(t)
		if reqs := p.Requests(); reqs[0].System != "s" || reqs[1].System != "mended" || reqs[2].System != "mended" {
			t.Errorf("%s: %+v", c.fix, reqs)
		}
		p = script(no, no)
		chain = route.NewChain([]route.Station{house("a", p)}, route.Options{Mend: mend})
		if h := ask(t.Context(), chain, engine.Request{System: "s"}); len(h.retries) != 1 || h.reason(t).Reason != c.reason {
			t.Errorf("%s: %v, %v", c.fix, h.story(), h.err)
		}
		p = script(no)
		chain = route.NewChain([]route.Station{house("a", p)}, route.Options{Mend: mend})
		if h := ask(t.Context(), chain, engine.Request{System: "mended"}); len(h.retries) != 0 {
			t.Errorf("%s: what changes nothing was repeated: %v", c.fix, h.story())
		}
	}
}

// switchboard is a network that can be cut.
type switchboard struct {
	err    error
	up     bool
	asked  int
	wanted int // of what number of request on it is back by itself; 0 never
}

func (s *switchboard) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		s.asked++
		if s.up || s.wanted > 0 && s.asked >= s.wanted {
			_ = yield(text("there"), nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
			return
		}
		yield(nil, &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeNoConnection, Message: "cannot connect", Err: s.err})
	}
}

func TestANetworkThatIsGoneIsWaitedForWhileSomebodyWatches(t *testing.T) {
	noNet, noName := &net.DNSError{Err: "server misbehaving", IsTemporary: true}, &net.DNSError{Err: "no such host", IsNotFound: true}
	for name, c := range map[string]struct {
		err                error
		attended, answered bool
		waits              bool
	}{
		"no network":                      {noNet, true, false, true},
		"no network and nobody there":     {noNet, false, true, false},
		"a name that never was":           {noName, true, false, false},
		"a name that was there":           {noName, true, true, true},
		"refused, and never answered":     {errors.New("refused"), true, false, false},
		"refused by who answered before":  {errors.New("refused"), true, true, true},
		"refused, answered, nobody there": {errors.New("refused"), false, true, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			wire := &switchboard{err: c.err, up: c.answered}
			chain := route.NewChain([]route.Station{{Keys: []route.Key{{Model: wire}}}}, route.Options{Attended: c.attended, Rand: fixed(0)})
			if c.answered {
				ask(t.Context(), chain, engine.Request{})
			}
			wire.up, wire.asked, wire.wanted = false, 0, 9
			h := ask(t.Context(), chain, engine.Request{})
			if !c.waits {
				if e := h.reason(t); wire.asked != 3 || e.Code != engine.CodeNoConnection || h.took != 15*time.Second {
					t.Errorf("%s: %v after %d requests and %v", name, e, wire.asked, h.took)
				}
				return
			}
			// 5+10 s as for any failure, then 5, 10, 20, 40, 80, 120 s
			if h.err != nil || h.message.Text() != "there" || h.took != 290*time.Second {
				t.Errorf("%s: %v after %v", name, h.err, h.took)
			}
			if r := h.retries[2]; r.Err.Code != engine.CodeOffline || r.Of != 0 || r.Action != engine.ActionRetry {
				t.Errorf("%s: %+v", name, r)
			}
		})
	}
}

func TestEscEndsTheWaitForTheNetworkAndEnterLooksAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		wire := &switchboard{err: &net.DNSError{IsTemporary: true}}
		chain := route.NewChain([]route.Station{{Keys: []route.Key{{Model: wire}}}}, route.Options{Attended: true})
		looked := 0
		h := ask(ctx, chain, engine.Request{Wait: func(ctx context.Context, d time.Duration) error {
			if looked++; looked < 10 {
				return nil // Enter
			}
			stop()
			<-ctx.Done()
			return ctx.Err()
		}})
		if !errors.Is(h.err, context.Canceled) || h.took != 0 || wire.asked != 10 {
			t.Errorf("%v after %v and %d requests", h.err, h.took, wire.asked)
		}
	})
}

// anything is a model whose requests fail as a list says, and then as it says again; after the list it works when once.
type anything struct {
	fails    []engine.Reason
	once     bool
	requests int
}

func (m *anything) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		n := m.requests
		m.requests++
		if m.once && n >= len(m.fails) {
			_ = yield(text("ok"), nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
			return
		}
		yield(nil, mishaps[m.fails[n%len(m.fails)]])
	}
}

// mishaps are a failure of each reason. The limits name times on all sides of the two bounds, as n of the walk says.
var mishaps = map[engine.Reason]*engine.Error{}

var reasons = []engine.Reason{engine.ReasonAuth, engine.ReasonAuthPermanent, engine.ReasonBilling, engine.ReasonRateLimit, engine.ReasonOverloaded,
	engine.ReasonServerError, engine.ReasonTimeout, engine.ReasonContextOverflow, engine.ReasonPayloadTooLarge, engine.ReasonModelNotFound,
	engine.ReasonFormatError, engine.ReasonThinkingSignature, engine.ReasonLongContextTier, engine.ReasonUnknown, engine.ReasonContentPolicy,
	engine.ReasonProviderPolicy, engine.ReasonImageTooLarge, engine.ReasonMaxTokensTooLarge, engine.ReasonEmptyResponse}

// settings of a chain that the walk goes through.
type shape struct {
	keys     []int // of each station
	attended bool
	after    time.Duration // of a rate limit
}

// play runs one reply over a chain of that shape and says how many requests it took.
func (s shape) play(t *testing.T, m *anything) (requests, most int, h heard) {
	var stations []route.Station
	for i, n := range s.keys {
		var st route.Station
		st.Route = engine.Route{Provider: fmt.Sprint("p", i), Model: "m"}
		for k := range n {
			st.Keys = append(st.Keys, route.Key{ID: fmt.Sprint(i, k), Model: m})
		}
		st.Reload = func() []route.Key { return []route.Key{{ID: "new", Model: m}} }
		stations = append(stations, st)
	}
	mended := map[engine.Fix]int{}
	mend := func(f engine.Fix, r engine.Request, _ *engine.Error) (engine.Request, bool) {
		mended[f]++
		return r, f != engine.FixReduceTier
	}
	chain := route.NewChain(stations, route.Options{Attended: s.attended, Rand: fixed(0), Mend: mend})
	offer := func(context.Context, *engine.Error, time.Duration) bool { return s.attended }
	h = ask(t.Context(), chain, engine.Request{Offer: offer, Wait: func(context.Context, time.Duration) error { return nil }})
	return m.requests, chain.Most(), h
}

// TestEveryRunOfFailuresEnds proves that no failures keep a reply going. With one key every list of up to six of the 19
// reasons is played in the soak, up to three otherwise; a list is not made longer when the reply ended before its end, since whatever comes after it is never
// asked. With more keys and fallbacks, where 19^6 is 47 million, all lists of up to three (four in the soak; one less with outages) and six drawn
// at random. Each list is played to its end, after which all works, and over and over without end: what follows a failure
// depends on counters that only grow, so a run that never works shows where the last of them stops.
func TestEveryRunOfFailuresEnds(t *testing.T) {
	longest, random := 3, 1000
	switch {
	case soak.Whole():
		longest, random = 4, 400_000
	case testing.Short():
		longest, random = 2, 400
	}
	for _, s := range []shape{{[]int{1}, false, 0}, {[]int{2, 1}, false, 30 * time.Second}, {[]int{2, 3, 1}, true, 5 * time.Minute}, {[]int{1, 1}, true, 2 * time.Second}} {
		for _, r := range reasons {
			e := &engine.Error{Reason: r, Status: 400, Message: string(r)}
			switch r {
			case engine.ReasonRateLimit:
				e.After = s.after
			case engine.ReasonTimeout:
				e.Status, e.Code = 0, engine.CodeNoConnection
				e.Err = &net.DNSError{IsTemporary: true}
			}
			mishaps[r] = e
		}
		highest := 0
		deep, longest := 0, longest
		switch {
		case s.attended: // each list with an outage looks 720 times whether the network is back
			longest--
		case len(s.keys) == 1:
			longest = map[bool]int{false: 3, true: 6}[soak.Whole()]
		}
		check := func(fails []engine.Reason) (goesOn bool) {
			deep++
			for _, once := range []bool{true, false} {
				n, most, h := s.play(t, &anything{fails: fails, once: once})
				highest, goesOn = max(highest, n), goesOn || once && n > len(fails)
				if n > most {
					t.Fatalf("%+v %v (once %v): %d requests, at most %d", s, fails, once, n, most)
				}
				if len(h.retries) < n-1 || h.err == nil && !h.whole() || h.err != nil && !once && h.whole() {
					t.Fatalf("%+v %v (once %v): %d requests, %d retries, %q, %v", s, fails, once, n, len(h.retries), h.message.Text(), h.err)
				}
			}
			return goesOn
		}
		var walk func(fails []engine.Reason)
		walk = func(fails []engine.Reason) {
			if goesOn := len(fails) == 0 || check(fails); goesOn && len(fails) < longest {
				for _, r := range reasons {
					walk(append(fails[:len(fails):len(fails)], r))
				}
			}
		}
		walk(nil)
		rnd := rand.New(rand.NewPCG(4, 2))
		for range random / 4 {
			fails := make([]engine.Reason, 6)
			for i := range fails {
				fails[i] = reasons[rnd.IntN(len(reasons))]
			}
			check(fails)
		}
		t.Logf("%+v: %d lists, at most %d requests", s, deep, highest)
	}
}

func (h heard) whole() bool { return h.message.Text() == "ok" && h.err == nil }

// TestARefusalIsTakenToTheNextProviderOnce is BEHAVIOUR 4.10: the same model would decline again, another may not; two
// that decline are an answer.
func TestARefusalIsTakenToTheNextProviderOnce(t *testing.T) {
	for _, stop := range []engine.Stop{engine.StopRefusal, engine.StopContentFilter} {
		no := providertest.Step{Deltas: []engine.Delta{engine.TextDelta{Text: "I cannot "}, engine.Done{Stop: stop, Usage: &engine.Usage{Output: 7}}}}
		chain := route.NewChain([]route.Station{house("a", script(no)), house("b", script(providertest.Text("of course")))}, route.Options{})
		h := ask(t.Context(), chain, engine.Request{})
		h.tells(t, "fallback 0s b $B_KEY_1")
		if h.err != nil || h.message.Text() != "of course" || h.retries[0].Err.Reason != engine.ReasonContentPolicy || h.retries[0].Usage.Output != 7 {
			t.Errorf("%s: %q, %v, %+v", stop, h.message.Text(), h.err, h.retries)
		}

		last := script(providertest.Text("never asked"))
		chain = route.NewChain([]route.Station{house("a", script(no)), house("b", script(no)), house("c", last)}, route.Options{})
		h = ask(t.Context(), chain, engine.Request{})
		h.tells(t, "fallback 0s b $B_KEY_1")
		if h.err != nil || h.message.Text() != "I cannot " || h.message.Stop != stop || last.Left() != 1 {
			t.Errorf("%s: two that decline: %q, %s, %v", stop, h.message.Text(), h.message.Stop, h.err)
		}

		h = ask(t.Context(), route.NewChain([]route.Station{house("a", script(no))}, route.Options{}), engine.Request{})
		if len(h.retries) != 0 || h.message.Text() != "I cannot " || h.message.Stop != stop {
			t.Errorf("%s: nobody else: %q, %v", stop, h.message.Text(), h.retries)
		}
	}
}

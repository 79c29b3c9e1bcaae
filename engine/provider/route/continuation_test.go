package route_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/completions"
	"talaria/engine/provider/providertest"
	"talaria/engine/provider/route"
	"talaria/engine/provider/think"
)

func length(deltas ...engine.Delta) providertest.Step {
	return providertest.Say(append(deltas, engine.Done{Stop: engine.StopLength})...)
}

func halfCall(id string) engine.Delta {
	return engine.CallDelta{ID: id, Name: "write_file", Args: `{"path":"a.txt","content":"abc`}
}

func user(s string) []engine.Message {
	return []engine.Message{engine.UserMessage(s, time.Time{})}
}

func (h heard) actions() string {
	var all []string
	for _, r := range h.retries {
		s := string(r.Action)
		if r.Keep {
			s += "+"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestADropBeforeAnythingIsShownReconnectsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(dropped()), providertest.Fail(dropped()), providertest.Text("ok"))
		h := ask(t.Context(), route.New(p, route.Options{Attempts: 1}), engine.Request{})
		if h.err != nil || h.message.Text() != "ok" || h.took != 0 || h.actions() != "retry retry" {
			t.Errorf("error %v, text %q, took %v, %s", h.err, h.message.Text(), h.took, h.actions())
		}
		if e := h.retries[0].Err; e.Reason != engine.ReasonTimeout {
			t.Errorf("%v", e)
		}
	})
}

func TestReconnectsAreNotCountedAsAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted()
		for range 5 {
			p.Add(providertest.Fail(dropped()))
		}
		h := ask(t.Context(), route.New(p, route.Options{Rand: fixed(0)}), engine.Request{})
		e := h.reason(t)
		if p.Left() != 0 || h.took != 15*time.Second || e.Code != engine.CodeCut || !strings.Contains(e.Message, "after 5 attempts") {
			t.Errorf("%v after %v, %d steps left", e, h.took, p.Left())
		}
	})
}

func TestAServerThatCannotBeReachedIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeNoConnection, Message: "connection refused"}
		p := providertest.Scripted(providertest.Fail(refused), providertest.Text("ok"))
		h := ask(t.Context(), route.New(p, route.Options{Rand: fixed(0)}), engine.Request{})
		if h.err != nil || h.took != 5*time.Second {
			t.Errorf("error %v after %v", h.err, h.took)
		}
	})
}

func TestThoughtsOfADroppedReplyAreThoughtAgain(t *testing.T) {
	p := providertest.Scripted(providertest.Fail(dropped(), engine.ThoughtDelta{Text: "let me"}),
		providertest.Say(engine.ThoughtDelta{Text: "let me see"}, text("ok")))
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
	if h.err != nil || h.message.Reasoning() != "let me see" || h.message.Text() != "ok" || h.actions() != "retry" {
		t.Errorf("error %v, reasoning %q, text %q, %s", h.err, h.message.Reasoning(), h.message.Text(), h.actions())
	}
}

func TestScenarioADropAfterTextIsGoneOnWith(t *testing.T) {
	long := strings.Repeat("All that was said stays where it is. ", 6) + "Then comes the "
	p := providertest.Scripted(providertest.Fail(dropped(), engine.ThoughtDelta{Text: "hm"}, text(long)),
		providertest.Say(text("comes the "), text("end.")))
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{System: "s", Messages: user("hello"), Tools: []engine.Spec{{Name: "ls"}}, MaxTokens: 500})
	if h.err != nil || h.message.Text() != long+"end." || h.actions() != "continue+" || h.retries[0].After != 0 || h.retries[0].Err.Reason != engine.ReasonTimeout {
		t.Fatalf("error %v, text %q, %+v", h.err, h.message.Text(), h.retries)
	}
	first, next := p.Requests()[0], p.Requests()[1]
	if n := len(next.Messages); n != 3 || next.Messages[1].Role != engine.RoleAssistant || next.Messages[1].Text() != long ||
		next.Messages[2].Role != engine.RoleUser || !strings.Contains(next.Messages[2].Text(), "connection dropped") {
		t.Errorf("the continuation asks %+v", next.Messages)
	}
	if len(first.Messages) != 1 || next.System != "s" || len(next.Tools) != 1 || next.MaxTokens != 500 || next.Estimate <= first.Estimate {
		t.Errorf("first %+v\nnext %+v", first, next)
	}
}

func TestAContinuationAfterAPauseKeepsTheRolesApart(t *testing.T) {
	p := providertest.Scripted(providertest.Fail(dropped(), text("b and ")), providertest.Text("c"))
	paused := append(user("hello"), engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "a"}}})
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{Messages: paused})
	last := p.Requests()[1].Messages
	if h.err != nil || len(last) != 3 || last[1].Text() != "ab and " || last[2].Role != engine.RoleUser || paused[1].Text() != "a" {
		t.Errorf("error %v, asked %+v, history %+v", h.err, last, paused)
	}
}

func TestASilenceAfterTextIsGoneOnWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Hang(text("one, ")), providertest.Text("two"))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if h.err != nil || h.message.Text() != "one, two" || h.took != 180*time.Second || h.actions() != "continue+" || p.Open() != 0 {
			t.Errorf("error %v, text %q, took %v, %s", h.err, h.message.Text(), h.took, h.actions())
		}
	})
}

func TestAContinuationThatFailsForGoodLeavesTheText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(dropped(), text("so far")))
		for range 3 {
			p.Add(providertest.Fail(overloaded()))
		}
		h := ask(t.Context(), route.New(p, route.Options{Rand: fixed(0)}), engine.Request{Messages: user("hello")})
		if e := h.reason(t); e.Reason != engine.ReasonOverloaded || h.message.Text() != "so far" || h.actions() != "continue+ retry+ retry+" || h.took != 15*time.Second {
			t.Errorf("%v, text %q, %s, took %v", e, h.message.Text(), h.actions(), h.took)
		}
		for _, r := range p.Requests()[1:] {
			if len(r.Messages) != 3 || r.Messages[1].Text() != "so far" {
				t.Errorf("asked %+v", r.Messages)
			}
		}
	})
}

func TestDropsAfterTextAreGoneOnWithThreeTimes(t *testing.T) {
	p := providertest.Scripted()
	for _, s := range []string{"one ", "two ", "three ", "four "} {
		p.Add(providertest.Fail(dropped(), text(s)))
	}
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
	if e := h.reason(t); e.Code != engine.CodeCut || h.message.Text() != "one two three four " || h.actions() != "continue+ continue+ continue+" {
		t.Errorf("%v, text %q, %s", e, h.message.Text(), h.actions())
	}
}

func TestAnErrorInTheMiddleOfAReplyIsWaitedOutAndGoneOnWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(overloaded(), text("one ")), providertest.Text("two"))
		h := ask(t.Context(), route.New(p, route.Options{Rand: fixed(0)}), engine.Request{})
		if h.err != nil || h.message.Text() != "one two" || h.took != 5*time.Second || h.actions() != "continue+" {
			t.Errorf("error %v, text %q, took %v, %s", h.err, h.message.Text(), h.took, h.actions())
		}
	})
}

func TestScenarioADropInsideACallStartsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted(providertest.Fail(dropped(), text("I write it."), halfCall("dead")),
			providertest.Say(text("I write it now."), engine.CallDelta{ID: "alive", Name: "write_file", Args: `{"path":"a.txt","content":"abc"}`}))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{Messages: user("write")})
		calls := h.message.Calls()
		if h.err != nil || h.took != 0 || h.actions() != "retry" || h.message.Text() != "I write it now." || len(calls) != 1 || calls[0].ID != "alive" {
			t.Errorf("error %v, text %q, calls %v, %s", h.err, h.message.Text(), calls, h.actions())
		}
		if len(p.Requests()[1].Messages) != 1 {
			t.Errorf("asked %+v", p.Requests()[1].Messages)
		}
	})
}

func TestScenarioACallThatIsCutEveryTimeIsNamedAsNotExecuted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := providertest.Scripted()
		for range 5 {
			p.Add(providertest.Fail(dropped(), text("I write it."), halfCall("dead")))
		}
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if e := h.reason(t); !strings.Contains(e.Message, "write_file was not executed") || e.Reason != engine.ReasonTimeout || p.Left() != 0 {
			t.Errorf("%v, %d steps left", e, p.Left())
		}
	})
}

func TestScenarioALongAnswerIsGoneOnWithUnderAHigherCap(t *testing.T) {
	for _, c := range []struct {
		asked, used int
		caps        []int
	}{
		{0, 0, []int{0, 8192, 12288, 16384}},
		{0, 10_000, []int{0, 20_000, 30_000, 32_768}},
		{0, 64_000, []int{0, 0, 0, 0}},
		{1000, 0, []int{1000, 2000, 3000, 4000}},
		{20_000, 0, []int{20_000, 32_768, 32_768, 32_768}},
		{64_000, 0, []int{64_000, 64_000, 64_000, 64_000}},
	} {
		p := providertest.Scripted()
		for _, s := range []string{"one ", "two ", "three ", "four "} {
			p.Add(providertest.Say(text(s), engine.Done{Stop: engine.StopLength, Usage: &engine.Usage{Output: c.used}}))
		}
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{Messages: user("count"), MaxTokens: c.asked})
		if h.err != nil || h.message.Text() != "one two three four " || h.message.Stop != engine.StopLength || h.actions() != "continue+ continue+ continue+" {
			t.Fatalf("error %v, text %q, stop %s, %s", h.err, h.message.Text(), h.message.Stop, h.actions())
		}
		for i, r := range p.Requests() {
			if r.MaxTokens != c.caps[i] {
				t.Errorf("asked %d, used %d: request %d has the cap %d, want %d", c.asked, c.used, i, r.MaxTokens, c.caps[i])
			}
		}
		if r := p.Requests()[3]; len(r.Messages) != 3 || r.Messages[1].Text() != "one two three " || !strings.Contains(r.Messages[2].Text(), "output limit") {
			t.Errorf("asked %+v", r.Messages)
		}
	}
}

func TestACapThatIsTooHighIsTakenBack(t *testing.T) {
	p := providertest.Scripted(length(text("one ")),
		providertest.Fail(&engine.Error{Reason: engine.ReasonMaxTokensTooLarge, Status: 400, Message: "at most 1000"}),
		length(text("two ")), providertest.Text("three"))
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{MaxTokens: 1000})
	if h.err != nil || h.message.Text() != "one two three" || h.actions() != "continue+ fix+ continue+" {
		t.Errorf("error %v, text %q, %s", h.err, h.message.Text(), h.actions())
	}
	for i, want := range []int{1000, 2000, 1000, 1000} {
		if got := p.Requests()[i].MaxTokens; got != want {
			t.Errorf("request %d has the cap %d, want %d", i, got, want)
		}
	}
}

func TestAReplyOfThoughtsAloneSaysSo(t *testing.T) {
	for name, d := range map[string][]engine.Delta{
		"thoughts that are told":   {engine.ThoughtDelta{Text: "hm"}, engine.Done{Stop: engine.StopLength}},
		"thoughts that are hidden": {engine.Done{Stop: engine.StopLength, Usage: &engine.Usage{Output: 4096, Reasoning: 4096}}},
	} {
		p := providertest.Scripted(providertest.Say(d...), providertest.Text("never"))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		e := h.reason(t)
		if e.Reason != engine.ReasonEmptyResponse || len(h.retries) != 0 || !strings.Contains(e.Message, "reasoning") || !strings.Contains(e.Hint, "effort") || !strings.Contains(e.Hint, "max_output_tokens") {
			t.Errorf("%s: %v, hint %q, %s", name, e, e.Hint, h.actions())
		}
	}
}

func TestACallThatIsCutIsAskedForAgainUnderAHigherCap(t *testing.T) {
	p := providertest.Scripted(length(text("I write."), halfCall("dead")),
		providertest.Say(halfCall("dead"), engine.Done{Stop: engine.StopCalls}), // a router's word for a cut
		providertest.Say(text("I write."), engine.CallDelta{ID: "alive", Name: "write_file", Args: `{}`}))
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{Messages: user("write"), MaxTokens: 1000})
	calls := h.message.Calls()
	if h.err != nil || h.message.Text() != "I write." || len(calls) != 1 || calls[0].ID != "alive" || h.message.Stop != engine.StopCalls || h.actions() != "reask reask" {
		t.Errorf("error %v, text %q, calls %v, stop %s, %s", h.err, h.message.Text(), calls, h.message.Stop, h.actions())
	}
	for i, want := range []int{1000, 2000, 3000} {
		if r := p.Requests()[i]; r.MaxTokens != want || len(r.Messages) != 1 {
			t.Errorf("request %d: cap %d, want %d; %+v", i, r.MaxTokens, want, r.Messages)
		}
	}
}

func TestACallThatStaysCutIsPassedOnAsCut(t *testing.T) {
	p := providertest.Scripted()
	for range 4 {
		p.Add(providertest.Say(halfCall("dead"), engine.Done{Stop: engine.StopCalls}))
	}
	h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
	if h.err != nil || h.message.Stop != engine.StopLength || len(h.message.Calls()) != 1 || h.actions() != "reask reask reask" {
		t.Errorf("error %v, stop %s, calls %v, %s", h.err, h.message.Stop, h.message.Calls(), h.actions())
	}
}

func TestArgumentsThatAreOnlyWrongAreNotAskedForAgain(t *testing.T) {
	for _, args := range []string{`{"a":1,}`, "{\"a\":\"x\ny\"}", `{"a":1}}`, "", "None", `[1]`, `{"a":1}{"a":2}`, `{"a":"\"{"}`} {
		p := providertest.Scripted(providertest.Calls(engine.Call{ID: "c", Name: "ls", Args: args}))
		if h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{}); h.err != nil || len(h.retries) != 0 || h.message.Stop != engine.StopCalls {
			t.Errorf("%s: error %v, %s, stop %s", args, h.err, h.actions(), h.message.Stop)
		}
	}
}

func TestAReplyThatMayNotBeSaidIsPassedOn(t *testing.T) {
	for _, s := range []engine.Stop{engine.StopContentFilter, engine.StopRefusal, engine.StopPause} {
		p := providertest.Scripted(providertest.Fail(dropped(), text("well, ")), providertest.Say(text("no"), engine.Done{Stop: s}))
		h := ask(t.Context(), route.New(p, route.Options{}), engine.Request{})
		if h.err != nil || h.message.Stop != s || h.message.Text() != "well, no" {
			t.Errorf("%s: error %v, stop %s, text %q", s, h.err, h.message.Stop, h.message.Text())
		}
	}
}

func TestAStopDuringAContinuationEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, stop)
		p := providertest.Scripted(providertest.Fail(dropped(), text("one ")), providertest.Hang(text("two ")), providertest.Text("never"))
		h := ask(ctx, route.New(p, route.Options{}), engine.Request{})
		if !errors.Is(h.err, context.Canceled) || h.took != 2*time.Second || h.message.Text() != "one two " || p.Left() != 1 || p.Open() != 0 {
			t.Errorf("error %v after %v, text %q", h.err, h.took, h.message.Text())
		}
	})
}

func TestAServerThatDoesNotStreamIsAskedPlainlyFromThenOn(t *testing.T) {
	no := &engine.Error{Reason: engine.ReasonFormatError, Status: 400, Message: "Streaming is not supported for this model."}
	streaming := providertest.Scripted(providertest.Fail(no))
	plain := providertest.Scripted(providertest.Text("one"), providertest.Text("two"))
	p := route.New(streaming, route.Options{Plain: plain})
	h := ask(t.Context(), p, engine.Request{})
	if h.err != nil || h.message.Text() != "one" || h.actions() != "fix" || h.retries[0].After != 0 {
		t.Errorf("error %v, text %q, %s", h.err, h.message.Text(), h.actions())
	}
	if h = ask(t.Context(), p, engine.Request{}); h.err != nil || h.message.Text() != "two" || len(h.retries) != 0 {
		t.Errorf("error %v, text %q, %s", h.err, h.message.Text(), h.actions())
	}
	plain = providertest.Scripted(providertest.Fail(no))
	h = ask(t.Context(), route.New(providertest.Scripted(providertest.Fail(no)), route.Options{Plain: plain}), engine.Request{})
	if e := h.reason(t); e.Reason != engine.ReasonFormatError || h.actions() != "fix" {
		t.Errorf("neither way: %v, %s", e, h.actions())
	}
	h = ask(t.Context(), route.New(providertest.Scripted(providertest.Fail(no)), route.Options{}), engine.Request{})
	if e := h.reason(t); e.Reason != engine.ReasonFormatError || len(h.retries) != 0 {
		t.Errorf("without a plain way: %v, %s", e, h.actions())
	}
}

func TestWaysToSayThatNothingIsStreamed(t *testing.T) {
	for said, want := range map[string]bool{
		"stream not supported":                  true,
		"This model does not support streaming": true,
		"Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.": true,
		"Your organization must be verified to stream this model.":                                                        true,
		"streaming responses are not supported for this endpoint":                                                         true,
		"The server doesn't support tools with streaming":                                                                 true,
		"stream=true is not supported":                                                                                    true,
		"Unknown parameter: stream_options is not supported":                                                              false,
		"upstream connect error":                                                                                          false,
		"temperature is not supported with this model":                                                                    false,
	} {
		plain := providertest.Scripted(providertest.Text("ok"))
		p := providertest.Scripted(providertest.Fail(&engine.Error{Reason: engine.ReasonFormatError, Status: 400, Message: said}))
		h := ask(t.Context(), route.New(p, route.Options{Plain: plain}), engine.Request{})
		if got := h.err == nil; got != want {
			t.Errorf("%q: asked plainly: %v", said, got)
		}
	}
}

// overTheWire is the stack that the program asks through, over a server in memory.
func overTheWire(answers ...http.Handler) engine.Provider {
	ep := provider.Endpoint{BaseURL: "https://model.test/v1", HTTP: providertest.Client(providertest.InTurn(answers...))}
	return route.New(think.Wrap(classify.Wrap(completions.New(ep), "model", "key")), route.Options{})
}

func TestScenarioTheWholeStackGoesOnAfterACut(t *testing.T) {
	for _, reset := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var asked []string
			cut := providertest.SSE(providertest.TXT("The answer is forty"), providertest.TXT(", more"))
			cut.Cut = reset
			p := overTheWire(cut, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = append(asked, string(body))
				providertest.SSE(providertest.TXT(" or less."), providertest.FIN("stop"), providertest.DATA("[DONE]")).ServeHTTP(w, r)
			}))
			h := ask(t.Context(), p, providertest.Ask())
			if h.err != nil || h.message.Text() != "The answer is forty, more or less." || h.actions() != "continue+" || h.took != 0 {
				t.Errorf("reset %v: error %v, text %q, %s", reset, h.err, h.message.Text(), h.actions())
			}
			if len(asked) != 1 || !strings.Contains(asked[0], `"content":"The answer is forty, more"`) || !strings.Contains(asked[0], "Continue exactly") {
				t.Errorf("asked %s", asked)
			}
		})
	}
}

func TestS14TheWholeStackNeverPassesOnHalfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half := providertest.SSE(providertest.TC(`[{"index":0,"id":"call_1","type":"function","function":{"name":"write_file","arguments":"{\"path\":\"a.txt\",\"content\":\"abc"}}]`))
		h := ask(t.Context(), overTheWire(half), providertest.Ask())
		if e := h.reason(t); e.Code != engine.CodeCut || !strings.Contains(e.Message, "write_file was not executed") || strings.Contains(e.Message, "limit") || h.actions() != "retry retry retry retry" {
			t.Errorf("%v, %s", e, h.actions())
		}
		h = ask(t.Context(), overTheWire(half, providertest.SSE(providertest.TXT("Hello world"), providertest.FIN("stop"))), providertest.Ask())
		if h.err != nil || h.message.Text() != "Hello world" || len(h.message.Calls()) != 0 {
			t.Errorf("error %v, text %q, calls %v", h.err, h.message.Text(), h.message.Calls())
		}
	})
}

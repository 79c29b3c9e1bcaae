package route

import (
	"context"
	"strings"
	"unicode/utf8"

	"talaria/engine"
)

// afterFailure says what follows an attempt that failed. Text that was shown stays, and the model is asked to go on from
// it, unless a tool call had begun: half a call must not stay, so all is dropped and said again.
func (x *exchange) afterFailure(ctx context.Context, a *attempt) (*engine.Retry, error) {
	x.failed++
	if x.complete(a) {
		return nil, nil
	}
	if x.mend(a) {
		return &engine.Retry{Err: a.err, Action: engine.ActionFix, Try: 2, Of: 2, Keep: x.keeps(a)}, nil
	}
	goOn := a.spoken && !a.called
	switch {
	case goOn && x.continued >= maxContinuations:
		x.v.tries = x.c.o.Attempts // it was asked often enough here
	case goOn && a.err.Reason == engine.ReasonTimeout:
		return x.goOn(a.err), nil
	case a.dropped() && x.reconnects < maxReconnects:
		x.reconnects++
		return &engine.Retry{Err: a.err, Action: engine.ActionRetry, Try: x.reconnects + 1, Of: maxReconnects + 1, Keep: x.keeps(a)}, nil
	}
	retry, err := x.plan(ctx, a)
	if err != nil {
		return nil, err
	}
	retry.Keep = x.keeps(a) && retry.Route == nil
	if goOn && retry.Action == engine.ActionRetry {
		x.continued++
		retry.Action = engine.ActionContinue
	}
	return retry, nil
}

// maxSilences is how often a model must have nothing to add before a text that was cut is taken for whole.
const maxSilences = 2

// complete reports whether a is one more continuation that came back empty, of a text that ends as a text does: only its
// end was lost on the way. A text that stops in the middle of a sentence is never taken for whole.
func (x *exchange) complete(a *attempt) bool {
	if a.err.Reason != engine.ReasonEmptyResponse || x.why != dropped || !finished(x.kept) {
		return false
	}
	if x.silences++; x.silences < maxSilences {
		return false
	}
	if a.done == nil {
		a.done = &engine.Done{Stop: engine.StopEnd}
	}
	return true
}

// finished reports whether text ends with the end of a sentence, of code or of markup.
func finished(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(text))
	return strings.ContainsRune(".!?\u2026\u3002\uff01\uff1f\u00bb\u201d\"`*|)]}>", r) && r != utf8.RuneError
}

// keeps reports whether what the consumer holds stays when another request follows a.
func (x *exchange) keeps(a *attempt) bool { return !a.called && strings.TrimSpace(x.text()) != "" }

// goOn asks the model to go on from the text that came.
func (x *exchange) goOn(err *engine.Error) *engine.Retry {
	x.continued++
	return &engine.Retry{Err: err, Action: engine.ActionContinue, Try: x.continued + 1, Of: maxContinuations + 1, Keep: true}
}

// afterEnd says what follows a reply that came to its end: a further request when its output limit cut it, or when the
// model declined and another is there.
func (x *exchange) afterEnd(a *attempt) (*engine.Retry, error) {
	if retry := x.elsewhere(a); retry != nil {
		return retry, nil
	}
	cut := a.done.Stop == engine.StopLength
	if a.called {
		return x.afterCalls(a, cut), nil
	}
	switch {
	case !cut:
		return nil, nil
	case a.spoken && x.continued < maxContinuations:
		x.cap.raise(a.usage.Output)
		return x.goOn(overLimit("the reply reached the output limit")), nil
	case !a.spoken && x.kept == "" && (a.thought || a.usage.Reasoning > 0):
		return nil, allThought()
	}
	return nil, nil
}

// elsewhere asks the next provider, once, for a reply that was declined or filtered: the same model would do so again
// (BEHAVIOUR 4.10). What the first one said is dropped, its calls with it; without another provider it stands.
func (x *exchange) elsewhere(a *attempt) *engine.Retry {
	if a.done.Stop != engine.StopRefusal && a.done.Stop != engine.StopContentFilter || x.declined {
		return nil
	}
	x.declined = true
	e := &engine.Error{Reason: engine.ReasonContentPolicy, Message: "the model declined to answer"}
	if a.done.Stop == engine.StopContentFilter {
		e.Message = "the provider's content filter stopped the answer"
	}
	i := x.further(engine.PlanOf(e.Reason))
	if i < 0 {
		return nil
	}
	x.failed++
	return x.fallBack(e, i)
}

// afterCalls asks again for a reply whose calls were cut, whatever it says of its end (BEHAVIOUR 4.8). A reply that stays
// cut is passed on as such: the loop refuses its calls.
func (x *exchange) afterCalls(a *attempt, cut bool) *engine.Retry {
	if !cut && !(ordinary(a.done.Stop) && x.halfCall()) {
		return nil
	}
	if x.reasked >= maxReasks {
		a.done.Stop = engine.StopLength
		return nil
	}
	x.reasked++
	x.cap.raise(a.usage.Output)
	return &engine.Retry{Err: overLimit("the output limit cut a tool call, which was not executed"), Action: engine.ActionReask,
		Try: x.reasked + 1, Of: maxReasks + 1}
}

// halfCall reports whether the arguments of a call broke off. What is wrong with arguments otherwise is for the tools to
// mend or to refuse (RULINGS 3).
func (x *exchange) halfCall() bool {
	for _, c := range x.calls() {
		if unclosed(c.Args) {
			return true
		}
	}
	return false
}

package route

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

// overLimit is the reason of a request that follows a reply which its output limit cut.
func overLimit(message string) *engine.Error {
	return &engine.Error{Reason: engine.ReasonFormatError, Code: engine.CodeOutputLimit, Message: message}
}

// allThought is the error of a reply that was cut before it said anything. Going on would think again until it is cut.
func allThought() *engine.Error {
	return &engine.Error{Reason: engine.ReasonEmptyResponse, Code: engine.CodeOutputLimit,
		Message: "the model spent its whole output budget on reasoning and wrote no answer",
		Hint:    "lower the reasoning effort (model.effort), or raise the cap (model.max_output_tokens)"}
}

// exhausted is the error after the last attempt; it says how many failed, and that a call which had begun was not made.
func (x *exchange) exhausted(a *attempt) *engine.Error {
	e := *a.err
	e.Err = a.err
	if x.failed > 1 {
		tried := fmt.Sprintf("after %d attempts", x.failed)
		if len(x.before) > 0 {
			tried += "; before it " + strings.Join(x.before, ", ")
		}
		e.Message = fmt.Sprintf("%s (%s)", strings.TrimRight(e.Message, ". "), tried)
	}
	if a.called {
		var names []string
		for _, c := range x.calls() {
			names = append(names, c.Name)
		}
		e.Message += fmt.Sprintf("; the call of %s was not executed", strings.Join(names, ", "))
	}
	return &e
}

// tooLong is the error when a longer wait would be needed than is made unasked. The hint says how long, so that the
// screen can offer the wait and a script can plan for it.
func tooLong(err *engine.Error, d time.Duration) *engine.Error {
	e := *err
	e.After = d
	e.Hint = fmt.Sprintf("the server asks to wait %s; try again after %s, or choose another model",
		spell(e.After), time.Now().Add(e.After).Format("15:04:05"))
	if err.Hint != "" {
		e.Hint += "; " + err.Hint
	}
	e.Err = err
	return &e
}

// cancelled is the error when the caller ended the request. It unwraps to the caller's cause.
func cancelled(cause error) *engine.Error {
	return &engine.Error{Reason: engine.ReasonUnknown, Message: "the request was stopped", Err: cause}
}

// spell writes whole seconds as people say them: "43 s", "3 min", "1 h 5 min".
func spell(d time.Duration) string {
	s := int64((d + time.Second - 1) / time.Second)
	switch {
	case s <= 90:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min", (s+59)/60)
	case s%3600 < 60:
		return fmt.Sprintf("%d h", s/3600)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
}

// billed is err with what its attempt cost: a reply that came to nothing is paid for all the same.
func billed(err error, used engine.Usage) error {
	e := *engine.AsError(err)
	e.Usage = used
	return &e
}

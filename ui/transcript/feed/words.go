package feed

import (
	"cmp"
	"fmt"
	"strings"

	"talaria/engine"
)

// The sentences of this package for those who tell the same events in lines: one text for one event, however it is shown.

// Happened is a sentence about a failure: who, what, and the status.
func Happened(err *engine.Error, route engine.Route) string { return happened(err, route) }

// Failure tells of a turn that ended with an error: what happened, what the program did about it, what the user can do.
func Failure(o engine.Outcome, route engine.Route) (what, did, can string) {
	err := o.Err
	if err == nil {
		err = &engine.Error{Reason: engine.ReasonUnknown}
	}
	what = happened(err, route)
	if said := flat(err.Message); said != "" && !strings.Contains(what, said) {
		what = strings.TrimSuffix(what, ".") + ": " + said
	}
	return what, done(o), cmp.Or(err.Hint, remedy(err.Reason))
}

// Early tells of a turn that ended early for another reason than an error; ok is false for one that did not.
func Early(why engine.Exit) (what, can string, ok bool) {
	e, ok := endings[why]
	return e.head, e.hint, ok
}

// Again is what follows a failure: what is done, and after how many seconds.
func Again(r engine.Retry) string {
	one := retry{last: r}
	text := one.doing()
	if r.Try > 0 && r.Of > 0 {
		text += fmt.Sprintf(", attempt %d of %d", r.Try, r.Of)
	}
	return text
}

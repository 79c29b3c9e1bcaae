package route

import (
	"regexp"
	"slices"
	"strings"

	"talaria/engine"
)

// mend undoes what this package, not the loop, brought into the request, when the server refused it for that: a raised
// cap, streaming. Each can happen once.
func (x *exchange) mend(a *attempt) bool {
	if !a.silent() {
		return false
	}
	switch a.err.Reason {
	case engine.ReasonMaxTokensTooLarge, engine.ReasonContextOverflow:
		if x.cap.lower() {
			return true
		}
	}
	if x.v.key.Plain != nil && !a.plain && refusesStream(a.err) {
		x.v.s.plain.Store(true)
		return true
	}
	return false
}

// streamless are the ways servers say that they do not stream this model, or not beside what the request holds. The word
// stands alone, so that a refused stream_options is not meant.
var streamless = regexp.MustCompile(`\bstream(ing|ed)?\b['"]?( mode| requests?| responses?)?( is| are|=true is| does)? ?(currently |yet )?` +
	`(not (be )?(supported|available|enabled|allowed|support)|unsupported|disabled|must be false)` +
	`|(not|n't|cannot) (currently |yet )?(support|allow|do)\w*\b[^.]{0,40}\bstream(ing|ed)?\b` +
	`|unsupported[^.]{0,20}['" ]stream(ing)?\b` +
	`|verified to stream\b`)

// refusesStream reports whether the same request may succeed without streaming.
func refusesStream(err *engine.Error) bool {
	switch err.Status {
	case 0, 400, 403, 404, 405, 422, 500, 501:
		return streamless.MatchString(strings.ToLower(err.Message))
	}
	return false
}

// fix changes the request as the plan says, once for each fix and station; nil when that changes nothing.
func (x *exchange) fix(e *engine.Error, plan engine.Plan) *engine.Retry {
	if plan.Fix == engine.FixNone || slices.ContainsFunc(x.v.fixed, func(f fix) bool { return f.what == plan.Fix }) {
		return nil
	}
	if _, changed := x.c.o.Mend(plan.Fix, x.next, e); !changed {
		return nil
	}
	x.v.fixed = append(x.v.fixed, fix{plan.Fix, e})
	return &engine.Retry{Err: e, Action: engine.ActionFix, Try: 2, Of: 2}
}

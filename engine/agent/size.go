package agent

import (
	"context"
	"slices"
	"unicode/utf8"

	"talaria/engine"
)

// leastShortened is how many characters a result has at least before it is shortened to make the others fit: a shorter one
// would hardly become shorter.
const leastShortened = 4_000

// ofWindow is the share of the window that one result may take (RULINGS 7).
const ofWindow = 0.25

// limit shortens a result that is too large alone: for the settings, or for the window of the model that reads it. What
// read_file gives it has bounded itself, in whole lines.
func (a *Agent) limit(t *task, window int) {
	if a.d.Shorten == nil {
		return
	}
	long := a.d.ResultChars > 0 && t.call.Name != "read_file" && utf8.RuneCountInString(t.result.Text) > a.d.ResultChars
	if long || window > 0 && a.memo.tokens(t.result.Text) > int(ofWindow*float64(window)) {
		r := a.d.Shorten(*t.result)
		t.result = &r
	}
}

// fit shortens the largest results of a round of calls until all together are within the limit (BEHAVIOUR 8.6).
func (a *Agent) fit(tasks []*task) {
	if a.d.Shorten == nil || a.d.TurnChars <= 0 {
		return
	}
	size := func(t *task) int { return utf8.RuneCountInString(t.result.Text) }
	total := 0
	for _, t := range tasks {
		total += size(t)
	}
	bySize := slices.Clone(tasks)
	slices.SortStableFunc(bySize, func(x, y *task) int { return size(y) - size(x) })
	for _, t := range bySize {
		before := size(t)
		if total <= a.d.TurnChars || before < min(leastShortened, a.d.TurnChars/4) {
			return
		}
		r := a.d.Shorten(*t.result)
		t.result = &r
		total += size(t) - before
	}
}

// store puts the results of a round into the history, in call order, and looks for a loop.
func (a *Agent) store(ctx context.Context, c *conversation, tasks []*task) {
	a.fit(tasks)
	for _, t := range tasks {
		c.repeated(t)
		c.answer(ctx, t)
	}
}

// Shortener is what Deps.Shorten is: it keeps a result's whole text elsewhere and returns one that says where.
type Shortener func(r engine.Result) engine.Result

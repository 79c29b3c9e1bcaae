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

// limit shortens a result that is too large alone. What read_file gives it has bounded itself, in whole lines.
func (a *Agent) limit(t *task) {
	if a.d.Shorten == nil || a.d.ResultChars <= 0 || t.call.Name == "read_file" {
		return
	}
	if utf8.RuneCountInString(t.result.Text) > a.d.ResultChars {
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
		if total <= a.d.TurnChars || before < leastShortened {
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

package feed

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// meterCells is the width of the countdown's bar.
const meterCells = 20

// retry tells that a request failed and is made again: a countdown while it waits, one line when it went on. Several
// in a row share one block.
type retry struct {
	face
	last       engine.Retry
	head       string
	began, now time.Time
	waiting    bool
	given      bool // the turn ended before it was asked again
}

// again takes the next failure.
func (r *retry) again(d engine.Retry, head string, now time.Time) {
	r.last, r.head, r.began, r.now, r.waiting = d, head, now, now, true
	r.changed()
}

// settle is called when the reply goes on.
func (r *retry) settle() {
	if r.waiting {
		r.waiting = false
		r.changed()
	}
}

// give is called when the turn ends during the wait.
func (r *retry) give() {
	r.waiting, r.given = false, true
	r.changed()
}

// Running reports whether the countdown goes on.
func (r *retry) Running() bool { return r.waiting && !r.hidden }

// Tick moves the countdown.
func (r *retry) Tick(now time.Time) {
	if r.Running() {
		if r.left(now) != r.left(r.now) {
			r.changed()
		}
		r.now = now
	}
}

// left is how long the wait still is, in whole seconds, rounded up.
func (r *retry) left(now time.Time) time.Duration {
	d := r.last.After - now.Sub(r.began)
	return max(0, (d + time.Second - 1).Truncate(time.Second))
}

func (r *retry) Render(width int) []string {
	sign := r.sheet.Glyphs.Warning + " "
	attempt := ""
	if r.last.Try > 0 && r.last.Of > 0 {
		attempt = fmt.Sprintf("attempt %d of %d", r.last.Try, r.last.Of)
	}
	if !r.waiting {
		text := sign + r.head
		if !r.given {
			text += " · asked again"
		}
		if attempt != "" && !r.given {
			text += ", " + attempt
		}
		return []string{r.sheet.Ink(themes.FgMuted, r.sheet.Truncate(r.sheet.Words(text), width))}
	}
	lines := r.sheet.WrapSpans([]style.Span{{Text: sign + r.head, Look: style.Look{Fg: themes.Warning}}}, width)
	text := "  " + r.doing()
	if bar := r.bar(); bar != "" && width >= narrowWidth {
		text += "   " + bar
	}
	if attempt != "" {
		text += "   " + attempt
	}
	lines = append(lines, r.sheet.Ink(themes.Fg, r.sheet.Truncate(r.sheet.Words(text), width)))
	if r.last.After > 0 {
		can := "  Enter retry now · m other model · Esc stop"
		switch {
		case r.offline():
			can = "  Enter look now · Esc stop"
		case width < narrowWidth:
			can = "  Enter now · m other model · Esc stop"
		}
		lines = append(lines, r.sheet.Ink(themes.FgMuted, r.sheet.Truncate(r.sheet.Words(can), width)))
	}
	return lines
}

// doing says what happens next, with the seconds until then.
func (r *retry) doing() string {
	words := actions[r.last.Action]
	if words == "" {
		words = actions[engine.ActionRetry]
	}
	if strings.Contains(words, "%s") {
		words = fmt.Sprintf(words, cmp.Or(flat(r.last.Model), title(r.last.Provider)))
	}
	if r.last.Key != "" && r.last.Action == engine.ActionRotate {
		words += " (" + flat(r.last.Key) + ")"
	}
	left := r.left(r.now)
	switch {
	case r.offline() && left > 0:
		return "Looking again in " + seconds(left)
	case left == 0:
		return words
	case r.last.Action == engine.ActionRetry:
		return "Retrying in " + seconds(left)
	}
	return words + " in " + seconds(left)
}

// offline reports whether it is the network that is waited for.
func (r *retry) offline() bool { return r.last.Err != nil && r.last.Err.Code == engine.CodeOffline }

// bar shows how much of the wait is over.
func (r *retry) bar() string {
	if r.last.After < time.Second {
		return ""
	}
	return r.sheet.Meter(float64(r.now.Sub(r.began))/float64(r.last.After), meterCells)
}

// happened is a sentence about err: who, what, and the status.
func happened(err *engine.Error, route engine.Route) string {
	if err.Code == engine.CodeOffline {
		return "No network. The turn will go on by itself when it is back."
	}
	words := codes[err.Code]
	if words == "" {
		words = reasons[err.Reason]
	}
	if words == "" {
		words = reasons[engine.ReasonUnknown]
	}
	if err.Status != 0 {
		words += fmt.Sprintf(" (HTTP %d)", err.Status)
	}
	return title(route.Provider) + " " + words
}

// remedy is what the user can do about a reason.
func remedy(r engine.Reason) string { return cmp.Or(remedies[r], usualRemedy) }

func title(provider string) string { return cmp.Or(titles[provider], flat(provider)) }

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

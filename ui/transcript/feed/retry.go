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
	details    bool // what the server said is shown
}

// Details shows or hides what the server said of the request that is waited for. It is false when none is.
func (f *Feed) Details() bool {
	if f.retry == nil || !f.retry.Running() {
		return false
	}
	f.retry.details = !f.retry.details
	f.retry.changed()
	return true
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
		lines = append(lines, r.can(width)...)
	}
	if r.details {
		lines = append(lines, r.said(width)...)
	}
	return lines
}

// can are the keys of a wait: in two columns where there is room (frame 11).
func (r *retry) can(width int) []string {
	details := "details: what the server said"
	if r.details {
		details = "less"
	}
	rows := []string{"  Enter retry now       m  another model for this turn", "  Esc   stop            d  " + details}
	switch {
	case r.offline() && width < narrowWidth:
		rows = []string{"  Enter look now · Esc stop"}
	case r.offline():
		rows = []string{"  Enter look now        d  " + details, "  Esc   stop"}
	case width < style.Width("  Enter now · m other model · Esc stop"):
		rows = []string{"  Enter now · m model · Esc stop"}
	case width < narrowWidth:
		rows = []string{"  Enter now · m other model · Esc stop"}
	}
	for i := range rows {
		rows[i] = r.sheet.Ink(themes.FgMuted, r.sheet.Truncate(r.sheet.Words(rows[i]), width))
	}
	return rows
}

// saidRows is how much of a server's words is shown: some answer with a whole page.
const saidRows = 12

// said is what is known of the failure: the words of the server, its numbers, and what helps.
func (r *retry) said(width int) []string {
	route := flat(cmp.Or(r.last.Provider, "the provider"))
	if r.last.Model != "" {
		route += "/" + flat(r.last.Model)
	}
	facts, text, hint := "  "+route, "", ""
	if e := r.last.Err; e != nil {
		if e.Status != 0 {
			facts += fmt.Sprintf(" · HTTP %d", e.Status)
		}
		facts += " · " + strings.ReplaceAll(string(e.Reason), "_", " ")
		if e.Code != "" && e.Code != string(e.Reason) {
			facts += " · " + flat(e.Code)
		}
		if e.After > 0 {
			facts += " · asked to wait " + seconds(e.After)
		}
		text, hint = e.Message, e.Hint
	}
	lines := []string{"", r.sheet.Ink(themes.FgMuted, r.sheet.Truncate(r.sheet.Words(facts), width))}
	for _, one := range []string{text, hint} {
		if one = strings.TrimSpace(style.Safe(one)); one == "" {
			continue
		}
		wrapped := style.Wrap(one, max(1, width-2))
		if over := len(wrapped) - saidRows; over > 0 {
			wrapped = append(wrapped[:saidRows], r.sheet.Words(fmt.Sprintf("… %d more lines", over)))
		}
		for _, l := range wrapped {
			lines = append(lines, "  "+r.sheet.Ink(themes.Fg, l))
		}
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

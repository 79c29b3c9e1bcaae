// Package beacon is what the screen tells outside its window: the title, the progress of the task list, a notification
// when nobody looks, and what happened meanwhile when somebody looks again. It refuses to disturb who is looking, and to
// send what an old terminal would show as text.
package beacon

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/screen"
	"talaria/ui/turn"
)

// unknownAfter is how long without a key counts as away where the terminal does not tell of its focus; catchUp is from
// when an absence is worth a line (UX C 6).
const (
	unknownAfter = 20 * time.Second
	catchUp      = 5 * time.Minute
)

// Beacon is the feature over a screen.
type Beacon struct {
	s     *screen.State
	known bool      // the terminal tells of its focus
	away  bool      // it has not got it
	since time.Time // when it lost it
	key   time.Time // the last key
	tally tally
}

// tally is what happened while nobody looked.
type tally struct {
	turns, files, failed int
	tasks                int // done when the absence began
	asked                time.Time
	waited               time.Duration
}

// New returns the feature.
func New(s *screen.State) *Beacon { return &Beacon{s: s, key: s.Now()} }

// Feature is its events and its command.
func (b *Beacon) Feature() screen.Feature {
	return screen.Feature{On: b.on, Update: b.update, Commands: []command.Command{b.notify()}}
}

// Pressed notes that somebody is there.
func (b *Beacon) Pressed() { b.key = b.s.Now() }

// Blurred notes that the window lost the focus.
func (b *Beacon) Blurred() {
	b.known, b.away, b.since = true, true, b.s.Now()
	b.tally = tally{tasks: done(b.s.Session.Tasks)}
	if b.s.Turn.State == turn.NeedsYou {
		b.tally.asked = b.s.Now()
	}
}

// Focused notes that it is back, and says what happened if it was long.
func (b *Beacon) Focused() {
	b.known = true
	if b.away && b.s.Now().Sub(b.since) >= catchUp {
		if text := b.meanwhile(); text != "" {
			b.s.Say(engine.NoteInfo, text)
		}
	}
	b.away = false
}

// Away reports whether nobody looks, as far as can be known.
func (b *Beacon) Away() bool {
	if b.known {
		return b.away
	}
	return b.s.Now().Sub(b.key) >= unknownAfter
}

// Blind reports whether the terminal told that the window has not got the focus.
func (b *Beacon) Blind() bool { return b.known && b.away }

func (b *Beacon) on(e engine.Event) tea.Cmd {
	if a, ok := e.(engine.Asked); ok {
		if b.tally.asked.IsZero() {
			b.tally.asked = b.s.Now()
		}
		return b.needed(a.Question)
	}
	if _, ok := e.(engine.Withdrawn); ok && b.s.Turn.State != turn.NeedsYou && !b.tally.asked.IsZero() {
		b.tally.waited += b.s.Now().Sub(b.tally.asked)
		b.tally.asked = time.Time{}
	}
	if c, ok := e.(engine.CallEnded); ok {
		b.tally.files += len(c.Result.Changed)
	}
	if end, ok := e.(engine.Ended); ok {
		return b.ended(end)
	}
	return nil
}

// needed rings once for a question, and notifies who is away.
func (b *Beacon) needed(q engine.Question) tea.Cmd {
	open := 0
	for _, o := range b.s.Overlays {
		if o.Asks() {
			open++
		}
	}
	if b.s.Options.Notify == "off" || open > 1 {
		return nil
	}
	if b.Away() && b.s.Options.Notify != "bell" {
		if text := b.notice(b.s.Sheet.Glyphs.Waiting+" needs you", chrome.OneLine(q.Title)); text != "" {
			return tea.Raw(text + "\a")
		}
	}
	return tea.Raw("\a")
}

func (b *Beacon) ended(e engine.Ended) tea.Cmd {
	b.tally.turns++
	what := "done"
	if e.Outcome.Interrupted {
		return nil
	}
	if e.Why != engine.ExitFinished {
		b.tally.failed++
		what = "failed"
	}
	if !b.Away() || b.s.Options.Notify == "off" {
		return nil
	}
	text := ""
	if b.s.Options.Notify != "bell" {
		text = b.notice(what, b.s.Session.Row.Title)
	} else {
		text = "\a"
	}
	if text == "" {
		return nil // no way to tell but a bell, which is for what needs an answer
	}
	return tea.Raw(text)
}

// meanwhile is the line that sums an absence up, "" when nothing happened.
func (b *Beacon) meanwhile() string {
	var parts []string
	add := func(n int, one, many, after string) {
		if n > 0 {
			parts = append(parts, chrome.Plural(n, one, many)+after)
		}
	}
	add(done(b.s.Session.Tasks)-b.tally.tasks, "task", "tasks", " done")
	add(b.tally.turns-b.tally.failed, "turn", "turns", " finished")
	add(b.tally.failed, "turn", "turns", " failed")
	add(b.tally.files, "change", "changes", " to files")
	if wait := b.tally.waited; wait > 0 || b.s.Turn.State == turn.NeedsYou {
		if b.s.Turn.State == turn.NeedsYou && !b.tally.asked.IsZero() {
			wait += b.s.Now().Sub(b.tally.asked)
		}
		parts = append(parts, fmt.Sprintf("waiting for you %d min", int(wait.Minutes())))
	}
	if len(parts) == 0 {
		return ""
	}
	return "While you were away: " + strings.Join(parts, ", ") + "."
}

func done(tasks []engine.Task) (n int) {
	for _, t := range tasks {
		if t.Status == "completed" {
			n++
		}
	}
	return n
}

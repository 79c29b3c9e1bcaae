package work

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/board"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// queues is the list of messages that wait: steers first, which go in with the next step, then those for after the turn.
type queues struct {
	s *screen.State
	b *board.Board // the newest that was opened
}

func (q *queues) open() *board.Board {
	q.b = board.New(q.s.Sheet, board.Words{Title: "Waiting", Note: "sent by itself when its time comes", Empty: "Nothing waits. Tab queues what stands in the prompt while the agent works.", Max: 100,
		Hints: []string{"e change", "x take out", "+/- later, sooner", "Esc close"}, Bare: []string{"Esc close"}})
	q.b.Press, q.b.Detail = q.press, q.detail
	q.fill()
	return q.b
}

// item is one waiting message.
type item struct {
	engine.Waiting
	steer bool
}

func (q *queues) items() (all []item) {
	for _, w := range q.s.Strip.Steers {
		all = append(all, item{w, true})
	}
	for _, w := range q.s.Strip.Queued {
		all = append(all, item{w, false})
	}
	return all
}

// fill makes the rows anew; the list changes by itself when something is delivered.
func (q *queues) fill() {
	if q.b == nil {
		return
	}
	var rows []board.Row
	for _, w := range q.items() {
		when := "after this turn"
		if w.steer {
			when = "with the next step"
		}
		if q.s.Strip.Paused {
			when = "paused"
		}
		rows = append(rows, board.Row{Key: w.ID, Text: w.Text, Mark: when})
	}
	q.b.Fill(rows)
}

// change gives a waiting message another text; "" takes it out.
func (q *queues) change(w item, text string) {
	if w.steer {
		q.s.Do(engine.Steer{ID: w.ID, Text: text})
	} else {
		q.s.Do(engine.Queue{ID: w.ID, Text: text})
	}
}

func (q *queues) press(key string, at int) (tea.Cmd, bool) {
	all := q.items()
	if key == "esc" || key == "q" {
		return nil, true
	}
	if at >= len(all) {
		return nil, false
	}
	w := all[at]
	switch key {
	case "e", "enter":
		q.b.Edit("The message", w.Text, func(text string) tea.Cmd {
			if text != "" { // an empty one would take it out: x does that
				q.change(w, text)
			}
			return nil
		})
	case "x", "delete":
		q.s.Prompt.Remember(w.Text) // Up brings it back
		q.change(w, "")
		q.b.Say = "Taken out. Up in the prompt brings it back."
	case "+", "shift+down":
		q.swap(w, all, at, at+1)
	case "-", "shift+up":
		q.swap(w, all, at, at-1)
	}
	return nil, false
}

// swap lets two messages change places, in one step of the engine's: a turn that ends meanwhile takes one of them, whole.
func (q *queues) swap(w item, all []item, at, to int) {
	if to < 0 || to >= len(all) || all[to].steer != w.steer {
		q.b.Say = "It stands at its end already."
		return
	}
	if w.steer {
		q.s.Do(engine.Steer{ID: w.ID, Swap: all[to].ID})
	} else {
		q.s.Do(engine.Queue{ID: w.ID, Swap: all[to].ID})
	}
}

func (q *queues) detail(at, w int) []string {
	all := q.items()
	if at >= len(all) {
		return nil
	}
	return slices.Clone(style.Wrap(style.Visible(all[at].Text), w))
}

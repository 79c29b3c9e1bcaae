// Package questions opens the dialog of what the engine asks, keeps what was left for later, and closes both when no
// answer is needed any more. It refuses to answer, and to let a later question push itself before the first.
package questions

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/approval"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
)

// Questions is the feature over a screen.
type Questions struct{ s *screen.State }

// New returns the feature.
func New(s *screen.State) *Questions { return &Questions{s} }

// Feature is its keys and events.
func (f *Questions) Feature() screen.Feature {
	return screen.Feature{
		Keys: []keys.Binding{{ID: "question", Keys: []string{"ctrl+x j"}, Name: "Open question", Help: "one that was left for later", Can: f.whyNone, Do: f.Later}},
		On: func(e engine.Event) tea.Cmd {
			if a, ok := e.(engine.Asked); ok {
				return f.ask(a.Question)
			}
			if w, ok := e.(engine.Withdrawn); ok {
				f.withdrawn(w.ID)
			}
			return nil
		},
	}
}

func (f *Questions) whyNone() string {
	if len(f.s.Strip.Later) > 0 {
		return ""
	}
	return "none waits"
}

// ask opens the dialog of a question.
func (f *Questions) ask(q engine.Question) tea.Cmd {
	s := f.s
	s.Strip.Later = slices.DeleteFunc(s.Strip.Later, func(p engine.Question) bool { return p.ID == q.ID })
	o, ok := f.overlay(q)
	if !ok {
		return nil
	}
	if t, ok := o.Box.(dialog.Typist); ok {
		t.Typed(s.Typed)
	}
	s.Leader.On = false
	if s.Overlays.Below(o) {
		s.Overlays.Count()
		return nil
	}
	return s.Open(o)
}

// overlay is the dialog that answers q; ok is false for a kind of question that this version does not know.
func (f *Questions) overlay(q engine.Question) (o overlay.Overlay, ok bool) {
	o = overlay.Overlay{ID: string(q.Kind), Question: q}
	switch now := f.s.Now(); q.Kind {
	case engine.Approval:
		o.Key, o.Box = "n deny", approval.New(f.s.Sheet, q, now, 1, f.answer(q))
	case engine.Trust:
		o.Key, o.Box = "Esc no", dialog.Trust(f.s.Sheet, q, now, f.answer(q))
	case engine.Clarify:
		o.Key, o.Box = "Esc later", dialog.Clarify(f.s.Sheet, q, now, f.answer(q))
		if q.Esc != "" {
			o.Key = "Esc " + q.Esc
		}
	default:
		return o, false
	}
	return o, true
}

func (f *Questions) answer(q engine.Question) func(engine.Answer) tea.Cmd {
	do := f.s.Do
	return func(a engine.Answer) tea.Cmd {
		a.ID = q.ID
		return func() tea.Msg { do(a); return nil }
	}
}

// withdrawn closes the dialog of a question that needs no answer any more.
func (f *Questions) withdrawn(id string) {
	f.s.Overlays.Drop(func(o overlay.Overlay) bool { return o.Asks() && o.Question.ID == id })
	f.s.Strip.Later = slices.DeleteFunc(f.s.Strip.Later, func(q engine.Question) bool { return q.ID == id })
	f.s.Overlays.Count()
	f.s.Overlays.Reveal(f.s.Now())
}

// Later opens the oldest question that was left for later.
func (f *Questions) Later() tea.Cmd {
	if len(f.s.Strip.Later) == 0 {
		return nil
	}
	return f.ask(f.s.Strip.Later[0])
}

// Drop closes the questions of a turn that is over. The engine withdraws them too; whether they come in time is not the
// screen's business.
func (f *Questions) Drop() {
	f.s.Overlays.Drop(func(o overlay.Overlay) bool {
		return o.Question.Kind == engine.Approval || o.Question.Kind == engine.Clarify
	})
	f.s.Strip.Later = nil
}

// Package overlay is the stack of dialogs over the transcript: which has the keys, which leave the prompt usable, and
// what closes with what. It refuses to know what is in a dialog.
package overlay

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// Overlay is a dialog over the transcript. ID is its name ("help"); Key is what the status bar says ("Esc close").
// A Full one takes the whole screen. Question is set when the dialog answers one; its ID is "" otherwise.
//
// A box may have more than dialog.Dialog asks: Wants(tea.KeyPressMsg) bool and WantsText() bool leave the prompt the keys
// that it does not want; WantsPaste(string) bool takes a paste first; SetSheet(style.Sheet) wears a new theme; Note()
// string is said when it has closed; Later() bool leaves its question for later; Init() tea.Cmd runs when it opens.
type Overlay struct {
	ID       string
	Key      string
	Full     bool
	Quiet    bool // the prompt says nothing while it is open
	Question engine.Question
	Box      dialog.Dialog
}

// Asks reports whether the overlay answers a question.
func (o Overlay) Asks() bool { return o.Question.ID != "" }

// wanter is a box that leaves the prompt usable.
type wanter interface {
	Wants(tea.KeyPressMsg) bool
	WantsText() bool
}

// WantsText reports whether what is typed belongs to the box alone.
func (o *Overlay) WantsText() bool {
	w, ok := o.Box.(wanter)
	return ok && w.WantsText()
}

// Shares reports whether the box leaves the prompt usable now.
func (o *Overlay) Shares() bool {
	w, ok := o.Box.(wanter)
	return ok && !w.WantsText()
}

// Takes reports whether the box has this key. Empty says that nothing stands in the prompt.
func (o *Overlay) Takes(k tea.KeyPressMsg, empty bool) bool {
	w, ok := o.Box.(wanter)
	switch {
	case !ok || w.WantsText():
		return true
	case !empty && k.Text != "":
		return false // somebody is typing a message
	}
	return w.Wants(k)
}

// letter stands for any character that is typed.
var letter = tea.KeyPressMsg{Code: 'x', Text: "x"}

// TakesText reports whether a typed character goes to the box.
func (o *Overlay) TakesText(empty bool) bool { return o.Takes(letter, empty) }

// Stack is the open overlays; the last one is on top and has the keys.
type Stack []Overlay

// Top is the overlay that has the keys, nil without one.
func (s Stack) Top() *Overlay {
	if len(s) == 0 {
		return nil
	}
	return &s[len(s)-1]
}

// Question is the open question that is on top of the others, nil without one.
func (s Stack) Question() *Overlay {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].Asks() {
			return &s[i]
		}
	}
	return nil
}

// Has reports whether an overlay of that name is open.
func (s Stack) Has(id string) bool {
	return slices.ContainsFunc(s, func(o Overlay) bool { return o.ID == id })
}

// Push opens an overlay on top of the others.
func (s *Stack) Push(o Overlay) { *s = append(*s, o) }

// Below opens a question under the one that was asked first: the first asked is the first shown. It reports whether
// there is one.
func (s *Stack) Below(o Overlay) bool {
	at := slices.IndexFunc(*s, Overlay.Asks)
	if at >= 0 {
		*s = slices.Insert(*s, at, o)
	}
	return at >= 0
}

// Drop closes the overlays that f names.
func (s *Stack) Drop(f func(Overlay) bool) { *s = slices.DeleteFunc(*s, f) }

// Close closes the overlay of a name.
func (s *Stack) Close(id string) { s.Drop(func(o Overlay) bool { return o.ID == id }) }

// Count tells each approval how many wait.
func (s Stack) Count() {
	n := 0
	for _, o := range s {
		if o.Question.Kind == engine.Approval {
			n++
		}
	}
	for _, o := range s {
		if a, ok := o.Box.(interface{ SetWaiting(int) }); ok {
			a.SetWaiting(n)
		}
	}
}

// revealGuard makes the guard after a key (700 ms in package dialog) last as long as the one after opening (400 ms).
const revealGuard = 300 * time.Millisecond

// Reveal guards a question that has just come to the top: the keys that were meant for the one before it must not answer
// it.
func (s Stack) Reveal(now time.Time) {
	if o := s.Top(); o != nil && o.Asks() {
		if t, ok := o.Box.(dialog.Typist); ok {
			t.Typed(now.Add(-revealGuard))
		}
	}
}

// SetSheet gives the open boxes new colours. The terminal tells its background right after the start, when the connect
// screen may be open already.
func (s Stack) SetSheet(sheet style.Sheet) {
	for _, o := range s {
		if b, ok := o.Box.(interface{ SetSheet(style.Sheet) }); ok {
			b.SetSheet(sheet)
		}
	}
}

// Package permission shows the approval rules that are in force and what was decided by them: /permissions and /why. It
// revokes a rule; it makes none, since a rule is only made where what it allows is on screen.
package permission

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/overlay"
	"talaria/ui/screen"
)

const overlayID = "permissions"

// Feature is its commands. P may be nil: then there is nothing to show.
func Feature(s *screen.State, p engine.Permissions) screen.Feature {
	open := func(page page) func(string) tea.Cmd {
		return func(string) tea.Cmd {
			s.Overlays.Drop(func(o overlay.Overlay) bool { return o.ID == overlayID })
			return s.Open(overlay.Overlay{ID: overlayID, Key: "Esc close", Box: New(s.Context, s.Sheet, p, page)})
		}
	}
	can := func() string {
		if p == nil {
			return "there are no rules here"
		}
		return ""
	}
	return screen.Feature{Commands: []command.Command{
		{Name: "permissions", Help: "what is allowed without a question; revoke it", Group: command.Set, Busy: true, Can: can, Do: open(rules)},
		{Name: "why", Help: "which rule decided on which call", Group: command.Look, Busy: true, Can: can, Do: open(rulings)},
	}}
}

// page is what the dialog lists.
type page uint8

const (
	rules page = iota
	rulings
)

// newest is how many decisions are listed.
const newest = 100

// loadedMsg is what the engine knows now; note says what was just done.
type loadedMsg struct {
	rules   []engine.Permission
	rulings []engine.Ruling
	note    string
	err     error
}

// load asks for both lists, after do when that is set.
func (l *List) load(do func(ctx context.Context) (note string, err error)) tea.Cmd {
	ctx, p := l.ctx, l.p
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
		defer cancel()
		var m loadedMsg
		if do != nil {
			m.note, m.err = do(ctx)
		}
		var err error
		if m.rules, err = p.List(ctx); err != nil && m.err == nil {
			m.err = err
		}
		if m.rulings, err = p.Rulings(ctx, newest); err != nil && m.err == nil {
			m.err = err
		}
		return m
	}
}

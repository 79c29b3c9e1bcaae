// Package older brings the conversation that stands before what a session opened with, a page at a time, as the reader
// comes to it, searches, or goes to its first row. It refuses to draw: the transcript says what it needs and takes it in.
package older

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/screen"
	"talaria/ui/transcript"
)

// How many records one read brings: to a reader who scrolls, and to one who wants all of them.
const (
	pageRecords = 400
	allRecords  = 4000
)

// rest is how long nothing is read after a failure.
const rest = 5 * time.Second

// page is what a read brought; of is the session that was opened when it was asked for.
type page struct {
	of   int
	page engine.Page
	err  error
}

// Older reads what is older. The zero place means that there is nothing.
type Older struct {
	s       *screen.State
	place   *engine.Place
	opened  int // how many sessions were opened so far
	reading bool
	failed  time.Time // when a read failed last, zero when it did not
}

// New returns it over s.
func New(s *screen.State) *Older { return &Older{s: s} }

// Feature is its share of what happens.
func (o *Older) Feature() screen.Feature {
	return screen.Feature{On: o.on, Update: o.update}
}

func (o *Older) on(e engine.Event) tea.Cmd {
	if e, ok := e.(engine.Opened); ok {
		*o = Older{s: o.s, place: e.Earlier, opened: o.opened + 1}
		o.s.Log.SetMore(o.place != nil && o.s.Views.Past != nil)
	}
	return nil
}

// Next reads what the transcript needs now, nil when that is nothing. It is asked after every message.
func (o *Older) Next() tea.Cmd {
	if o.place == nil || o.s.Views.Past == nil || o.reading || !o.failed.IsZero() && o.s.Now().Sub(o.failed) < rest {
		return nil
	}
	n := pageRecords
	switch o.s.Log.Need() {
	case transcript.NeedNone:
		return nil
	case transcript.NeedAll:
		n = allRecords
	case transcript.NeedPage:
	}
	o.reading = true
	past, ctx, at, of := o.s.Views.Past, o.s.Context, *o.place, o.opened
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
		defer cancel()
		got, err := past.Earlier(ctx, at, n)
		return page{of, got, err}
	}
}

func (o *Older) update(msg tea.Msg) tea.Cmd {
	p, ok := msg.(page)
	if !ok || p.of != o.opened {
		return nil // of a session that is not on screen any more
	}
	o.reading = false
	if p.err != nil {
		if o.failed.IsZero() {
			o.s.Say(engine.NoteWarning, fmt.Sprintf("Older messages cannot be read: %v. Nothing is lost; it is tried again when you scroll up.", p.err))
		}
		o.failed = o.s.Now()
		return nil
	}
	o.failed = time.Time{}
	o.place = p.page.Next
	o.s.Log.Prepend(p.page.Records, o.place != nil)
	return nil
}

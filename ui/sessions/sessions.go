// Package sessions is what the screen can do with sessions: pick one, open it, begin a new one, give it a title. It
// refuses to leave one whose agent works.
package sessions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/screen"
)

// Sessions is the feature over a screen. Save stores the draft; it runs before the session changes.
type Sessions struct {
	s     *screen.State
	save  func() tea.Cmd
	scope picker.Scope // as it was chosen last
}

// New returns the feature.
func New(s *screen.State, save func() tea.Cmd) *Sessions { return &Sessions{s: s, save: save} }

// overlayID is the name of the session picker.
const overlayID = "sessions"

type (
	pickedMsg struct {
		id  string
		err error
	}
	recentMsg []engine.Session
)

// Feature is its keys, commands and messages.
func (f *Sessions) Feature() screen.Feature {
	return screen.Feature{
		Keys: []keys.Binding{
			{ID: "sessions", Keys: []string{"ctrl+x s"}, Name: "Sessions", Do: f.Open},
			{ID: "new", Keys: []string{"ctrl+x n"}, Name: "New session", Can: f.s.WhyRunning, Do: f.begin},
			{ID: "recent-1", Keys: []string{"ctrl+x 1"}, Name: "Open recent 1-3", Help: "on an empty session", Can: f.whyNotEmpty, Do: f.recent(1)},
			{ID: "recent-2", Keys: []string{"ctrl+x 2"}, Name: "Open recent 2", Can: f.whyNotEmpty, Do: f.recent(2)},
			{ID: "recent-3", Keys: []string{"ctrl+x 3"}, Name: "Open recent 3", Can: f.whyNotEmpty, Do: f.recent(3)},
		},
		Commands: []command.Command{
			{Name: "new", Help: "start a new session", Do: func(string) tea.Cmd { return f.begin() }},
			{Name: "resume", Args: "[text]", Help: "open a session; with text: the one that fits", Ask: f.titles, Do: f.resume},
			{Name: "sessions", Help: "list the sessions", Busy: true, Do: func(string) tea.Cmd { return f.Open() }},
			{Name: "fork", Args: "[title]", Help: "go on in a copy of this session", Do: f.fork},
			{Name: "rename", Args: "title", Help: "give this session a title", Busy: true, Do: f.rename},
		},
		Update: f.update,
	}
}

func (f *Sessions) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case recentMsg:
		f.s.Session.Recent = msg
		f.s.Rewelcome()
	case pickedMsg:
		if msg.err != nil {
			f.s.Say(engine.NoteWarning, msg.err.Error())
		} else if msg.id != "" {
			return f.open(msg.id)
		}
	}
	return nil
}

func (f *Sessions) whyNotEmpty() string {
	if f.s.Log.Empty() && len(f.s.Session.Recent) > 0 {
		return ""
	}
	return "only where they are listed"
}

// Open opens the session picker, a screen of its own.
func (f *Sessions) Open() tea.Cmd {
	s := f.s
	deps := picker.SessionsWith(s.Context, s.Library, picker.Where{Dir: s.Options.Dir, Roots: s.Options.Roots}, func(one engine.Session) tea.Cmd {
		return func() tea.Msg { return pickedMsg{id: one.ID} }
	})
	deps.Current, deps.Scope, deps.Scoped = s.Session.Row.ID, f.scope, func(scope picker.Scope) { f.scope = scope }
	deps.Path = s.HomePath
	deps.Wanted, s.Options.Owned = s.Options.Owned, ""
	deps.Working = func(id string) bool { return id == s.Session.Row.ID && s.Turn.Active }
	if s.Forks != nil {
		deps.Fork = f.forkOf
	}
	return s.Open(overlay.Overlay{ID: overlayID, Key: "Esc back", Full: true, Box: picker.NewSessions(s.Sheet, deps)})
}

// forkOf copies a session and opens the copy.
func (f *Sessions) forkOf(id string) tea.Cmd {
	forks, ctx := f.s.Forks, f.s.Context
	return func() tea.Msg {
		copied, err := forks.ForkSession(ctx, id)
		return pickedMsg{id: copied, err: err}
	}
}

// fork is the command: this session as it is goes on in a copy.
func (f *Sessions) fork(title string) tea.Cmd {
	switch {
	case f.s.Forks == nil:
		f.s.Say(engine.NoteInfo, "Sessions cannot be copied here.")
		return nil
	case !f.s.Session.Stored:
		f.s.Say(engine.NoteInfo, "This session has no message yet: there is nothing to copy.")
		return nil
	}
	forks, lib, ctx, id := f.s.Forks, f.s.Library, f.s.Context, f.s.Session.Row.ID
	return func() tea.Msg {
		copied, err := forks.ForkSession(ctx, id)
		if err == nil && title != "" {
			err = lib.Rename(ctx, copied, title)
		}
		return pickedMsg{id: copied, err: err}
	}
}

// begin starts a new session: the draft first, since the new one may share its place.
func (f *Sessions) begin() tea.Cmd { return f.Change("") }

// Change opens another session, "" a new one, when the draft is saved.
func (f *Sessions) Change(id string) tea.Cmd {
	save, do := f.save(), f.s.Do
	return func() tea.Msg {
		msg := save()
		do(engine.Open{Session: id})
		return msg
	}
}

// open changes to another session. The agent works in one at a time.
func (f *Sessions) open(id string) tea.Cmd {
	f.s.ClosePickers()
	if f.s.Turn.Active && id != f.s.Session.Row.ID {
		f.s.Say(engine.NoteWarning, "The agent is still working here. Stop it first (Esc), then change the session.")
		return nil
	}
	return f.Change(id)
}

// resume opens the session that a text fits; without one, the picker.
func (f *Sessions) resume(arg string) tea.Cmd {
	if arg == "" {
		return f.Open()
	}
	lib, dir := f.s.Library, f.s.Options.Dir
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		s, err := lib.Find(ctx, arg, dir)
		return pickedMsg{id: s.ID, err: err}
	}
}

// rename gives the session a title of the user's own.
func (f *Sessions) rename(arg string) tea.Cmd {
	row := &f.s.Session.Row
	switch {
	case arg == "":
		f.s.Say(engine.NoteInfo, "/rename TITLE gives this session a title.")
		return nil
	case !f.s.Session.Stored:
		f.s.Say(engine.NoteInfo, "This session has no message yet; rename it after the first.")
		return nil
	}
	row.Title = arg
	lib, id := f.s.Library, row.ID
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		if err := lib.Rename(ctx, id, arg); err != nil {
			return pickedMsg{err: err}
		}
		return nil
	}
}

// recent opens one of the sessions that the welcome lists.
func (f *Sessions) recent(n int) func() tea.Cmd {
	return func() tea.Cmd {
		if n > len(f.s.Session.Recent) {
			return nil
		}
		return f.open(f.s.Session.Recent[n-1].ID)
	}
}

// LoadRecent asks for the newest sessions of this directory, for the welcome of an empty one.
func (f *Sessions) LoadRecent() tea.Cmd {
	dir, lib := f.s.Options.Dir, f.s.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		list, err := lib.List(ctx, engine.Query{Dir: dir, Limit: chrome.Recents})
		if err != nil {
			return nil
		}
		return recentMsg(list)
	}
}

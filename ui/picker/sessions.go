package picker

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
	"talaria/ui/dialog"
	"talaria/ui/style"
)

// undoFor is how long a deleted session can be had back.
const undoFor = 10 * time.Second

// SessionDeps is what the session picker can do. List brings a SessionsLoaded, Preview a PreviewLoaded; Preview may be
// nil. Rename and Delete bring a SessionsChanged. Current is the session on screen; Running tells of others that a
// turn runs in or that another window has, and may be nil. Read brings a SessionRead; nil when there is none.
type SessionDeps struct {
	Current string
	Running func(id string) bool
	List    func(all bool) tea.Cmd
	Preview func(id string) tea.Cmd
	Read    func(id string) tea.Cmd
	Rename  func(id, title string) tea.Cmd
	Delete  func(id string) tea.Cmd
	Open    func(s engine.Session) tea.Cmd
}

// SessionsLoaded brings the sessions of this directory, or of all.
type SessionsLoaded struct {
	All      bool
	Sessions []engine.Session
	Err      error
}

// PreviewLoaded brings the lines that tell what a session is about, plain or styled.
type PreviewLoaded struct {
	ID    string
	Lines []string
}

// SessionRead brings the last records of a session, oldest first.
type SessionRead struct {
	ID      string
	Records []engine.Record
	Err     error
}

// SessionsChanged says how a rename or a deletion went.
type SessionsChanged struct{ Err error }

// deleteDue says that the time to undo is over.
type deleteDue struct {
	id     string
	number int
}

// mostSessions is how many sessions are loaded, newest first.
const mostSessions = 500

// mostRecords is how many records of a session its full preview reads: more than anybody scrolls back to recognise it.
const mostRecords = 400

// SessionsWith makes the commands out of the store's library. Dir is this directory; open may be called once.
func SessionsWith(ctx context.Context, lib engine.Library, dir string, open func(engine.Session) tea.Cmd) SessionDeps {
	return SessionDeps{
		List: func(all bool) tea.Cmd {
			return func() tea.Msg {
				q := engine.Query{Dir: dir, Limit: mostSessions}
				if all {
					q.Dir = ""
				}
				found, err := lib.List(ctx, q)
				return SessionsLoaded{all, found, err}
			}
		},
		Read: func(id string) tea.Cmd {
			return func() tea.Msg {
				found, err := lib.Tail(ctx, id, mostRecords)
				return SessionRead{id, engine.Standing(found), err}
			}
		},
		Rename: func(id, title string) tea.Cmd {
			return func() tea.Msg { return SessionsChanged{lib.Rename(ctx, id, title)} }
		},
		Delete: func(id string) tea.Cmd { return func() tea.Msg { return SessionsChanged{lib.Delete(ctx, id)} } },
		Open:   open,
	}
}

// Sessions is the picker of sessions, a screen of its own.
type Sessions struct {
	sheet    style.Sheet
	deps     SessionDeps
	list     list[engine.Session]
	all      bool // the scope: every directory
	loading  bool
	notice   string
	renaming *composer.Line
	deleting map[string]int // id -> number of the deletion that waits
	deletes  int
	previews map[string][]string
	reading  *reading // the full preview, nil when it is closed
	page     int
	now      func() time.Time
}

// NewSessions returns the picker; the owner runs Init.
func NewSessions(sheet style.Sheet, deps SessionDeps) *Sessions {
	p := &Sessions{sheet: sheet, deps: deps, loading: true, deleting: map[string]int{}, previews: map[string][]string{}, now: time.Now}
	p.list.text = func(s engine.Session) string { return s.Title + " " + s.Dir }
	return p
}

// SetSheet changes the theme or the glyphs.
func (p *Sessions) SetSheet(s style.Sheet) {
	p.sheet = s
	if p.reading != nil {
		p.reading.laid = nil
	}
}

// Init loads the sessions of this directory.
func (p *Sessions) Init() tea.Cmd { return p.deps.List(p.all) }

// Update takes keys, and the messages of the commands.
func (p *Sessions) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case SessionsLoaded:
		if msg.All == p.all {
			p.loaded(msg)
		}
		return p.preview(), false
	case PreviewLoaded:
		p.previews[msg.ID] = msg.Lines
	case SessionRead:
		if p.reading != nil && p.reading.id == msg.ID {
			p.reading.take(msg)
		}
	case SessionsChanged:
		if msg.Err != nil {
			p.notice = "That could not be stored: " + msg.Err.Error()
			return p.deps.List(p.all), false
		}
	case deleteDue:
		if p.deleting[msg.id] == msg.number {
			return p.remove(msg.id), false
		}
	case tea.KeyPressMsg:
		return p.key(msg)
	case tea.PasteMsg:
		switch {
		case p.renaming != nil:
			p.renaming.Update(msg)
		case p.reading == nil:
			p.list.update(msg, p.page)
			return p.preview(), false
		}
	}
	return nil, false
}

// loaded shows a session with its compression children as one row: the newest of them.
func (p *Sessions) loaded(m SessionsLoaded) {
	p.loading = false
	if m.Err != nil {
		p.notice = "The sessions could not be read: " + m.Err.Error()
		return
	}
	older := map[string]bool{}
	for _, s := range m.Sessions {
		if s.ParentWhy == "compression" {
			older[s.ParentID] = true
		}
	}
	rows := slices.DeleteFunc(slices.Clone(m.Sessions), func(s engine.Session) bool { return older[s.ID] })
	p.list.set(rows, func(a, b engine.Session) bool { return a.ID == b.ID })
}

func (p *Sessions) key(k tea.KeyPressMsg) (tea.Cmd, bool) {
	if p.renaming != nil {
		return p.renameKey(k), false
	}
	p.notice = ""
	if p.reading != nil {
		return p.readingKey(k)
	}
	switch stroke := k.Keystroke(); stroke {
	case "ctrl+o":
		return p.read(), false
	case "esc":
		if p.list.filter.Value() != "" {
			p.list.filter.Set("")
			p.list.apply()
			return p.preview(), false
		}
		return p.flush(""), true
	case "enter":
		return p.open()
	case "tab", "shift+tab":
		p.all, p.loading = !p.all, true
		return p.deps.List(p.all), false
	case "ctrl+r":
		if s, ok := p.list.current(); ok {
			p.renaming = &composer.Line{}
			p.renaming.Set(s.Title)
		}
		return nil, false
	case "ctrl+d":
		return p.delete(), false
	default:
		if k.Text == " " && p.list.filter.Value() == "" {
			return p.read(), false
		}
		if n := int(k.Code - '0'); p.list.filter.Value() == "" && len(k.Text) == 1 && n >= 1 && n <= 9 {
			if row := p.list.top + n - 1; row < len(p.list.shown) {
				p.list.at = row
				return p.open()
			}
			return nil, false
		}
	}
	if p.list.update(k, p.page) {
		return p.preview(), false
	}
	return nil, false
}

// open opens the session in use. A session that was about to go stays when it is opened.
func (p *Sessions) open() (tea.Cmd, bool) {
	s, ok := p.list.current()
	if !ok {
		return nil, false
	}
	return tea.Sequence(p.flush(s.ID), p.deps.Open(s)), true
}

func (p *Sessions) renameKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.Keystroke() {
	case "esc":
		p.renaming = nil
	case "enter":
		title := p.renaming.Value()
		p.renaming = nil
		s, ok := p.list.current()
		if !ok || title == "" || title == s.Title {
			return nil
		}
		p.list.all[p.list.shown[p.list.at]].Title = title
		return p.deps.Rename(s.ID, title)
	default:
		p.renaming.Update(k)
	}
	return nil
}

// delete marks the session in use; it goes when the time to undo is over. The same key takes that back.
func (p *Sessions) delete() tea.Cmd {
	s, ok := p.list.current()
	switch {
	case !ok:
		return nil
	case p.deleting[s.ID] != 0:
		delete(p.deleting, s.ID)
		return nil
	case s.ID == p.deps.Current:
		p.notice = "This session is on screen. Open another before you delete it."
		return nil
	case p.running(s.ID):
		p.notice = "This session is open in another window. Close it there first."
		return nil
	}
	p.deletes++
	number := p.deletes
	p.deleting[s.ID] = number
	return tea.Tick(undoFor, func(time.Time) tea.Msg { return deleteDue{s.ID, number} })
}

func (p *Sessions) running(id string) bool { return p.deps.Running != nil && p.deps.Running(id) }

func (p *Sessions) remove(id string) tea.Cmd {
	delete(p.deleting, id)
	if p.reading != nil && p.reading.id == id {
		p.reading = nil
	}
	rest := slices.DeleteFunc(slices.Clone(p.list.all), func(s engine.Session) bool { return s.ID == id })
	p.list.set(rest, func(a, b engine.Session) bool { return a.ID == b.ID })
	return tea.Batch(p.deps.Delete(id), p.preview())
}

// flush deletes at once what waits for its undo time, but for keep.
func (p *Sessions) flush(keep string) tea.Cmd {
	var cmds []tea.Cmd
	for id := range p.deleting {
		if id != keep {
			cmds = append(cmds, p.deps.Delete(id))
		}
	}
	clear(p.deleting)
	return tea.Batch(cmds...)
}

// preview asks for what is told about the session in use, once.
func (p *Sessions) preview() tea.Cmd {
	s, ok := p.list.current()
	if _, have := p.previews[s.ID]; !ok || have || p.deps.Preview == nil {
		return nil
	}
	p.previews[s.ID] = nil
	return p.deps.Preview(s.ID)
}

// Keys lists what can be pressed.
func (p *Sessions) Keys() []dialog.Binding {
	if p.renaming != nil {
		return []dialog.Binding{{Keys: []string{"enter"}, Name: "rename"}, {Keys: []string{"esc"}, Name: "back"}}
	}
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "open"}, {Keys: []string{"space", "ctrl+o"}, Name: "preview"}, {Keys: []string{"ctrl+r"}, Name: "rename"},
		{Keys: []string{"ctrl+d"}, Name: "delete (undo 10 s)"}, {Keys: []string{"tab"}, Name: "scope"}, {Keys: []string{"esc"}, Name: "back"}}
}

package picker

import (
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

// searchDue says that nothing was typed for a moment.
type searchDue struct{ text string }

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

// searchAfter is how long after a key the messages are searched; titles are narrowed at once.
const searchAfter = 80 * time.Millisecond

// Sessions is the picker of sessions, a screen of its own.
type Sessions struct {
	sheet    style.Sheet
	deps     SessionDeps
	list     list[engine.Session]
	scope    Scope
	found    found
	owned    map[string]bool
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
	p := &Sessions{sheet: sheet, deps: deps, scope: deps.Scope, loading: true, deleting: map[string]int{}, previews: map[string][]string{}, now: time.Now}
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

// Init loads the sessions of the scope.
func (p *Sessions) Init() tea.Cmd { return p.deps.List(p.scope) }

// Update takes keys, and the messages of the commands.
func (p *Sessions) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case SessionsLoaded:
		if msg.Scope == p.scope {
			p.loaded(msg)
		}
		return tea.Batch(p.preview(), p.search()), false
	case searchDue:
		if msg.text == p.query() && p.deps.Search != nil {
			return p.deps.Search(msg.text, p.scope), false
		}
	case SessionsFound:
		p.take(msg)
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
			return p.deps.List(p.scope), false
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
			return tea.Batch(p.preview(), p.search()), false
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
	p.owned = map[string]bool{}
	for _, id := range m.Owned {
		p.owned[id] = true
	}
	p.set(rows)
	if at := slices.IndexFunc(p.list.shown, func(i int) bool { return p.list.all[i].ID == p.deps.Wanted }); at >= 0 {
		p.list.at, p.deps.Wanted = at, ""
		p.notice = elsewhere
	}
}

func (p *Sessions) set(rows []engine.Session) {
	p.list.set(rows, func(a, b engine.Session) bool { return a.ID == b.ID })
	p.merge()
}

// elsewhere is said of a session that cannot be opened here.
const elsewhere = "This session is open in another window. Ctrl+F makes a copy of it and opens that."

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
			p.found = found{}
			return p.preview(), false
		}
		return p.flush(""), true
	case "enter":
		return p.open()
	case "tab":
		return p.widen(1), false
	case "shift+tab":
		return p.widen(-1), false
	case "ctrl+f":
		return p.fork(), false
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
	before := p.query()
	if p.list.update(k, p.page) {
		if p.query() != before {
			return tea.Batch(p.preview(), p.search()), false
		}
		return p.preview(), false
	}
	return nil, false
}

// widen goes to the next scope that there is.
func (p *Sessions) widen(by Scope) tea.Cmd {
	p.scope = (p.scope + by + 3) % 3
	if p.scope == ScopeRepo && !p.deps.Repo {
		p.scope += by
	}
	p.loading, p.found = true, found{}
	if p.deps.Scoped != nil {
		p.deps.Scoped(p.scope)
	}
	return p.deps.List(p.scope)
}

// fork asks for a copy of the session in use.
func (p *Sessions) fork() tea.Cmd {
	s, ok := p.list.current()
	switch {
	case !ok || p.deps.Fork == nil:
		return nil
	case p.deleting[s.ID] != 0:
		p.notice = "This session is about to be deleted. Ctrl+D keeps it."
		return nil
	}
	return p.deps.Fork(s.ID)
}

// open opens the session in use. A session that was about to go stays when it is opened.
func (p *Sessions) open() (tea.Cmd, bool) {
	s, ok := p.list.current()
	if !ok {
		return nil, false
	}
	if p.elsewhere(s.ID) {
		p.notice = elsewhere
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
	case p.elsewhere(s.ID):
		p.notice = "This session is open in another window. Close it there first."
		return nil
	}
	p.deletes++
	number := p.deletes
	p.deleting[s.ID] = number
	return tea.Tick(undoFor, func(time.Time) tea.Msg { return deleteDue{s.ID, number} })
}

// elsewhere reports whether another window has the session.
func (p *Sessions) elsewhere(id string) bool { return p.owned[id] && id != p.deps.Current }

// running reports whether the session is at work: in another window, or in a turn here.
func (p *Sessions) running(id string) bool {
	return p.elsewhere(id) || p.deps.Working != nil && p.deps.Working(id)
}

func (p *Sessions) remove(id string) tea.Cmd {
	delete(p.deleting, id)
	if p.reading != nil && p.reading.id == id {
		p.reading = nil
	}
	rest := slices.DeleteFunc(slices.Clone(p.list.all), func(s engine.Session) bool { return s.ID == id })
	p.set(rest)
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
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "open"}, {Keys: []string{"space", "ctrl+o"}, Name: "preview"}, {Keys: []string{"ctrl+f"}, Name: "fork"}, {Keys: []string{"ctrl+r"}, Name: "rename"},
		{Keys: []string{"ctrl+d"}, Name: "delete (undo 10 s)"}, {Keys: []string{"tab"}, Name: "scope"}, {Keys: []string{"esc"}, Name: "back"}}
}

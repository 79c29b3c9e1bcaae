// Package files is the popup of "@": the files and folders of the working directory, found by letters of their names.
// What is chosen stands in the prompt as one piece that says what will be sent. It refuses to read anything: what there
// is and what is sent comes from engine.References, in a command.
package files

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/picker"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// fresh is how long a list is used before it is asked for again.
const fresh = 10 * time.Second

// most is how many fits are kept for the popup.
const most = 50

type files struct {
	s      *screen.State
	list   index
	asked  time.Time // when the list was asked for, zero before
	loaded bool
	shut   int // where the word begins whose popup was closed with Esc, -1 for none
}

type (
	listed struct {
		list index
		err  error
	}
	described struct {
		id        int
		ref, what string
		err       error
	}
)

// New returns the feature; without references there is none.
func New(s *screen.State) screen.Feature {
	if s.Views.Refs == nil {
		return screen.Feature{}
	}
	f := &files{s: s, shut: -1}
	attach := func() tea.Cmd {
		text := "@"
		if from, word := s.Prompt.Word(); word != "" || from == 0 && !s.Prompt.Empty() {
			text = " @"
		}
		s.Prompt.Insert(text)
		p := f.open()
		if p == nil {
			return nil
		}
		s.Popup = p
		return f.load()
	}
	return screen.Feature{
		Keys: []keys.Binding{{ID: "attach", Keys: []string{"ctrl+x f"}, Name: "Attach a file", Help: "so does @", Do: attach}},
		Commands: []command.Command{{Name: "attach", Help: "attach a file or a folder; so does @", Group: command.Turn, Busy: true,
			Do: func(string) tea.Cmd { return attach() }}},
		Update: f.update,
		Popup: func() screen.Popup {
			if p := f.open(); p != nil {
				return p
			}
			return nil
		},
	}
}

// query is what is typed behind "@"; ok is false when the cursor is not behind such a word.
func (f *files) query() (from int, path, lines string, ok bool) {
	from, word := f.s.Prompt.Word()
	path, ok = strings.CutPrefix(word, "@")
	if at := strings.LastIndexByte(path, ':'); at > 0 && strings.Trim(path[at+1:], "0123456789-") == "" {
		path, lines = path[:at], path[at:]
	}
	return from, path, lines, ok
}

func (f *files) open() *popup {
	from, _, _, ok := f.query()
	if !ok {
		f.shut = -1
		return nil
	}
	if from == f.shut {
		return nil
	}
	p := &popup{f: f}
	if !p.Refresh() {
		return nil
	}
	return p
}

// load asks for the list, unless it is new.
func (f *files) load() tea.Cmd {
	if !f.asked.IsZero() && f.s.Now().Sub(f.asked) < fresh {
		return nil
	}
	f.asked = f.s.Now()
	refs, ctx := f.s.Views.Refs, f.s.Context
	return func() tea.Msg {
		paths, err := refs.Paths(ctx)
		return listed{newIndex(paths), err}
	}
}

func (f *files) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listed:
		f.loaded = true
		if msg.err != nil && len(msg.list.paths) == 0 {
			f.s.Say(engine.NoteWarning, "The files could not be listed: "+msg.err.Error()+". A path behind @ works all the same.")
		}
		f.list = msg.list
		if p, ok := f.s.Popup.(*popup); ok && !p.Refresh() {
			f.s.Popup = nil
		}
	case described:
		label := fmt.Sprintf("[@%s %s]", msg.ref, msg.what)
		if msg.err != nil {
			label = fmt.Sprintf("[@%s not attached: %v]", msg.ref, msg.err)
		}
		f.s.Prompt.Label(msg.id, style.Safe(label))
	}
	return nil
}

// attach puts a chip in place of what was typed, and asks what it will send.
func (f *files) attach(path, lines string) tea.Cmd {
	ref := path + lines
	text := "@" + ref
	if strings.ContainsAny(path, " \t") {
		text = `@"` + path + `"` + lines
	}
	id := f.s.Prompt.Chip(text, style.Safe("[@"+ref+"]"))
	refs, ctx := f.s.Views.Refs, f.s.Context
	return func() tea.Msg {
		what, err := refs.Describe(ctx, ref)
		return described{id, ref, what, err}
	}
}

// popup is the list over the prompt.
type popup struct {
	f    *files
	menu *picker.Menu
	at   []string // the path of each row
}

// Init asks for the list.
func (p *popup) Init() tea.Cmd { return p.f.load() }

// Refresh narrows the list to what is typed; it goes when nothing fits.
func (p *popup) Refresh() bool {
	_, path, _, ok := p.f.query()
	if !ok {
		return false
	}
	p.at = p.f.list.find(path, most)
	var items []picker.Item
	for _, one := range p.at {
		name, dir := base(one)
		items = append(items, picker.Item{Name: style.Safe(name), Help: style.Safe(dir)})
	}
	if !p.f.loaded {
		items = []picker.Item{{Name: "Looking", Why: "the files of " + p.f.s.HomePath(p.f.s.Options.Dir)}}
	}
	p.menu = picker.NewMenu(p.f.s.Sheet, items)
	return len(items) > 0
}

// Key is a key while the popup is open: Enter attaches, Tab goes into a folder or attaches.
func (p *popup) Key(k tea.KeyPressMsg) (cmd tea.Cmd, taken, stays bool) {
	from, path, lines, _ := p.f.query()
	switch k.String() {
	case "up", "ctrl+p":
		p.menu.Move(-1)
	case "down", "ctrl+n":
		p.menu.Move(1)
	case "esc":
		p.f.shut = from
		return nil, true, false
	case "tab", "enter":
		if len(p.at) == 0 || path == "" && k.String() == "enter" {
			return nil, k.String() == "tab", true // a lone "@" is text
		}
		one := p.at[p.menu.At()]
		if k.String() == "tab" && strings.HasSuffix(one, "/") && one != path {
			p.f.s.Prompt.Complete("@" + one)
			return nil, true, p.Refresh()
		}
		return p.f.attach(one, lines), true, false
	default:
		return nil, false, true
	}
	return nil, true, true
}

// SetSheet changes the theme or the glyphs.
func (p *popup) SetSheet(s style.Sheet) { p.menu.SetSheet(s) }

// View draws at most most rows of w cells.
func (p *popup) View(w, most int) []string { return p.menu.View(w, most) }

// Package rebind is the list of actions with their keys, where each can be given another: it shows what the terminal
// sends, names a clash before anything changes, and writes ui.keys. It refuses keys that terminals or lists need.
package rebind

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
)

// Keys is the table in force, and how it is made anew with other keys of the user's.
type Keys struct {
	Map   func() *keys.Map
	Apply func(own map[string][]string) (told []string)
}

// Feature is its key and its command.
func Feature(s *screen.State, k Keys) screen.Feature {
	open := func() tea.Cmd {
		return s.Open(overlay.Overlay{ID: "keys", Key: "Esc back", Quiet: true, Box: newBox(s, k)})
	}
	return screen.Feature{
		Keys:     []keys.Binding{{ID: "keys", Keys: []string{"ctrl+x k"}, Name: "Key settings", Do: open}},
		Commands: []command.Command{{Name: "keys", Help: "what each key does; change one", Group: command.Set, Busy: true, Do: func(string) tea.Cmd { return open() }}},
		Update: func(msg tea.Msg) tea.Cmd {
			if m, ok := msg.(savedMsg); ok {
				m.say(s)
			}
			return nil
		},
	}
}

// savedMsg says how writing ui.keys went.
type savedMsg struct {
	what string
	err  error
}

func (m savedMsg) say(s *screen.State) {
	if m.err != nil {
		s.Say(engine.NoteWarning, m.what+" It could not be written: "+m.err.Error()+". It lasts until the program ends.")
		return
	}
	s.Say(engine.NoteInfo, m.what)
}

// change gives an action its keys, in this run and in config.yaml. No keys at all means those of the defaults.
func (b *box) change(id, name string, own []string) tea.Cmd {
	s := b.s
	next := maps.Clone(s.Options.Keys.Own)
	if next == nil {
		next = map[string][]string{}
	}
	next[id] = own
	s.Options.Keys.Own = next
	for _, text := range b.k.Apply(next) {
		if strings.Contains(text, keys.Name(own[0])) {
			b.note = strings.TrimPrefix(text, "ui.keys: ")
		}
	}
	what := fmt.Sprintf("%s is %s now.", keys.Name(strings.Join(own, ", ")), name)
	if s.Save == nil {
		return func() tea.Msg { return savedMsg{what, fmt.Errorf("there is no configuration file")} }
	}
	quoted := slices.Clone(own)
	for i, k := range quoted {
		quoted[i] = fmt.Sprintf("%q", k)
	}
	save, text := s.Save, "["+strings.Join(quoted, ", ")+"]"
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		return savedMsg{what, save.Save(ctx, "ui.keys."+id, text)}
	}
}

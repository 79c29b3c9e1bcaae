package beacon

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/screen"
)

// setting is the key of config.yaml.
const setting = "ui.notify"

// ways are what it may be, and what each does.
var ways = map[string]string{"auto": "a notification and the bell while you are away, the bell while you are here", "bell": "the bell alone", "off": "neither bell nor notification"}

// unsaved is a setting that lasts until the program ends, and why.
type unsaved struct{ err error }

// notify is /notify.
func (b *Beacon) notify() command.Command {
	return command.Command{Name: "notify", Args: "[auto|bell|off]", Help: "how you are told when you are needed", Group: command.Set, Busy: true, Do: b.choose}
}

func (b *Beacon) choose(way string) tea.Cmd {
	s := b.s
	if way == "" {
		way = s.Options.Notify
		if ways[way] == "" {
			way = "auto"
		}
		s.Say(engine.NoteInfo, "When you are needed: "+ways[way]+". /notify auto, bell or off changes it.")
		return nil
	}
	if ways[way] == "" {
		s.Say(engine.NoteWarning, "/notify takes auto, bell or off. Nothing was changed.")
		return nil
	}
	s.Options.Notify = way
	s.Say(engine.NoteInfo, "When you are needed: "+ways[way]+".")
	if s.Save == nil {
		return nil
	}
	save, parent := s.Save, s.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, screen.LibraryTime)
		defer cancel()
		if err := save.Save(ctx, setting, way); err != nil {
			return unsaved{err}
		}
		return nil
	}
}

func (b *Beacon) update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(unsaved); ok {
		b.s.Say(engine.NoteWarning, "The setting was not kept for the next time: "+u.err.Error()+". It counts until you leave.")
	}
	return nil
}

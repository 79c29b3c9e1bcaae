// Package verbosity is how much the transcript shows: quiet, normal or full (Ctrl+X v, /verbosity). The level belongs to
// the session: another one that is opened begins with that of the settings, and coming back brings its own. It refuses to
// hide what an action is called.
package verbosity

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/screen"
	"talaria/ui/transcript/feed"
)

var levels = []string{feed.Quiet, feed.Normal, feed.Full}

var says = map[string]string{feed.Quiet: "one line for each action", feed.Normal: "actions with what is worth a look", feed.Full: "everything that has ended, whole"}

// Feature is its key and its command.
func Feature(s *screen.State) screen.Feature {
	v := &level{s: s, of: map[string]string{}}
	s.Log.SetReading(s.Options.Reading)
	return screen.Feature{
		Keys: []keys.Binding{{ID: "verbosity", Keys: []string{"ctrl+x v"}, Name: "Verbosity", Help: "quiet, normal, full in turn", Do: func() tea.Cmd { return v.set(v.next()) }}},
		Commands: []command.Command{
			{Name: "verbosity", Args: "[quiet|normal|full]", Help: "how much is shown", Group: command.Set, Busy: true, Do: v.command},
			{Name: "reasoning", Args: "[summary|full|hidden]", Help: "how much of the thoughts is shown", Group: command.Set, Busy: true, Do: v.reasoning},
		},
		On: v.on,
	}
}

type level struct {
	s  *screen.State
	of map[string]string // by session
}

func (v *level) now() string {
	if l := v.s.Log.Reading().Level; l != "" {
		return l
	}
	return feed.Normal
}

func (v *level) next() string {
	return levels[(slices.Index(levels, v.now())+1)%len(levels)]
}

// on gives a session that is opened its level back; a compressed session hands its own on.
func (v *level) on(e engine.Event) tea.Cmd {
	if c, ok := e.(engine.Compacted); ok && c.Child != "" {
		v.of[c.Child] = v.now()
	}
	if o, ok := e.(engine.Opened); ok {
		v.opened(o.Session.ID)
	}
	return nil
}

// opened is told which session is on screen now.
func (v *level) opened(id string) {
	r := v.s.Log.Reading()
	r.Level = v.s.Options.Reading.Level
	if own, ok := v.of[id]; ok {
		r.Level = own
	}
	v.s.Log.SetReading(r)
}

func (v *level) set(name string) tea.Cmd {
	r := v.s.Log.Reading()
	r.Level = name
	v.of[v.s.Session.Row.ID] = name
	v.s.Log.SetReading(r)
	v.s.Say(engine.NoteInfo, "Verbosity "+name+": "+says[name]+".")
	return nil
}

func (v *level) command(arg string) tea.Cmd {
	switch {
	case arg == "":
		v.s.Say(engine.NoteInfo, "Verbosity is "+v.now()+": "+says[v.now()]+". /verbosity "+strings.Join(levels, ", ")+" changes it.")
		return nil
	case !slices.Contains(levels, arg):
		v.s.Say(engine.NoteWarning, "There is no level "+strings.Join(strings.Fields(arg), " ")+". /verbosity takes quiet, normal or full.")
		return nil
	}
	return v.set(arg)
}

func (v *level) reasoning(arg string) tea.Cmd {
	r := v.s.Log.Reading()
	switch arg {
	case "summary", "full", "hidden":
		r.Reasoning = arg
		v.s.Log.SetReading(r)
		v.s.Say(engine.NoteInfo, "Thoughts: "+arg+".")
	default:
		v.s.Say(engine.NoteInfo, "/reasoning takes summary (a line each), full or hidden.")
	}
	return nil
}

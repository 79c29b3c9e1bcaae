// Package whole is what is done to the window as a whole: zen takes away what stands round the conversation, and the
// conversation can be written into the terminal's own scrollback. It refuses to hide the status bar: the mode must be seen.
package whole

import (
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/screen"
)

// dumpedMsg is how writing into the scrollback ended.
type dumpedMsg struct {
	rows int
	err  error
}

// Feature is its keys and commands.
func Feature(s *screen.State) screen.Feature {
	zen := func() tea.Cmd {
		s.Zen = !s.Zen
		if s.Zen {
			s.Say(engine.NoteInfo, "Zen: only the conversation. "+s.Hint("zen")+" brings the rest back.")
		}
		return nil
	}
	dump := func() tea.Cmd {
		page := &page{rows: s.Log.All()}
		return tea.Exec(page, func(err error) tea.Msg { return dumpedMsg{len(page.rows), err} })
	}
	inline := func(why string) func() string {
		return func() string {
			if s.Options.Inline {
				return why
			}
			return ""
		}
	}
	still, there := inline("with --inline nothing stands round the conversation"), inline("with --inline the conversation is in the scrollback already")
	return screen.Feature{
		Keys: []keys.Binding{
			{ID: "zen", Keys: []string{"ctrl+x z"}, Name: "Zen", Help: "hide what stands round the conversation", Can: still, Do: zen},
			{ID: "dump", Keys: []string{`ctrl+x \`}, Name: "Write to scrollback", Help: "the conversation, for the terminal's own search", Can: there, Do: dump},
		},
		Commands: []command.Command{
			{Name: "zen", Help: "hide what stands round the conversation", Group: command.Look, Busy: true, Can: still, Do: func(string) tea.Cmd { return zen() }},
			{Name: "dump", Help: "write the conversation into the terminal's scrollback", Group: command.Look, Busy: true, Can: there, Do: func(string) tea.Cmd { return dump() }},
		},
		Update: func(msg tea.Msg) tea.Cmd {
			m, ok := msg.(dumpedMsg)
			switch {
			case !ok:
			case m.err != nil:
				s.Say(engine.NoteWarning, "The conversation could not be written into the scrollback: "+m.err.Error())
			default:
				s.Say(engine.NoteInfo, fmt.Sprintf("%d lines are in the terminal's scrollback. They are seen after leaving, or while suspended (Ctrl+Z).", m.rows))
			}
			return nil
		},
	}
}

// page writes rows to the normal screen, which the toolkit gives back meanwhile.
type page struct {
	rows []string
	out  io.Writer
}

// Run writes.
func (p *page) Run() error {
	_, err := io.WriteString(p.out, strings.Join(p.rows, "\r\n")+"\x1b[m\r\n")
	return err
}

// SetStdin is not needed.
func (p *page) SetStdin(io.Reader) {}

// SetStdout says where the terminal is.
func (p *page) SetStdout(w io.Writer) { p.out = w }

// SetStderr is not needed.
func (p *page) SetStderr(io.Writer) {}

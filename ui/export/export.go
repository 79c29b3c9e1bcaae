// Package export is /export: the open session as a file in its directory. It refuses to guess a format, and writes nothing
// itself.
package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/screen"
)

// exportedMsg is how an export ended.
type exportedMsg struct {
	path string
	err  error
}

// Feature is the command. X may be nil: then nothing can be exported.
func Feature(s *screen.State, x engine.Exporter) screen.Feature {
	can := func() string {
		switch {
		case x == nil:
			return "sessions cannot be exported here"
		case !s.Session.Stored:
			return "there is nothing to export yet"
		}
		return ""
	}
	args := ""
	if x != nil {
		args = "[" + strings.Join(x.Formats(), "|") + "]"
	}
	usual := func() tea.Cmd { return write(s, x, "") }
	return screen.Feature{
		Keys: []keys.Binding{{ID: "export", Keys: []string{"ctrl+x x"}, Name: "Export", Can: can, Do: usual}},
		Commands: []command.Command{{Name: "export", Args: args, Help: "write this session to a file", Busy: true, Can: can,
			Do: func(arg string) tea.Cmd { return write(s, x, strings.TrimSpace(arg)) }},
			{Name: "share", Help: "write this session as a page for a browser; nothing is sent", Busy: true, Can: can, Do: func(string) tea.Cmd { return write(s, x, "html") }}},
		Update: func(msg tea.Msg) tea.Cmd {
			if done, ok := msg.(exportedMsg); ok {
				told(s, done)
			}
			return nil
		},
	}
}

func write(s *screen.State, x engine.Exporter, format string) tea.Cmd {
	formats := x.Formats()
	if format == "" {
		format = formats[0]
	}
	if !slices.Contains(formats, format) {
		s.Say(engine.NoteWarning, fmt.Sprintf("/export %s: it takes %s. Nothing was written.", format, strings.Join(formats, ", ")))
		return nil
	}
	id, ctx := s.Session.Row.ID, s.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, screen.LibraryTime)
		defer cancel()
		path, err := x.Export(ctx, id, format)
		return exportedMsg{path, err}
	}
}

func told(s *screen.State, done exportedMsg) {
	if done.err != nil {
		s.Say(engine.NoteError, fmt.Sprintf("The session was not exported: %v. talaria sessions export %s --output FILE writes it elsewhere.", done.err, s.Session.Row.ID))
		return
	}
	s.Say(engine.NoteInfo, "Exported to "+s.HomePath(done.path)+".")
}

// Package clip copies: the last answer, a code block of it, or what browse mode gives. It says which way the text went:
// through a program of the desktop or tmux, to the terminal's clipboard (OSC 52), or to a file where the terminal has none
// that can be reached. It refuses to claim a success that it cannot know of, and to overwrite a file of the user's.
package clip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/screen"
)

// Reaches reports whether a terminal takes a text for its clipboard (OSC 52), as far as its environment tells.
func Reaches(getenv func(string) string) bool {
	switch term := getenv("TERM"); {
	case getenv("TERM_PROGRAM") == "Apple_Terminal", term == "linux", term == "dumb", term == "":
		return false
	case getenv("STY") != "" && getenv("TMUX") == "": // GNU screen passes nothing through
		return false
	}
	return true
}

// Copy copies text; its end is told in the transcript. Nothing but white space is not copied.
func Copy(s *screen.State, text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		s.Say(engine.NoteInfo, "There is nothing to copy there.")
		return nil
	}
	if w := s.Options.Terminal.Writer; w != nil {
		return func() tea.Msg {
			return sent{text: text, way: w.Name, err: w.Write(context.Background(), text)} // bounded by the writer
		}
	}
	return otherwise(s, text)
}

// Way names how Copy will copy; "" is a file.
func Way(s *screen.State) string {
	switch t := s.Options.Terminal; {
	case t.Writer != nil:
		return t.Writer.Name
	case t.Clipboard:
		return "OSC 52"
	}
	return ""
}

// otherwise copies text without a program.
func otherwise(s *screen.State, text string) tea.Cmd {
	if s.Options.Terminal.Clipboard {
		s.Say(engine.NoteInfo, "Copied "+lines(text)+" (OSC 52).")
		return tea.SetClipboard(text)
	}
	path := s.Options.CopyFile
	return func() tea.Msg {
		if path == "" {
			return wrote{err: errors.New("there is no file for it")}
		}
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		return wrote{text: "Clipboard not reachable. Wrote ", path: path, err: err}
	}
}

func lines(text string) string {
	return chrome.Plural(strings.Count(strings.TrimRight(text, "\n"), "\n")+1, "line", "lines")
}

// sent says how a program took a text.
type sent struct {
	text, way string
	err       error
}

// wrote says how writing a file ended.
type wrote struct {
	text, path string
	err        error
}

// Feature is its keys and /copy.
func Feature(s *screen.State) screen.Feature {
	answer := func() tea.Cmd {
		if strings.TrimSpace(s.Session.Answer) == "" {
			s.Say(engine.NoteInfo, "There is no answer to copy yet.")
			return nil
		}
		return Copy(s, s.Session.Answer)
	}
	code := func() tea.Cmd { return openCode(s) }
	return screen.Feature{
		Keys: []keys.Binding{
			{ID: "copy", Keys: []string{"ctrl+x y"}, Name: "Copy last answer", Do: answer},
			{ID: "copy-code", Keys: []string{"ctrl+x c"}, Name: "Copy code block", Do: code},
		},
		Commands: []command.Command{{Name: "copy", Args: "[code]", Help: "the last answer, or a code block of it", Group: command.Look, Busy: true, Values: func() []string { return []string{"code"} }, Do: func(arg string) tea.Cmd {
			switch arg {
			case "":
				return answer()
			case "code":
				return code()
			}
			s.Say(engine.NoteWarning, "/copy copies the last answer, /copy code lets you choose a code block of it.")
			return nil
		}}},
		Update: func(msg tea.Msg) tea.Cmd {
			if w, ok := msg.(wrote); ok {
				tell(s, w)
			}
			c, ok := msg.(sent)
			switch {
			case !ok:
			case c.err != nil:
				return otherwise(s, c.text)
			default:
				s.Say(engine.NoteInfo, "Copied "+lines(c.text)+" ("+c.way+").")
			}
			return nil
		},
	}
}

func tell(s *screen.State, w wrote) {
	if w.err != nil {
		s.Say(engine.NoteError, fmt.Sprintf("The text could not be written: %v. It was not copied.", w.err))
		return
	}
	s.Say(engine.NoteInfo, w.text+s.HomePath(w.path)+".")
}

// Package editor writes the prompt in the user's own editor ($VISUAL, $EDITOR), with the whole text of what was pasted.
// Whatever the editor does, also when it is killed, the text stays: the prompt keeps its own until a changed file is read,
// and the former text stays among the drafts. It refuses to send.
package editor

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/screen"
)

// edited is what the editor left.
type edited struct {
	before, after string
	read, err     error // of the file, and of the editor
}

// ready names the file that the editor is to open.
type ready struct {
	path, text string
	err        error
}

// New returns the feature. Changed saves the draft when the prompt has another text.
func New(s *screen.State, changed func() tea.Cmd) screen.Feature {
	open := func() tea.Cmd {
		if len(Command()) == 0 {
			s.Say(engine.NoteWarning, "No editor is known: neither $VISUAL nor $EDITOR is set, and there is no vi. The prompt is as it was.")
			return nil
		}
		text := s.Prompt.Value()
		return func() tea.Msg { return write(text) }
	}
	return screen.Feature{
		Keys:     []keys.Binding{{ID: "editor", Keys: []string{"ctrl+g", "ctrl+x e", "ctrl+x ctrl+e"}, Name: "Editor", Help: "write in $VISUAL or $EDITOR", Do: open}},
		Commands: []command.Command{{Name: "editor", Help: "write the prompt in your editor", Group: command.Turn, Busy: true, Do: func(string) tea.Cmd { return open() }}},
		Update: func(msg tea.Msg) tea.Cmd {
			switch msg := msg.(type) {
			case ready:
				return start(s, msg)
			case edited:
				take(s, msg)
				return changed()
			}
			return nil
		},
	}
}

// Command is the editor and its arguments, none when there is none.
func Command() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if c := strings.Fields(os.Getenv(name)); len(c) > 0 {
			return c
		}
	}
	for _, name := range []string{"vi", "nano"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}
		}
	}
	return nil
}

// write puts the text into a file of its own folder, which only the user can read.
func write(text string) ready {
	dir, err := os.MkdirTemp("", "talaria-prompt-")
	if err != nil {
		return ready{err: err}
	}
	path := filepath.Join(dir, "prompt.md")
	return ready{path, text, os.WriteFile(path, []byte(text), 0o600)}
}

func start(s *screen.State, r ready) tea.Cmd {
	if r.err != nil {
		s.Say(engine.NoteError, fmt.Sprintf("The editor was not opened: %v. The prompt is as it was.", r.err))
		return nil
	}
	c := Command()
	cmd := exec.Command(c[0], append(c[1:], r.path)...)
	cmd.Stdin = os.Stdin // the toolkit would give it our reader through a pipe: no terminal, and its end waits for a key
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return finished(r, err) })
}

// finished reads the file when the editor has ended, and takes it away.
func finished(r ready, err error) edited {
	data, read := os.ReadFile(r.path)
	_ = os.RemoveAll(filepath.Dir(r.path)) // in the folder of temporary files: what stays there does no harm
	return edited{r.text, strings.TrimSuffix(string(data), "\n"), read, err}
}

// take puts what was written into the prompt. An editor that failed has saved what it saved; an empty file of a failed
// editor is no wish.
func take(s *screen.State, e edited) {
	failed := e.err != nil || e.read != nil
	changed := e.read == nil && e.after != strings.TrimSuffix(e.before, "\n") && (e.after != "" || !failed)
	if changed {
		s.Prompt.Overwrite(e.after)
	}
	switch {
	case !failed:
	case changed:
		s.Say(engine.NoteWarning, "The editor did not end well. What it had saved is in the prompt; Up has the text from before.")
	case e.err != nil:
		s.Say(engine.NoteWarning, fmt.Sprintf("The editor did not end well: %v. The prompt is as it was.", e.err))
	default:
		s.Say(engine.NoteWarning, fmt.Sprintf("What the editor wrote could not be read: %v. The prompt is as it was.", e.read))
	}
}

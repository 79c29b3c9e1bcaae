package wardrobe

import (
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	write "talaria/ui/editor"
	"talaria/ui/screen"
)

// editMsg says that a theme of the user's is there to be edited; editedMsg that it was, with all themes read again.
type (
	editMsg struct {
		name string
		err  error
	}
	editedMsg struct {
		name string
		set  themes.Set
		err  error
	}
)

// edit opens a theme of the user's in an editor; of a built-in one a copy is made first.
func edit(s *screen.State, name string) tea.Cmd {
	set, theme := s.Options.Themes, s.Worn
	switch {
	case set.Dir == "":
		s.Say(engine.NoteInfo, "There is no place for themes of your own here.")
		return nil
	case set.Has(name):
		return func() tea.Msg { return editMsg{name, nil} }
	}
	return func() tea.Msg {
		name, err := set.Copy(theme)
		return editMsg{name, err}
	}
}

// editor starts the user's editor. Without one, it says where the file is.
func editor(s *screen.State, m editMsg) tea.Cmd {
	set := s.Options.Themes
	if m.err != nil {
		s.Say(engine.NoteWarning, "The theme could not be copied: "+m.err.Error()+". Nothing was changed.")
		return nil
	}
	name, done := m.name, func(err error) tea.Msg { return editedMsg{m.name, themes.Open(set.Dir), err} }
	words := write.Command()
	if len(words) == 0 {
		s.Say(engine.NoteInfo, "No editor is known ($VISUAL, $EDITOR). The theme is "+s.HomePath(set.Path(name))+"; /theme "+name+" wears it.")
		return func() tea.Msg { return done(nil) }
	}
	cmd := exec.Command(words[0], append(words[1:], set.Path(name))...)
	cmd.Stdin = os.Stdin // the toolkit would hand over the screen's own reader, as a pipe: no terminal for an editor
	return tea.ExecProcess(cmd, done)
}

// edited wears what came out of the editor, and keeps it.
func edited(s *screen.State, m editedMsg) tea.Cmd {
	if m.err != nil {
		s.Say(engine.NoteWarning, "The editor failed: "+m.err.Error()+".")
	}
	s.Options.Themes = m.set
	t, err := m.set.Load(m.name)
	if err != nil {
		s.Say(engine.NoteInfo, "The theme "+m.name+" is gone. Nothing was changed.")
		return nil
	}
	complain(s, m.name)
	return keep(s, m.name, t)
}

// complain says what is wrong in the file of a theme, and in which colours it cannot be read.
func complain(s *screen.State, name string) {
	if f := s.Options.Themes.Faults(name); len(f) > 0 {
		for i := range f {
			f[i] = s.HomePath(f[i])
		}
		s.Say(engine.NoteWarning, "The theme "+name+" has mistakes; what it inherits is used instead:\n"+strings.Join(f, "\n"))
	}
}

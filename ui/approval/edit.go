package approval

import (
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/composer"
)

// editedMsg is what an editor left of the text of a question.
type editedMsg struct {
	id, text string
	err      error
}

// outside reports whether the text is edited in the user's editor: a change, or a command of several lines.
func (a *Approval) outside() bool {
	return a.q.Diff != "" || strings.Contains(strings.TrimRight(a.q.Draft, "\n"), "\n")
}

// edit opens the text: a command in a line of the dialog, anything longer in the user's editor.
func (a *Approval) edit() tea.Cmd {
	a.note = ""
	if !a.outside() {
		a.typed.command = &composer.Line{}
		a.typed.command.Set(strings.TrimRight(a.q.Draft, "\n"))
		return nil
	}
	editor := strings.Fields(os.Getenv("VISUAL"))
	if len(editor) == 0 {
		editor = strings.Fields(os.Getenv("EDITOR"))
	}
	if len(editor) == 0 {
		a.note = "No editor is known. Set $EDITOR, or deny and say what to change."
		return nil
	}
	path, err := draftFile(a.q.Draft)
	if err != nil {
		a.note = "The text could not be opened: " + err.Error()
		return nil
	}
	id := a.q.ID
	cmd := exec.Command(editor[0], append(editor[1:], path)...)
	cmd.Stdin = os.Stdin // the toolkit would hand over the screen's own reader, as a pipe: no terminal for an editor
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		defer os.Remove(path)
		if err != nil {
			return editedMsg{id: id, err: err}
		}
		data, err := os.ReadFile(path)
		return editedMsg{id, string(data), err}
	})
}

// draftFile writes the text where only the user reads it.
func draftFile(text string) (path string, err error) {
	f, err := os.CreateTemp("", "talaria-*.txt") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it holds nothing that is needed
	}
	return f.Name(), err
}

func (a *Approval) fromEditor(e editedMsg) (tea.Cmd, bool) {
	if e.err != nil {
		a.note = "The editor failed: " + e.err.Error() + ". Nothing was changed."
		return nil, false
	}
	return a.edited(e.text)
}

// edited answers with the text as the user made it. One that is empty or as it was is no answer.
func (a *Approval) edited(text string) (tea.Cmd, bool) {
	a.typed.command = nil
	if strings.TrimSpace(text) == "" || text == a.q.Draft {
		a.note = "Nothing was changed."
		return nil, false
	}
	return a.give(engine.Answer{Choice: engine.ChoiceEdit, Text: text}), true
}

package feed

import (
	"encoding/json"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// todo is the tool whose result is a task list.
const todo = "todo"

// tasks is the task list that the call gave, nil when it is no such call or its result cannot be read as one.
func (t *tool) tasks() []engine.Task {
	if t.called != todo || t.status != engine.StatusDone {
		return nil
	}
	var list struct {
		Todos []engine.Task `json:"todos"`
	}
	if json.Unmarshal([]byte(t.result), &list) != nil {
		return nil
	}
	return list.Todos
}

// taskLines shows each task with the sign of its state.
func (t *tool) taskLines(tasks []engine.Task, width int) []string {
	var lines []string
	for _, task := range tasks {
		sign, role, look := t.taskSign(task.Status)
		text := t.indented(look, flat(task.Content), width-2)
		for i, line := range text {
			if i == 0 {
				text[i] = "  " + t.sheet.Ink(role, sign) + " " + line[min(2, len(line)):]
			} else {
				text[i] = "  " + line
			}
		}
		lines = append(lines, text...)
	}
	return lines
}

func (t *tool) taskSign(status string) (string, themes.Role, style.Look) {
	g := t.sheet.Glyphs
	switch status {
	case "completed":
		return g.Done, themes.Success, style.Look{Fg: themes.FgMuted}
	case "in_progress":
		return g.Running, themes.Tool, style.Look{Fg: themes.Fg}
	case "cancelled":
		return g.Denied, themes.FgMuted, style.Look{Fg: themes.FgMuted, Strike: true}
	}
	return g.Todo, themes.FgMuted, style.Look{Fg: themes.Fg}
}

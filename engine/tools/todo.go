package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"talaria/engine"
)

//go:embed todo.md
var todoDoc string

type todoIn struct {
	Todos []todoItem `json:"todos,omitempty"`
	Merge bool       `json:"merge,omitempty"`
}

type todoItem struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Status  string `json:"status" enum:"pending,in_progress,completed,cancelled"`
}

// Limits of the task list (BEHAVIOUR 8.14).
const (
	maxTasks     = 256
	maxTaskChars = 4_000
)

// The states of a task.
const (
	taskPending   = "pending"
	taskActive    = "in_progress"
	taskCompleted = "completed"
	taskCancelled = "cancelled"
)

var taskStates = []string{taskPending, taskActive, taskCompleted, taskCancelled}

// Todo is the tool that keeps the task list of one session. It is safe for concurrent use.
type Todo struct {
	engine.Tool
	set func([]engine.Task)

	mu    sync.Mutex
	tasks []engine.Task
}

// TodoTool returns the todo tool with an empty list. set is told the whole list after each change; it may be nil.
func TodoTool(set func([]engine.Task)) *Todo {
	t := &Todo{set: set}
	spec := engine.Spec{Name: "todo", Doc: todoDoc, Effect: engine.Notes, Toolset: "agent"}
	t.Tool = engine.NewTool(spec, t.run, nil)
	return t
}

// Load makes tasks the list, as when a session is opened again; set is not told.
func (t *Todo) Load(tasks []engine.Task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tasks = slices.Clone(tasks)
}

// Tasks returns the list.
func (t *Todo) Tasks() []engine.Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.tasks)
}

func (t *Todo) run(_ context.Context, c engine.Call, in todoIn, _ engine.Output) (engine.Result, error) {
	dropped := 0
	tasks := t.Tasks()
	if in.Todos != nil {
		if !in.Merge {
			tasks = nil
		}
		tasks, dropped = merged(tasks, in.Todos)
		t.Load(tasks)
		if t.set != nil {
			t.set(slices.Clone(tasks))
		}
	}
	return todoResult(c, tasks, dropped)
}

// merged returns tasks with items put in: one whose id is known changes that task and keeps what the item leaves out.
// dropped counts those beyond the limit.
func merged(tasks []engine.Task, items []todoItem) (_ []engine.Task, dropped int) {
	for _, item := range items {
		id, content := strings.TrimSpace(item.ID), Cut(strings.TrimSpace(item.Content), maxTaskChars)
		if id == "" {
			id = "?"
		}
		i := slices.IndexFunc(tasks, func(t engine.Task) bool { return t.ID == id })
		if i < 0 && len(tasks) == maxTasks {
			dropped++
			continue
		}
		if i < 0 {
			i = len(tasks)
			tasks = append(tasks, engine.Task{ID: id, Status: taskPending})
		}
		if content != "" {
			tasks[i].Content = content
		}
		if item.Status != "" {
			tasks[i].Status = taskState(item.Status)
		}
		if tasks[i].Content == "" {
			tasks[i].Content = "(no description)"
		}
	}
	return tasks, dropped
}

// taskState reads a state as models write it; an unknown one is pending.
func taskState(s string) string {
	s = joiner.Replace(strings.ToLower(strings.TrimSpace(s)))
	switch {
	case slices.Contains(taskStates, s):
		return s
	case s == "done" || s == "complete":
		return taskCompleted
	case s == "canceled":
		return taskCancelled
	}
	return taskPending
}

func todoResult(c engine.Call, tasks []engine.Task, dropped int) (engine.Result, error) {
	counts := map[string]int{"total": len(tasks)}
	for _, state := range taskStates {
		counts[state] = 0
	}
	for _, task := range tasks {
		counts[task.Status]++
	}
	answer := struct {
		Todos  []engine.Task  `json:"todos"`
		Counts map[string]int `json:"counts"`
		Note   string         `json:"note,omitempty"`
	}{Todos: append([]engine.Task{}, tasks...), Counts: counts}
	if dropped > 0 {
		answer.Note = fmt.Sprintf("%d items were left out: the list holds at most %d", dropped, maxTasks)
	}
	b, err := engine.Marshal(answer)
	if err != nil {
		return engine.Result{}, fmt.Errorf("write the task list: %w", err)
	}
	r := engine.Succeeded(c, string(b))
	r.Note = fmt.Sprintf("%d/%d", counts[taskCompleted], len(tasks)-counts[taskCancelled])
	return r, nil
}

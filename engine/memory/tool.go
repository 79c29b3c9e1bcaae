package memory

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"talaria/engine"
)

//go:embed tool.md
var toolDoc string

type in struct {
	Action  string `json:"action" enum:"add,replace,remove"`
	Target  string `json:"target" enum:"memory,user"`
	Content string `json:"content,omitempty"`
	OldText string `json:"old_text,omitempty"`
}

// Tool returns the memory tool over f. saved, if set, is told in one line of everything that was kept.
func Tool(f *Files, saved func(line string)) engine.Tool {
	spec := engine.Spec{Name: "memory", Doc: toolDoc, Effect: engine.Notes, Toolset: "agent"}
	return engine.NewTool(spec, func(_ context.Context, c engine.Call, in in, _ engine.Output) (engine.Result, error) {
		return f.run(c, in, saved), nil
	}, nil)
}

func (f *Files) run(c engine.Call, in in, saved func(string)) engine.Result {
	t := Target(in.Target)
	if t != Notes && t != User {
		return engine.Badly(c, "target is %q; it must be memory or user", in.Target)
	}
	var entries []string
	var err error
	did := ""
	switch in.Action {
	case "add":
		var added bool
		if entries, added, err = f.Add(t, in.Content); added {
			did = "remembered"
		} else {
			did = "was there already"
		}
	case "replace":
		entries, err = f.Replace(t, in.OldText, in.Content)
		did = "changed"
	case "remove":
		entries, err = f.Remove(t, in.OldText)
		did = "forgotten"
	default:
		return engine.Badly(c, "action is %q; it must be add, replace or remove", in.Action)
	}
	var no refusal
	switch {
	case errors.As(err, &no):
		return engine.Failed(c, "%s", no)
	case err != nil:
		return engine.Failed(c, "the memory could not be kept: %v", err)
	}
	r := engine.Succeeded(c, fmt.Sprintf("%s: %s. %s now (%s):\n%s", in.Target, did, title(t), f.Usage(t, entries), orNothing(list(entries))))
	line := in.Content
	if in.Action == "remove" {
		line = in.OldText
	}
	r.Note = fmt.Sprintf("%s %s: %s", title(t), did, clip(strings.Join(strings.Fields(line), " "), 80))
	if saved != nil && did != "was there already" {
		saved(r.Note)
	}
	return r
}

func title(t Target) string {
	if t == User {
		return "USER.md"
	}
	return "MEMORY.md"
}

func orNothing(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

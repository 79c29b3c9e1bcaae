package tools

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"talaria/engine"
)

// lineWidth is how many characters of an action's line are kept; the screen cuts further.
const lineWidth = 200

// Line names an action on one line of the screen: "Edit src/a.go", "$ npm test". It never fails, whatever the arguments
// are. Control characters and those that turn the direction of text are made visible, so that a line says what will
// happen. What the action came to ("1–214", "+18 −6") is in the Note of its result.
func Line(c engine.Call) string {
	var in struct {
		Path, Patch, Pattern, Target, Command, Question, Query, Goal, Action, ID, Code string

		URLs       []string
		Todos      []todoItem
		Tasks      []struct{ Goal string }
		Background bool
	}
	// A wrong type leaves its field empty; what did decode is enough for a name.
	_ = json.Unmarshal([]byte(c.Args), &in)
	switch c.Name {
	case "read_file":
		return named("Read", in.Path)
	case "write_file":
		return named("Write", in.Path)
	case "patch":
		return named("Edit", patched(in.Path, in.Patch))
	case "search_files":
		line := "Search " + quoteLine(in.Pattern)
		if in.Target == "files" {
			line = "Find " + quoteLine(in.Pattern)
		}
		if in.Path != "" && in.Path != "." {
			line += " in " + oneLine(in.Path, lineWidth)
		}
		return line
	case "terminal":
		if in.Background {
			return "$ " + oneLine(in.Command, lineWidth) + " &"
		}
		return "$ " + oneLine(in.Command, lineWidth)
	case "process":
		return strings.TrimSpace(named("Background", in.Action) + " " + oneLine(in.ID, lineWidth))
	case "execute_code":
		return named("Script", in.Code)
	case "web_search":
		return "Search the web for " + quoteLine(in.Query)
	case "web_extract":
		return named("Read", strings.Join(in.URLs, " "))
	case "todo":
		return todoLine(in.Todos, strings.Contains(c.Args, `"merge"`))
	case "delegate_task":
		return delegateLine(in.Goal, in.Tasks)
	case "memory":
		return strings.TrimSpace(named("Memory", in.Action) + " " + oneLine(in.Target, lineWidth))
	case "clarify":
		return named("Ask", in.Question)
	}
	return named(c.Name, firstArgument(c.Args))
}

// delegateLine names the one goal, or how many agents are sent out and the first goal.
func delegateLine(goal string, tasks []struct{ Goal string }) string {
	if len(tasks) == 0 {
		return named("Agent", goal)
	}
	if len(tasks) == 1 {
		return named("Agent", tasks[0].Goal)
	}
	return fmt.Sprintf("%d agents: %s", len(tasks), oneLine(tasks[0].Goal, lineWidth))
}

var patchedFile = regexp.MustCompile(`(?m)^(?:\*\*\* (?:Update|Add|Delete) File: *|\+\+\+ (?:b/)?)([^\n\t]+)`)

// patched names the files of a patch, or the path of a plain edit.
func patched(path, patch string) string {
	var names []string
	for _, m := range patchedFile.FindAllStringSubmatch(patch, -1) {
		names = append(names, strings.TrimSpace(m[1]))
	}
	switch {
	case len(names) == 0:
		return path
	case len(names) == 1:
		return names[0]
	}
	return fmt.Sprintf("%d files: %s", len(names), strings.Join(names, ", "))
}

func named(verb, what string) string {
	if what = oneLine(what, lineWidth); what == "" {
		return oneLine(verb, lineWidth)
	}
	return oneLine(verb, lineWidth) + " " + what
}

func quoteLine(s string) string { return `"` + oneLine(s, lineWidth) + `"` }

// todoLine counts a list that was sent whole; of a merged one only the tool knows the counts.
func todoLine(items []todoItem, merge bool) string {
	if merge || len(items) == 0 {
		return "Todo"
	}
	done, all := 0, 0
	for _, i := range items {
		switch taskState(i.Status) {
		case taskCompleted:
			done++
			all++
		case taskPending, taskActive:
			all++
		}
	}
	return fmt.Sprintf("Todo %d/%d", done, all)
}

// firstArgument is the first value of a JSON object, as it was written.
func firstArgument(args string) string {
	dec := json.NewDecoder(strings.NewReader(args))
	for range 2 { // the brace and the name
		if _, err := dec.Token(); err != nil {
			return ""
		}
	}
	var value any
	if dec.Decode(&value) != nil {
		return ""
	}
	if s, ok := value.(string); ok {
		return s
	}
	b, _ := engine.Marshal(value) // it was just decoded
	return string(b)
}

// oneLine puts s on one line of at most n characters. Characters that would move the cursor or turn the text are
// written out.
func oneLine(s string, n int) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")) {
		switch {
		case r == '\n':
			b.WriteString(" ⏎ ")
		case r == '\t':
			b.WriteByte(' ')
		case r == '\r':
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
		if b.Len() > n*8 {
			break
		}
	}
	if cut := Cut(b.String(), n); cut != b.String() {
		return Cut(cut, n-1) + "…"
	}
	return b.String()
}

package delegate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"talaria/engine"
)

// report puts the children's accounts into one result, in the order of the tasks.
func report(c engine.Call, children []*child) engine.Result {
	var b strings.Builder
	var changed []string
	failed := 0
	for i, ch := range children {
		o := ch.outcome
		if !o.Completed {
			failed++
		}
		fmt.Fprintf(&b, "## %d of %d: %s\n", i+1, len(children), clip(ch.info.Goal, 120))
		fmt.Fprintf(&b, "Ended: %s. Rounds: %d. Tools: %s.\n", ended(o, ch.stopped), o.Iterations, traceOf(ch.trace))
		if len(o.FilesChanged) > 0 {
			fmt.Fprintf(&b, "Files changed: %s\n", strings.Join(o.FilesChanged, ", "))
		}
		switch {
		case strings.TrimSpace(o.Final) != "":
			fmt.Fprintf(&b, "\n%s\n\n", strings.TrimSpace(o.Final))
		default:
			b.WriteString("\n(no summary)\n\n")
		}
		for _, path := range o.FilesChanged {
			if !slices.Contains(changed, path) {
				changed = append(changed, path)
			}
		}
	}
	if len(changed) > 0 {
		b.WriteString("The files above changed on disk: read them again before you edit them.\n")
	}
	r := engine.Succeeded(c, b.String())
	r.Changed, r.Note = changed, note(len(children), failed)
	if failed == len(children) {
		r.Status = engine.StatusFailed
	}
	return r
}

func note(all, failed int) string {
	if failed == 0 {
		return fmt.Sprintf("%d done", all)
	}
	return fmt.Sprintf("%d done, %d not", all-failed, failed)
}

// ended says in words how a child came to its end.
func ended(o engine.Outcome, stopped bool) string {
	switch {
	case stopped:
		return "stopped by the user"
	case o.Err != nil:
		return string(o.Exit) + " (" + o.Err.Message + ")"
	case o.Exit == engine.ExitApproval:
		return "something needed the user's leave and nobody could be asked"
	}
	return string(o.Exit)
}

func traceOf(trace map[string]int) string {
	if len(trace) == 0 {
		return "none"
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(trace)) {
		name, status, _ := strings.Cut(key, " ")
		text := fmt.Sprintf("%s %d", name, trace[key])
		if status != string(engine.StatusDone) {
			text += " " + status
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}

func sortByBegan(all []engine.AgentInfo) {
	slices.SortFunc(all, func(a, b engine.AgentInfo) int {
		if c := a.Began.Compare(b.Began); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
}

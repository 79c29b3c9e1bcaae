package guard

import (
	"testing"

	"talaria/engine"
)

// What is written to a background process may be read by a shell: it is judged like a command.
func TestWritingToABackgroundProcessIsJudgedLikeACommand(t *testing.T) {
	h := newHouse(t, "command npm test")
	said := func(mode, action, data string) string {
		h.mode = mode
		return h.said(func() engine.Verdict {
			return h.gate(h.call("process", map[string]any{"action": action, "id": "bg_1", "data": data}), engine.Spec{Effect: engine.Executes, Toolset: "terminal"})
		})
	}
	for _, c := range []struct{ mode, action, data, want string }{
		{"ask", "list", "", "pass"}, {"ask", "poll", "", "pass"}, {"ask", "log", "", "pass"}, {"ask", "wait", "", "pass"}, {"ask", "kill", "", "pass"},
		{"plan", "poll", "", "pass"}, {"ask", "close", "", "pass"},
		{"ask", "write", "yes", "ask"}, {"edit", "write", "yes", "ask"}, {"plan", "write", "yes", "deny"}, {"auto", "write", "yes", "pass"},
		{"ask", "write", "npm test", "ask"}, {"auto", "write", "rm -rf /", "block"}, {"ask", "write", "rm -rf /", "block"}, {"auto", "write", "rm -rf \\", "ask"},
		{"ask", "dance", "", "ask"}, {"auto", "write", "echo $((", "ask"},
	} {
		if got := said(c.mode, c.action, c.data); got != c.want {
			t.Errorf("%s in %s mode with %q: %s, want %s", c.action, c.mode, c.data, got, c.want)
		}
	}
	said("ask", "write", "yes")
	if q := h.asked[0]; q.Title != "Write to a background process" || q.Body != "yes" || q.Why != "bg_1 carries out what it reads" {
		t.Errorf("asked %+v", q)
	}
}

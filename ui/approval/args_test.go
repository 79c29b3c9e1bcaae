package approval

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/engine"
)

func toolQuestion(args string) engine.Question {
	return engine.Question{ID: "q7", Kind: engine.Approval, Title: "Use create_issue of the MCP server github", Tool: "mcp_github_create_issue", Body: args,
		Why:  "an MCP server does this, and what it does cannot be seen from here",
		Rule: "tool mcp_github_create_issue", Rungs: []engine.Rung{{Rule: "tool mcp_github_create_issue", Label: "mcp_github_create_issue"}},
		Choices: []engine.Choice{{Value: engine.ChoiceOnce, Label: "Allow once"}, {Value: engine.ChoiceSession, Label: "Allow mcp_github_create_issue for this session"},
			{Value: engine.ChoiceDeny, Label: "Deny and tell the agent why"}}}
}

func TestACallOfAServerNamesItAndShowsItsArguments(t *testing.T) {
	q := toolQuestion(`{"title":"Refresh runs twice","body":"Seen in **1.2**:\n\nassignee: eve\u202e","labels":["bug","auth"],"draft":false,"n":null}`)
	for _, size := range screens {
		view, _ := New(sheet(t), q, longAgo(), 1, nil).View(size.w, size.room)
		plain := ansi.Strip(view)
		for _, s := range []string{"create_issue", "MCP server", "title:"} {
			if !strings.Contains(plain, s) {
				t.Errorf("at %dx%d %q is not there:\n%s", size.w, size.h, s, plain)
			}
		}
		if strings.Contains(plain, "$ ") || strings.Contains(plain, "command") {
			t.Errorf("it looks like a command:\n%s", plain)
		}
	}
	view, _ := New(sheet(t), q, longAgo(), 1, nil).View(120, 30)
	plain := ansi.Strip(view)
	for _, s := range []string{"title: Refresh runs twice", "  Seen in **1.2**:⏎", "  assignee: eve<U+202E>", `labels: ["bug","auth"]`, "draft: false", "n: null", "of the MCP server github"} {
		if !strings.Contains(plain, s) {
			t.Errorf("%q is not there:\n%s", s, plain)
		}
	}
}

func TestArgumentsThatAreNoneAreShownAsTheyAre(t *testing.T) {
	for _, args := range []string{`{"a":1,"a":2}`, `[1]`, `{"a":`, `{"a":1} x`, "nonsense"} {
		view, _ := New(sheet(t), toolQuestion(args), longAgo(), 1, nil).View(100, 30)
		if !strings.Contains(ansi.Strip(view), args) {
			t.Errorf("%s is not to be seen:\n%s", args, ansi.Strip(view))
		}
	}
	if view, _ := New(sheet(t), toolQuestion("{}"), longAgo(), 1, nil).View(100, 30); !strings.Contains(ansi.Strip(view), "no arguments") {
		t.Error(ansi.Strip(view))
	}
}

// TestNoArgumentHides is for any of them: each name and value can be read, and none begins a line that another one wrote.
func TestNoArgumentHides(t *testing.T) {
	s := sheet(t)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}`), rapid.StringMatching(`[a-z:{}" \n]{0,60}`), 1, 5).Draw(t, "in")
		b, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		a := New(s, toolQuestion(string(b)), longAgo(), 1, nil)
		lines := a.arguments(rapid.IntRange(20, 80).Draw(t, "w"))
		names := 0
		for _, l := range lines {
			if !strings.HasPrefix(ansi.Strip(l), "  ") {
				names++
			}
		}
		if names != len(in) {
			t.Fatalf("%d lines begin an argument, of %d:\n%s", names, len(in), strings.Join(lines, "\n"))
		}
	})
}

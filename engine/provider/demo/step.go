package demo

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"talaria/engine"
)

// demoFile is the only file the demo ever writes.
const demoFile = "talaria-demo.txt"

// call is a tool call before it has an id.
type call struct {
	tool string
	args map[string]any
}

// step is one reply that calls tools. It needs its tool; listed says that it begins with an update of the task list.
// skip names the text that says why there is nothing to do.
type step struct {
	tool   string
	listed bool
	calls  func(s *scene) []call
	skip   func(s *scene) string
}

// steps maps a step's name, which is also that of its texts and in the ids of its calls, to what it does. A tool that is
// called twice is asked twice at once.
var steps = map[string]step{
	"plan": {tool: "todo", listed: true},
	"find": {tool: "search_files", calls: func(*scene) []call {
		return []call{
			{"search_files", map[string]any{"pattern": "*", "target": "files", "limit": 20}},
			{"search_files", map[string]any{"pattern": "TODO|FIXME", "target": "content", "limit": 5}},
		}
	}},
	"read": {tool: "read_file", skip: func(s *scene) string { return unless(len(s.files()) > 0, "read: none") },
		calls: func(s *scene) (cs []call) {
			for _, f := range s.files() {
				cs = append(cs, call{"read_file", map[string]any{"path": f, "limit": 20}})
			}
			return cs
		}},
	"ask": {tool: "clarify", listed: true, calls: func(*scene) []call {
		return []call{{"clarify", map[string]any{"question": "What shall the demo file say?", "choices": choices}}}
	}},
	"write": {tool: "write_file", listed: true, skip: func(s *scene) string { return unless(s.content() != "", "write: skipped") },
		calls: func(s *scene) []call {
			return []call{{"write_file", map[string]any{"path": demoFile, "content": s.content() + "\n"}}}
		}},
	"run": {tool: "terminal", listed: true, calls: func(*scene) []call {
		return []call{{"terminal", map[string]any{"timeout": 20,
			"command": `for i in 1 2 3 4 5; do echo "step $i of 5"; sleep 0.5; done`}}}
	}},
	"remove": {tool: "terminal", listed: true, skip: func(s *scene) string { return unless(s.status("write") == "done", "remove: nothing") },
		calls: func(*scene) []call {
			return []call{{"terminal", map[string]any{"command": "rm " + demoFile}}}
		}},
	"wrap": {tool: "todo", listed: true},
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// choice is one answer of the demo's question; text names what the file then says, "" for no file.
type choice struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Recommended bool   `json:"recommended,omitempty"`
	text        string
}

var choices = []choice{
	{Label: "A greeting", Description: "three lines, in prose", Recommended: true, text: "greeting"},
	{Label: "A haiku", Description: "three lines, in verse", text: "haiku"},
	{Label: "No file at all", Description: "the tour goes on without writing"},
}

// answer is what the user made of the question: a choice, or words of their own, or neither.
func (s *scene) answer() (c *choice, own string) {
	r, ok := s.result("ask", "clarify")
	if !ok || r.Status != engine.StatusDone {
		return nil, ""
	}
	said, ok := answerText(r.Text)
	if !ok {
		return nil, ""
	}
	first, _, _ := strings.Cut(said, "\n")
	for i := range choices {
		if strings.EqualFold(strings.TrimSpace(first), choices[i].Label) {
			return &choices[i], ""
		}
	}
	return nil, said
}

// answerText finds the answer in a result of clarify: behind the words that introduce it, or in an object that also
// repeats the question.
func answerText(text string) (said string, ok bool) {
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) == nil {
		for _, key := range []string{"answer", "user_response"} {
			if said, ok := object[key].(string); ok {
				return strings.TrimSpace(said), said != ""
			}
		}
	}
	_, said, ok = strings.Cut(text, "answered:")
	said = strings.TrimSpace(said)
	return said, ok && said != ""
}

// content is what the demo file shall say, "" for none. Without an answer it is the recommended choice's.
func (s *scene) content() string {
	c, own := s.answer()
	switch {
	case own != "":
		return say("own words", map[string]string{"answer": own})
	case c == nil:
		c = &choices[0]
	}
	return script[c.text]
}

// readable are endings of files that are text and hold no secrets.
var readable = []string{".md", ".txt", ".go", ".py", ".js", ".ts", ".rs", ".c", ".h", ".java", ".rb", ".sh", ".mod", ".toml"}

var numbered = regexp.MustCompile(`^\d+[:|-]`)

// files returns up to two text files that the search named, a README first.
func (s *scene) files() []string {
	var found []string
	for _, r := range s.done["find"] {
		for line := range strings.Lines(r.Text) {
			name := strings.TrimPrefix(strings.TrimSpace(line), "./")
			known := slices.Contains(readable, strings.ToLower(filepath.Ext(name)))
			if known && !numbered.MatchString(name) && !strings.ContainsAny(name, "\"'<>|*") && len(name) < 200 && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return rank(a) - rank(b) })
	return found[:min(2, len(found))]
}

func rank(name string) int {
	if strings.HasPrefix(strings.ToLower(name), "readme") {
		return 0
	}
	return 1 + strings.Count(name, "/")
}

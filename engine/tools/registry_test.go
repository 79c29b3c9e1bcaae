package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/file"
)

// all is a registry of every tool that needs nothing but a directory.
func all(dir string) *tools.Registry {
	return tools.NewRegistry(append(file.Tools(tools.NewWorkspace(dir, "")), tools.TodoTool(nil), tools.ClarifyTool(nil))...)
}

// Scenario 38 of BEHAVIOUR 25c.
func TestScenario38MisspeltNamesFindTheirTool(t *testing.T) {
	r := all(t.TempDir())
	for wrong, want := range map[string]string{
		"read_file": "read_file", "ReadFile": "read_file", "readFile": "read_file", "read-file": "read_file", "read file": "read_file",
		"read_file_tool": "read_file", "ReadFileTool": "read_file", "read_file_tool_tool": "read_file", "read_flie": "read_file",
		"READ_FILE": "read_file", "functions.read_file": "read_file", "default_api:write_file": "write_file", "tools/patch": "patch",
		"search_files<|channel|>json": "search_files", `todo"`: "todo", " clarify ": "clarify", "functions.ReadFileTool": "read_file",
		"writefile": "write_file", "serch_files": "search_files",
	} {
		_, c, _ := r.Resolve(engine.Call{ID: "1", Name: wrong, Args: "{}"})
		if c.Name != want {
			t.Errorf("%q became %q, want %q", wrong, c.Name, want)
		}
	}
}

func TestScenario38AnUnknownNameGetsTheListOfTools(t *testing.T) {
	r := all(t.TempDir())
	for _, name := range []string{"foo_bar_baz", "", "tool", "_", "file", "edit", "<|x|>"} {
		tool, c, res := r.Resolve(engine.Call{ID: "1", Name: name, Args: "{}"})
		if tool != nil || res == nil || c.Name != name {
			t.Fatalf("%q was taken for %q", name, c.Name)
		}
		if !strings.Contains(res.Text, "The tools are: patch, read_file, search_files, write_file, clarify, todo") || !strings.HasPrefix(res.Text, "refused:") || res.Status != engine.StatusRefused {
			t.Fatalf("%+v", res)
		}
	}
}

func TestTheListOfToolsIsAlwaysInTheSameOrder(t *testing.T) {
	w := tools.NewWorkspace(t.TempDir(), "")
	list := append([]engine.Tool{tools.ClarifyTool(nil), tools.TodoTool(nil)}, file.Tools(w)...)
	list = append(list, fake{"zz", "other", true}, fake{"ls", "terminal", true}, fake{"gone", "web", false}, fake{"patch", "mcp", true})
	r := tools.NewRegistry(list...)
	names := func(r *tools.Registry) string {
		var out []string
		for _, s := range r.Specs() {
			out = append(out, s.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(r); got != "patch read_file search_files write_file ls clarify todo zz" {
		t.Fatal(got)
	}
	if got := names(r.Without("file", "other")); got != "ls clarify todo" {
		t.Fatal(got)
	}
	if got := names(r.Only("agent")); got != "clarify todo" {
		t.Fatal(got)
	}
	if _, _, res := r.Resolve(engine.Call{Name: "gone", Args: "{}"}); res == nil {
		t.Fatal("a tool that is not available was found")
	}
	if tool, _, _ := r.Resolve(engine.Call{Name: "patch", Args: `{"path":"a","old_string":"b","new_string":"c"}`}); tool.Spec().Toolset != "file" {
		t.Fatal("a built-in was shadowed")
	}
}

type fake struct {
	name, toolset string
	available     bool
}

func (f fake) Spec() engine.Spec {
	return engine.Spec{Name: f.name, Toolset: f.toolset, Schema: json.RawMessage(`{}`)}
}
func (f fake) Available() bool { return f.available }
func (f fake) Run(context.Context, engine.Call, engine.Output) (engine.Result, error) {
	return engine.Result{}, nil
}

func TestEveryToolTellsAllItsParameters(t *testing.T) {
	size := 0
	for _, s := range all(t.TempDir()).Specs() {
		if s.Doc == "" || strings.Contains(s.Doc, "## Parameters") {
			t.Errorf("%s: text %q", s.Name, s.Doc)
		}
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(s.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		for name, p := range schema.Properties {
			if p.Description == "" {
				t.Errorf("%s: nothing is said of %s", s.Name, name)
			}
		}
		size += len(s.Doc) + len(s.Schema)
	}
	if size > 6_000 { // the first request of a session carries all of it
		t.Errorf("the tools take %d bytes", size)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("read_file", `{"path":"a"}`)
	f.Add("ReadFile<|", "{\"path\":\"a\n\",}")
	f.Add("todo", `{"todos":"[{\"id\":1}]"`)
	f.Add("clarify", `{"question":{},"choices":null}}`)
	r := all(f.TempDir())
	f.Fuzz(func(t *testing.T, name, args string) {
		c := engine.Call{ID: "1", Name: name, Args: args}
		tool, got, refused := r.Resolve(c)
		if tools.Line(c) == "" && name != "" && strings.TrimSpace(name) != "" {
			t.Fatalf("no line for %q %q", name, args)
		}
		if refused != nil {
			if refused.Status != engine.StatusRefused || !strings.HasPrefix(refused.Text, "refused:") {
				t.Fatalf("%+v", refused)
			}
			return
		}
		var v map[string]json.RawMessage
		if tool == nil || json.Unmarshal([]byte(got.Args), &v) != nil {
			t.Fatalf("%q %q became %q %q", name, args, got.Name, got.Args)
		}
		blank := strings.TrimSpace(args) == "" || strings.TrimSpace(args) == "null"
		if len(v) == 0 && !blank && !json.Valid([]byte(args)) {
			t.Fatalf("invalid JSON %q became {}", args)
		}
		if toucher, ok := tool.(engine.Toucher); ok {
			toucher.Touches(got)
		}
	})
}

//go:build unix

// Package code is the tool that runs a JavaScript program whose only powers are other tools.
//
// The interpreter (goja) runs in a process of its own, which is this program started as a small part: it can be stopped
// at once whatever it is in, its memory is bounded by the system, and its faults are not ours. That process has no files,
// no environment and no network code; every call of a tool comes back over the socket, where it is judged by the same
// gates as a call of the model. The package decides nothing about permission.
package code

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed code.md
var doc string

// Limits of one program (BEHAVIOUR 8.15; own time is 60 s, since calls have limits of their own and do not count).
const (
	maxCalls  = 50
	ownTime   = 60 * time.Second
	shownMax  = 50_000  // characters of output in the result
	outputMax = 4 << 20 // bytes of output, above which the program is ended
)

// never are tools that a program cannot use: itself, and those that need the conversation.
var never = []string{"execute_code", "delegate_task", "clarify"}

// Options is what the tool needs. Tools are those that exist now, in the order they are sent. Call resolves a call, asks
// the gates and runs it; it never returns without a result.
type Options struct {
	Tools func() []engine.Spec
	Call  func(ctx context.Context, c engine.Call) engine.Result
	Cap   func(c engine.Call, text string, limit int) engine.Result // shortens what is too long
}

// Tool is `execute_code`.
type Tool struct {
	engine.Tool
	o Options

	mu    sync.Mutex
	names string // of the functions that text lists
	text  string
}

// New returns the tool. Its own effect is none: what a program does, it does by calls that are judged one by one.
func New(o Options) *Tool {
	t := &Tool{o: o}
	t.Tool = engine.NewTool(engine.Spec{Name: "execute_code", Doc: doc, Effect: engine.Notes, Toolset: "code"}, t.run, nil)
	return t
}

// Spec names the functions that exist now.
func (t *Tool) Spec() engine.Spec {
	s := t.Tool.Spec()
	s.Doc = strings.ReplaceAll(s.Doc, "{{functions}}", t.list())
	return s
}

// list is the functions as the model is told of them. It is written anew when there are others: the specification of a
// tool is asked for many times in a turn.
func (t *Tool) list() string {
	all, names := t.functions(), ""
	for _, f := range all {
		names += f.Name + "\n"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if names != t.names || names == "" {
		words := []string{}
		for _, f := range all {
			words = append(words, signature(f))
		}
		if len(words) == 0 {
			words = []string{"none"}
		}
		t.names, t.text = names, strings.Join(words, ", ")
	}
	return t.text
}

func (t *Tool) functions() []engine.Spec {
	return slices.DeleteFunc(slices.Clone(t.o.Tools()), func(s engine.Spec) bool { return slices.Contains(never, s.Name) })
}

// signature writes a tool as a function, required arguments first; the same for the same tool.
func signature(s engine.Spec) string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	_ = json.Unmarshal(s.Schema, &schema) // without one the arguments are not named
	args := slices.Sorted(slices.Values(schema.Required))
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if !slices.Contains(args, name) {
			args = append(args, name+"?")
		}
	}
	return fmt.Sprintf("`%s({%s})`", s.Name, strings.Join(args, ", "))
}

type input struct {
	Code string `json:"code"`
}

func (t *Tool) run(ctx context.Context, c engine.Call, in input, out engine.Output) (engine.Result, error) {
	if strings.TrimSpace(in.Code) == "" {
		return engine.Badly(c, "the code is empty"), nil
	}
	r := &run{tool: t, call: c, screen: out}
	for _, f := range t.functions() {
		r.names = append(r.names, f.Name)
	}
	return r.do(ctx, in.Code), nil
}

// run is one program that runs.
type run struct {
	tool    *Tool
	call    engine.Call
	screen  engine.Output
	names   []string
	out     strings.Builder
	calls   int
	changed []string // files that its calls changed
}

// print takes output of the program; false when it was too much.
func (r *run) print(text string) bool {
	if r.out.Len()+len(text) > outputMax {
		return false
	}
	r.out.WriteString(text)
	fmt.Fprint(r.screen, text)
	return true
}

// inner carries out one call of the program.
func (r *run) inner(ctx context.Context, name, args string) engine.Result {
	r.calls++
	c := engine.Call{ID: fmt.Sprintf("%s_%d", r.call.ID, r.calls), Name: name, Args: args}
	switch {
	case r.calls > maxCalls:
		return engine.Failed(c, "a program may make %d calls; this one is not run", maxCalls)
	case !slices.Contains(r.names, name):
		return engine.Badly(c, "a program cannot use the tool %q", name)
	}
	fmt.Fprintf(r.screen, "› %s\n", tools.Line(c))
	res := r.tool.o.Call(ctx, c)
	if res.Status != engine.StatusDone {
		fmt.Fprintf(r.screen, "  %s\n", res.Status)
	}
	for _, path := range res.Changed {
		if !slices.Contains(r.changed, path) {
			r.changed = append(r.changed, path)
		}
	}
	return res
}

// result is the output with how the program ended.
func (r *run) result(status engine.Status, end string) engine.Result {
	text := r.out.String()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	res := r.tool.o.Cap(r.call, text, shownMax)
	if text == "" {
		res.Text = ""
	}
	note := fmt.Sprintf("%d calls", r.calls)
	if r.calls == 1 {
		note = "1 call"
	}
	res.Text = strings.TrimRight(res.Text, "\n")
	if res.Text != "" {
		res.Text += "\n"
	}
	res.Text += fmt.Sprintf("[%s; %s]", end, note)
	res.Status, res.Note, res.Changed = status, note, r.changed
	return res
}

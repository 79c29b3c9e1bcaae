package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Effect is what a tool can do to the world; gates and the parallel rule go by it.
type Effect uint8

// Reads changes nothing. Writes changes files at the paths it touches. Executes runs programs. Asks needs the user.
// Notes changes only the agent's own state (the task list): free, but never beside another call.
const (
	Reads Effect = iota
	Writes
	Executes
	Asks
	Notes
)

// Spec is what the model is told about a tool. Doc is Markdown; Schema a JSON Schema of type object with "properties".
// Title names it for people where Name does not, such as a tool of a server; the model is not told.
type Spec struct {
	Name    string
	Title   string
	Doc     string
	Schema  json.RawMessage
	Effect  Effect
	Toolset string
}

// Output takes what a running tool prints, for the screen. It may be written from several goroutines.
type Output io.Writer

// Tool is one thing the model can do.
type Tool interface {
	Spec() Spec
	// Run does it. An error means a bug or a cancelled ctx; a tool that failed at its task returns a Result that says so.
	Run(ctx context.Context, c Call, out Output) (Result, error)
}

// Toucher is a tool that can name the files a call works on: absolute or relative to the session's directory.
// Nil means the arguments do not say.
type Toucher interface{ Touches(c Call) []string }

// SideBySide is a tool that can say itself that a call may run beside any other of its batch: a server that is marked so.
type SideBySide interface{ SideBySide(c Call) bool }

// Decision is what a gate says about a call.
type Decision uint8

// Pass has no objection. Deny stops the call. NeedsApproval stops it because there is nobody to ask.
const (
	Pass Decision = iota
	Deny
	NeedsApproval
)

// Verdict is a gate's answer. Reason tells the model and the user why not. Call, when set, replaces the call
// (the user edited it). Policy marks a denial that a rule made and no person: the call counts as refused, and the turn
// goes on.
type Verdict struct {
	Decision Decision
	Reason   string
	Call     *Call
	Policy   bool
}

// Gate decides whether a call may run; guard, plan mode and hooks are gates. It may ask the user and so block.
type Gate func(ctx context.Context, c Call, s Spec) (Verdict, error)

// Badly returns a Result for arguments or a name that cannot be used; its text begins with "refused:" (CONTRACT 2.1).
func Badly(c Call, format string, args ...any) Result {
	return Result{CallID: c.ID, Name: c.Name, Status: StatusRefused, Text: "refused: " + fmt.Sprintf(format, args...)}
}

// Failed returns a Result of a tool that could not do its task.
func Failed(c Call, format string, args ...any) Result {
	return Result{CallID: c.ID, Name: c.Name, Status: StatusFailed, Text: fmt.Sprintf(format, args...)}
}

// Succeeded returns a Result with the given text; an empty text becomes "(no output)", which every server accepts.
func Succeeded(c Call, text string) Result {
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	return Result{CallID: c.ID, Name: c.Name, Status: StatusDone, Text: text}
}

// NewTool makes a Tool whose arguments decode into In. The schema comes from In's fields (`json` names; a field without
// omitempty is required) and doc, whose list under "## Parameters" describes each ("- `path`: ...").
// touches may be nil.
func NewTool[In any](s Spec, run func(context.Context, Call, In, Output) (Result, error), touches func(In) []string) Tool {
	doc, params := SplitDoc(s.Doc)
	s.Doc, s.Schema = doc, SchemaOf[In](params)
	return funcTool[In]{s, run, touches}
}

type funcTool[In any] struct {
	spec    Spec
	run     func(context.Context, Call, In, Output) (Result, error)
	touches func(In) []string
}

func (t funcTool[In]) Spec() Spec { return t.spec }

func (t funcTool[In]) Run(ctx context.Context, c Call, out Output) (Result, error) {
	var in In
	if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
		return Badly(c, "%s", badArgs(c, err)), nil
	}
	return t.run(ctx, c, in, out)
}

func (t funcTool[In]) Touches(c Call) []string {
	var in In
	if t.touches == nil || json.Unmarshal([]byte(c.Args), &in) != nil {
		return nil
	}
	return t.touches(in)
}

// jsonKind names a Go type as JSON does.
func jsonKind(t reflect.Type) string {
	kind, ok := schemaOf(t, "", nil)["type"].(string)
	if !ok {
		return "something else"
	}
	return map[string]string{"array": "an array", "object": "an object", "integer": "a whole number"}[kind] + map[string]string{"string": "a string", "boolean": "true or false", "number": "a number"}[kind]
}

// badArgs says what is wrong with the arguments of c in words a model can act on.
func badArgs(c Call, err error) string {
	var syn *json.SyntaxError
	if errors.As(err, &syn) {
		return fmt.Sprintf("the arguments of %s are not valid JSON at byte %d: %v. Send the call again with valid JSON.", c.Name, syn.Offset, err)
	}
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return fmt.Sprintf("argument %q of %s must be %s, not %s", typ.Field, c.Name, jsonKind(typ.Type), typ.Value)
	}
	return fmt.Sprintf("the arguments of %s cannot be used: %v", c.Name, err)
}

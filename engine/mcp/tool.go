package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"talaria/engine"
)

// maxDoc is how much of a tool's description is sent, in characters: it is paid for with every request.
const maxDoc = 4000

// tool is one tool of a server. Its effect is Executes whatever the server hints (RULINGS 8).
type tool struct {
	l    *link
	name string // as the server calls it
	spec engine.Spec
}

// offered are the tools of l that the configuration lets through.
func (l *link) offered() []engine.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []engine.Tool
	for _, t := range l.tools {
		if !l.s.wanted(t.Name) {
			continue
		}
		all = append(all, tool{l, t.Name, engine.Spec{Name: toolName(l.s.Name, t.Name, l.servers), Title: t.Name + " of the MCP server " + l.s.Name, Doc: l.doc(t), Schema: schema(t.InputSchema),
			Effect: engine.Executes, Toolset: "mcp"}})
	}
	return all
}

func (l *link) doc(t *sdk.Tool) string {
	text := t.Description
	if text == "" {
		text = t.Title
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) {
			return -1 // nothing that a person who looks at it would not see
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if r := []rune(text); len(r) > maxDoc {
		text = string(r[:maxDoc]) + " […]"
	}
	return strings.TrimSpace(fmt.Sprintf("Tool %q of the MCP server %q. %s", t.Name, l.s.Name, text))
}

// schema makes an object schema of what the server gave; what is none becomes one without properties.
func schema(given any) json.RawMessage {
	m, ok := given.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	clean := map[string]any{"type": "object", "properties": map[string]any{}, "required": []any{}}
	for k, v := range m {
		if k != "$schema" && k != "$id" && k != "type" && v != nil {
			clean[k] = v
		}
	}
	if _, ok := clean["properties"].(map[string]any); !ok {
		clean["properties"] = map[string]any{}
	}
	if _, ok := clean["required"].([]any); !ok {
		clean["required"] = []any{}
	}
	b, err := engine.Marshal(clean) // sorted keys: the same bytes each time
	if err != nil {
		return json.RawMessage(`{"type":"object","properties":{},"required":[]}`)
	}
	return b
}

// Spec is what the model is told.
func (t tool) Spec() engine.Spec { return t.spec }

// Beside reports whether the owner of the configuration said that calls of this server may run side by side.
func (t tool) Beside() bool { return t.l.s.ParallelSafe }

// Run calls the tool. A call that was cut off by the server's end is not repeated: it may have done its work.
func (t tool) Run(ctx context.Context, c engine.Call, out engine.Output) (engine.Result, error) {
	s, err := t.l.up(ctx)
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	if err != nil {
		return engine.Failed(c, "the MCP server %q is not available: %v. The call was not made. Go on without it, or tell the user.", t.l.s.Name, err), nil
	}
	limit := t.l.limit(callLimit)
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	params := &sdk.CallToolParams{Name: t.name, Arguments: json.RawMessage(c.Args)}
	token := engine.NewID("p_")
	params.SetProgressToken(token)
	t.l.listen(token, out)
	defer t.l.listen(token, nil)
	res, err := s.CallTool(timed, params)
	switch {
	case ctx.Err() != nil:
		return engine.Result{}, ctx.Err()
	case err != nil && timed.Err() != nil:
		r := engine.Failed(c, "the MCP server %q did not answer within %s; the call was cancelled. Whether it did anything is not known.", t.l.s.Name, limit)
		r.Status = engine.StatusTimeout
		return r, nil
	case err != nil:
		return t.failed(c, s, err), nil
	}
	return t.answer(c, res), nil
}

// failed says why a call has no answer: the server refused it, or is gone.
func (t tool) failed(c engine.Call, s *session, err error) engine.Result {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		r := t.l.o.Result(c, t.source(), refused.Message)
		r.Status = engine.StatusFailed
		r.Text = "the server refused the call:\n" + r.Text
		return r
	}
	why := short(err.Error())
	if s.p != nil {
		if ended := s.p.why(); ended != "" {
			why = ended
		}
	}
	t.l.lost(s, err)
	return engine.Failed(c, "the MCP server %q was lost during this call: %s. Whether the call did anything is not known; look before you repeat it. The next call starts the server again.", t.l.s.Name, why)
}

func (t tool) source() string { return "MCP server " + t.l.s.Name + ", tool " + t.name }

// answer turns what the server said into text for the model.
func (t tool) answer(c engine.Call, res *sdk.CallToolResult) engine.Result {
	var parts []string
	for _, content := range res.Content {
		if text := textOf(content); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 && res.StructuredContent != nil {
		if b, err := engine.Marshal(res.StructuredContent); err == nil {
			parts = append(parts, string(b))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "(the tool answered nothing)")
	}
	r := t.l.o.Result(c, t.source(), strings.Join(parts, "\n"))
	if res.IsError {
		r.Status = engine.StatusFailed
	}
	return r
}

// textOf is one piece of an answer as text. Pictures and sound are named and left out.
func textOf(content sdk.Content) string {
	switch x := content.(type) {
	case *sdk.TextContent:
		return x.Text
	case *sdk.ImageContent:
		return fmt.Sprintf("[a picture, %s, %d bytes: not shown]", x.MIMEType, len(x.Data))
	case *sdk.AudioContent:
		return fmt.Sprintf("[sound, %s, %d bytes: not played]", x.MIMEType, len(x.Data))
	case *sdk.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("[a resource: %s %s]", x.URI, x.Description))
	case *sdk.EmbeddedResource:
		if x.Resource == nil {
			return ""
		}
		if len(x.Resource.Blob) > 0 {
			return fmt.Sprintf("[a resource: %s, %s, %d bytes: not shown]", x.Resource.URI, x.Resource.MIMEType, len(x.Resource.Blob))
		}
		return x.Resource.URI + "\n" + x.Resource.Text
	}
	return "[content of a kind this version does not know]"
}

// listen sends the progress of the call with this token to out; nil ends that.
func (l *link) listen(token string, out engine.Output) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if out == nil {
		delete(l.calls, token)
		return
	}
	l.calls[token] = out
}

// progressed shows on screen what the server tells of a running call.
func (l *link) progressed(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	token, ok := r.Params.ProgressToken.(string)
	l.mu.Lock()
	out := l.calls[token]
	l.mu.Unlock()
	if !ok || out == nil {
		return
	}
	line := fmt.Sprintf("%g", r.Params.Progress)
	if r.Params.Total > 0 {
		line += fmt.Sprintf("/%g", r.Params.Total)
	}
	fmt.Fprintln(out, strings.TrimSpace(line+" "+short(r.Params.Message)))
}

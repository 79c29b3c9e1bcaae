// Package trajectory writes finished turns in the form that training tools read (CONTRACT 9): one JSON line a turn, the
// whole conversation up to it, reasoning and calls as tagged text.
//
// It refuses to be in the way: a line that cannot be written is an error for the caller to tell, never the turn's.
package trajectory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"talaria/engine"
)

// line is one turn.
type line struct {
	Conversations []piece `json:"conversations"`
	Timestamp     string  `json:"timestamp"` // RFC 3339
	Model         string  `json:"model"`
	Completed     bool    `json:"completed"`
}

// piece is what one side said. From is system, human, gpt or tool.
type piece struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

// Append adds the turn that came to o to DIR/<session>.jsonl, private to the user. Specs are the tools the model had.
func Append(dir string, o engine.Outcome, specs []engine.Spec, at time.Time) error {
	data, err := Line(o, specs, at)
	if err != nil {
		return fmt.Errorf("write the trajectory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write the trajectory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, o.SessionID+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the trajectory: %w", err)
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write the trajectory: %w", err)
	}
	return nil
}

// Line is the turn as one line of JSON, its line end included.
func Line(o engine.Outcome, specs []engine.Spec, at time.Time) ([]byte, error) {
	l := line{Timestamp: at.Format(time.RFC3339), Model: o.Route.Model, Completed: o.Completed}
	system, err := systemValue(o.System, specs)
	if err != nil {
		return nil, err
	}
	l.Conversations = append(l.Conversations, piece{"system", system})
	for _, m := range o.Messages {
		if m.Aside {
			continue
		}
		p, err := pieceOf(m)
		if err != nil {
			return nil, err
		}
		if last := len(l.Conversations) - 1; p.From == "tool" && l.Conversations[last].From == "tool" {
			l.Conversations[last].Value += "\n" + p.Value // results of one reply are one piece
		} else {
			l.Conversations = append(l.Conversations, p)
		}
		if m.Role == engine.RoleTool && m.Text() != "" { // a steer that rode on the results
			l.Conversations = append(l.Conversations, piece{"human", m.Text()})
		}
	}
	return encode(l)
}

// encode writes v without HTML escapes: the file is read by people and programs, not by browsers.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

func systemValue(prompt string, specs []engine.Spec) (string, error) {
	tools := make([]any, 0, len(specs))
	for _, s := range specs {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": s.Name, "description": s.Doc, "parameters": s.Schema}})
	}
	list, err := encode(tools)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(prompt) + "\n\nYou can call these tools. Each call is a JSON object with name and arguments inside <tool_call></tool_call>.\n<tools>\n" + string(list) + "</tools>", nil
}

func pieceOf(m engine.Message) (piece, error) {
	switch m.Role {
	case engine.RoleTool:
		return toolPiece(m)
	case engine.RoleAssistant:
		return gptPiece(m)
	case engine.RoleUser, engine.RoleSystem:
	}
	return piece{"human", textOf(m)}, nil
}

// textOf is the visible text, with a word in place of each picture.
func textOf(m engine.Message) string {
	var parts []string
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			parts = append(parts, p.Text)
		case engine.Image:
			parts = append(parts, "[image "+p.Name+"]")
		case engine.Thought, engine.Call, engine.Result, engine.Opaque, engine.Unknown:
		}
	}
	return strings.Join(parts, "\n")
}

// gptPiece is a reply: what was thought first, then the text, then the calls (RULINGS 14).
func gptPiece(m engine.Message) (piece, error) {
	var parts []string
	if thought := strings.TrimSpace(m.Reasoning()); thought != "" {
		parts = append(parts, "<think>\n"+thought+"\n</think>")
	}
	if text := textOf(m); text != "" {
		parts = append(parts, text)
	}
	for _, c := range m.Calls() {
		args := json.RawMessage(c.Args)
		if !json.Valid(args) {
			args, _ = encode(c.Args) // a string always encodes
		}
		b, err := encode(struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{c.Name, args})
		if err != nil {
			return piece{}, err
		}
		parts = append(parts, "<tool_call>\n"+string(b)+"</tool_call>")
	}
	return piece{"gpt", strings.Join(parts, "\n")}, nil
}

func toolPiece(m engine.Message) (piece, error) {
	var parts []string
	for _, r := range m.Results() {
		content := json.RawMessage(r.Text)
		if !json.Valid(content) {
			content, _ = encode(r.Text) // a string always encodes
		}
		b, err := encode(struct {
			ID      string          `json:"tool_call_id"`
			Name    string          `json:"name"`
			Content json.RawMessage `json:"content"`
		}{r.CallID, r.Name, content})
		if err != nil {
			return piece{}, err
		}
		parts = append(parts, "<tool_response>\n"+string(b)+"</tool_response>")
	}
	return piece{"tool", strings.Join(parts, "\n")}, nil
}

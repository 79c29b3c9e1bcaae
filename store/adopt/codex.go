package adopt

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

// codexLine is one record of Codex. In its oldest files the item stands alone, without a payload.
type codexLine struct {
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
	ID        string          `json:"id"`
}

// codexItem is a payload: of session_meta, turn_context, response_item, event_msg or compacted.
type codexItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Dir       string          `json:"cwd"`
	Provider  string          `json:"model_provider"`
	Model     string          `json:"model"`
	Timestamp json.RawMessage `json:"timestamp"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Summary   []codexText     `json:"summary"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	Action    json.RawMessage `json:"action"`
	Output    json.RawMessage `json:"output"`
	Turns     int             `json:"num_turns"`
	Message   string          `json:"message"`
	Instead   []codexItem     `json:"replacement_history"`
	Title     string          `json:"thread_name"`
}

type codexText struct {
	Type string `json:"type"`
	Text string `json:"text"`
	URL  string `json:"image_url"`
}

// What tells nothing of the conversation, or tells again what another record tells.
var (
	codexQuiet = []string{"session_meta", "turn_context", "event_msg", "ghost_snapshot", "world_state"}
	itemsQuiet = []string{"web_search_call", "image_generation_call", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "tool_search_call",
		"tool_search_output", "compaction_trigger"}
)

// readCodex reads the file twice: once for the turns that were rolled back, and once for what was said.
func readCodex(f io.ReadSeeker, b *builder) error {
	gone := map[int]bool{}
	var asked []int
	long, err := eachLine(f, func(n int, line []byte) error {
		l, item, ok := codexOf(line)
		if !ok {
			b.head.Damaged++
			return nil
		}
		b.codexHead(l, item)
		switch {
		case item.Type == "message" && item.Role == "user" && len(codexParts(item.Content, nil)) > 0:
			asked = append(asked, n)
		case l.Type == "event_msg" && item.Type == "thread_rolled_back" && item.Turns > 0 && len(asked) > 0:
			from := max(0, len(asked)-item.Turns)
			for i := asked[from]; i < n; i++ {
				gone[i] = true
			}
			asked = asked[:from]
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.head.Damaged += long
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	model := ""
	_, err = eachLine(f, func(n int, line []byte) error {
		l, item, ok := codexOf(line)
		if !ok {
			return nil
		}
		if l.Type == "turn_context" && item.Model != "" {
			model = item.Model
		}
		if !gone[n] {
			b.codex(l, item, model)
		}
		return b.err
	})
	return err
}

func codexOf(line []byte) (l codexLine, item codexItem, ok bool) {
	if !decode(line, &l) {
		return l, item, false
	}
	payload := l.Payload
	if len(payload) == 0 {
		payload = line
		if l.Type != "" {
			l.Type = "response_item"
		} else if l.ID != "" {
			l.Type = "session_meta"
		}
	}
	return l, item, decode(payload, &item)
}

// codexHead takes what a record says of the whole session; the first one wins, since a fork begins with what it copied.
func (b *builder) codexHead(l codexLine, item codexItem) {
	h := b.head
	if item.Type == "thread_name_updated" && item.Title != "" {
		h.Title = item.Title
	}
	if h.Dir == "" {
		h.Dir = item.Dir
	}
	if l.Type != "session_meta" || h.Provider != "" {
		return
	}
	if item.ID != "" {
		h.ID = item.ID
	}
	if h.Provider = item.Provider; h.Provider == "" {
		h.Provider = "openai"
	}
	if t := instant(item.Timestamp); !t.IsZero() {
		b.at(t)
	}
}

func (b *builder) codex(l codexLine, item codexItem, model string) {
	at := instant(l.Timestamp)
	switch {
	case l.Type == "response_item":
		b.codexItem(item, model, at)
	case l.Type == "compacted":
		b.codexShort(item, at)
	case slices.Contains(codexQuiet, l.Type):
	default:
		b.skip(l.Type)
	}
}

// codexShort begins a new part with what Codex went on with: its summary, or the messages that it kept where the summary is
// sealed. Where neither can be read the conversation simply goes on.
func (b *builder) codexShort(item codexItem, at time.Time) {
	if strings.TrimSpace(item.Message) != "" {
		b.summary(item.Message, at)
		return
	}
	var lines []string
	for _, it := range item.Instead {
		if it.Type != "message" && it.Type != "" || it.Role != "user" && it.Role != "assistant" {
			continue
		}
		for _, p := range codexParts(it.Content, nil) {
			if t, ok := p.(engine.Text); ok {
				lines = append(lines, it.Role+": "+t.Text)
			}
		}
	}
	b.summary(strings.Join(lines, "\n\n"), at)
}

func (b *builder) codexItem(item codexItem, model string, at time.Time) {
	switch item.Type {
	case "message":
		switch item.Role {
		case "user":
			if parts := codexParts(item.Content, b); len(parts) > 0 {
				b.user(parts, at)
			}
		case "assistant":
			b.says("", model, codexParts(item.Content, b), at)
		}
	case "reasoning":
		var lines []string
		for _, t := range item.Summary {
			lines = append(lines, t.Text)
		}
		b.says("", model, engine.Parts{engine.Thought{Text: strings.Join(lines, "\n\n")}}, at)
	case "function_call":
		b.says("", model, engine.Parts{engine.Call{ID: item.CallID, Name: item.Name, Args: item.Arguments}}, at)
	case "custom_tool_call":
		raw, err := engine.Marshal(map[string]string{"input": item.Input})
		if err != nil {
			raw = nil
		}
		b.says("", model, engine.Parts{engine.Call{ID: item.CallID, Name: item.Name, Args: string(raw)}}, at)
	case "local_shell_call":
		b.says("", model, engine.Parts{engine.Call{ID: item.CallID, Name: "shell", Args: string(item.Action)}}, at)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		b.result(codexResult(item), at)
	default:
		if !slices.Contains(itemsQuiet, item.Type) {
			b.skip(item.Type)
		}
	}
}

// codexResult reads an output: a text, a text that is JSON with the exit code, an object with the content, or a list.
func codexResult(item codexItem) engine.Result {
	r := engine.Result{CallID: item.CallID, Status: engine.StatusDone}
	var in struct {
		Output   *string         `json:"output"`
		Content  json.RawMessage `json:"content"`
		Success  *bool           `json:"success"`
		Metadata struct {
			Exit int `json:"exit_code"`
		} `json:"metadata"`
	}
	raw, text := item.Output, ""
	if json.Unmarshal(raw, &text) == nil {
		r.Text, raw = text, json.RawMessage(text)
	}
	if strings.HasPrefix(strings.TrimSpace(string(raw)), "{") && decode(raw, &in) {
		switch {
		case in.Output != nil:
			r.Text = *in.Output
		case len(in.Content) > 0:
			r.Text = flat(in.Content)
		}
		if in.Metadata.Exit != 0 || in.Success != nil && !*in.Success {
			r.Status = engine.StatusFailed
		}
	} else if text == "" {
		r.Text = flat(raw)
	}
	return r
}

// codexParts are the user's or the model's words in content, without what the program put there.
func codexParts(content json.RawMessage, b *builder) (parts engine.Parts) {
	var texts []codexText
	var text string
	if json.Unmarshal(content, &text) == nil {
		texts = []codexText{{Type: "input_text", Text: text}}
	} else {
		_ = decode(content, &texts) // what is neither says nothing
	}
	for _, t := range texts {
		switch t.Type {
		case "input_text", "output_text", "text":
			if !given(t.Text) {
				parts = append(parts, engine.Text{Text: t.Text})
			}
		case "input_image":
			if img, ok := picture(t.URL); ok {
				parts = append(parts, img)
				continue
			}
			if b != nil {
				b.skip("image")
			}
		default:
			if b != nil {
				b.skip("content " + t.Type)
			}
		}
	}
	return parts
}

// given reports whether a text in the user's name is the program's: instructions, surroundings, notices.
func given(text string) bool {
	for _, p := range []string{"<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "# AGENTS.md instructions", "<turn_aborted>", "<permissions instructions>",
		"<skill>", "<user_shell_command>", "<collaboration_mode>", "<subagent_notification>", "<apps_instructions>"} {
		if strings.HasPrefix(strings.TrimSpace(text), p) {
			return true
		}
	}
	return false
}

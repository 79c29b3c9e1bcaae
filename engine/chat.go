package engine

// ChatMessage is a message in the OpenAI chat format, as `--output json`, exports and trajectories write it.
type ChatMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Reasoning  string     `json:"reasoning,omitempty"`
	ToolCalls  []ChatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Name       string     `json:"name,omitempty"`
}

// ChatCall is a tool call in the OpenAI chat format.
type ChatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function ChatFunction `json:"function"`
}

// ChatFunction names the tool and holds its arguments as JSON text.
type ChatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ExportChat returns system and msgs in the OpenAI chat format, asides left out. It is for people and files, not for
// the wire: a provider encodes for itself.
func ExportChat(system string, msgs []Message) []ChatMessage {
	out := []ChatMessage{}
	if system != "" {
		out = append(out, ChatMessage{Role: string(RoleSystem), Content: system})
	}
	for _, m := range msgs {
		if m.Aside {
			continue
		}
		if m.Role == RoleTool {
			for _, r := range m.Results() {
				out = append(out, ChatMessage{Role: string(RoleTool), Content: r.Text, ToolCallID: r.CallID, Name: r.Name})
			}
			if m.Text() == "" {
				continue
			}
			m.Role = RoleUser // a steer that rode on the results
		}
		c := ChatMessage{Role: string(m.Role), Content: m.Text(), Reasoning: m.Reasoning()}
		for _, call := range m.Calls() {
			c.ToolCalls = append(c.ToolCalls, ChatCall{call.ID, "function", ChatFunction{call.Name, call.Args}})
		}
		out = append(out, c)
	}
	return out
}

package completions

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"talaria/engine"
	"talaria/engine/provider"
)

// message is one entry of "messages". Content is null, a string, or a list of parts; it is always there.
type message struct {
	Role             string          `json:"role"`
	Content          any             `json:"content"`
	ReasoningContent *string         `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCalls        []call          `json:"tool_calls,omitempty"`
	ToolCallID       string          `json:"tool_call_id,omitempty"`
}

type call struct {
	openai.ToolCall
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// emptyAssistant stands in for a content that servers refuse when it is empty.
const emptyAssistant = "(empty)"

// kindDetails names the Opaque that holds reasoning_details.
const kindDetails = "reasoning_details"

func messages(r engine.Request, q quirks) []message {
	var out []message
	if r.System != "" {
		role := openai.ChatMessageRoleSystem
		if q.developer && provider.IsFamily(provider.BareModel(r.Route.Model), developerFamilies) {
			role = openai.ChatMessageRoleDeveloper
		}
		out = append(out, message{Role: role, Content: r.System})
	}
	for _, m := range r.Messages {
		if m.Aside {
			continue
		}
		switch m.Role {
		case engine.RoleSystem:
			out = append(out, message{Role: openai.ChatMessageRoleSystem, Content: m.Text()})
		case engine.RoleUser:
			out = append(out, userMessage(m))
		case engine.RoleAssistant:
			out = append(out, assistantMessage(m, q))
		case engine.RoleTool:
			out = append(out, toolMessages(m, q)...)
		}
	}
	return out
}

func userMessage(m engine.Message) message {
	out := message{Role: openai.ChatMessageRoleUser}
	var parts []openai.ChatMessagePart
	images := false
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Text:
			if p.Text != "" {
				parts = append(parts, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: p.Text})
			}
		case engine.Image:
			images = true
			parts = append(parts, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: provider.DataURL(p)}})
		case engine.Thought, engine.Call, engine.Result, engine.Opaque, engine.Unknown:
			// no user says these
		}
	}
	switch {
	case images:
		out.Content = parts
	case strings.TrimSpace(m.Text()) == "":
		out.Content = provider.EmptyUser
	default:
		out.Content = m.Text()
	}
	return out
}

func assistantMessage(m engine.Message, q quirks) message {
	out := message{Role: openai.ChatMessageRoleAssistant}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case engine.Call:
			out.ToolCalls = append(out.ToolCalls, callOf(p, q))
		case engine.Opaque:
			if q.details && p.Mode == engine.ChatCompletions && p.Kind == kindDetails {
				out.ReasoningDetails = p.Data
			}
		case engine.Text, engine.Thought:
			// joined below
		case engine.Image, engine.Result, engine.Unknown:
			// no assistant says these
		}
	}
	if text := m.Text(); strings.TrimSpace(text) != "" {
		out.Content = text
	} else if len(out.ToolCalls) == 0 {
		out.Content = emptyAssistant
	}
	if said := m.Reasoning(); q.echo == echoAll && said != "" || q.echo != echoNever && len(out.ToolCalls) > 0 {
		if said == "" {
			said = " " // these servers demand the field beside calls
		}
		out.ReasoningContent = &said
	}
	return out
}

func callOf(c engine.Call, q quirks) call {
	said := openai.FunctionCall{Name: c.Name, Arguments: provider.ValidArgs(c.Args)}
	out := call{ToolCall: openai.ToolCall{ID: q.callID(c.ID), Type: openai.ToolTypeFunction, Function: said}}
	if !q.noExtra {
		out.Extra = c.Extra
	}
	return out
}

// toolMessages gives each result a message of its own. A user's word that rides on them goes to the end of the last; with
// no result to ride on it is a user's message.
func toolMessages(m engine.Message, q quirks) []message {
	var out []message
	for _, r := range m.Results() {
		text := provider.Unmarked(provider.ResultText(r.Text))
		out = append(out, message{Role: openai.ChatMessageRoleTool, Content: text, ToolCallID: q.callID(r.CallID)})
	}
	word := strings.TrimSpace(m.Text())
	switch {
	case word == "":
	case len(out) == 0:
		out = append(out, message{Role: openai.ChatMessageRoleUser, Content: word})
	default:
		last := &out[len(out)-1]
		last.Content = last.Content.(string) + "\n\n" + provider.Steer(word)
	}
	return out
}

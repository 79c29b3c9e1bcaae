package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/engine"
)

// What the model is told where the history has a hole.
const (
	noResult  = "no result was recorded: the program ended or the turn was stopped before this call finished. It may have run in part; look before doing it again."
	badArgs   = "[the arguments of this call could not be parsed and were left out]"
	beginning = "(the beginning of this conversation is not available)"
)

// Repair returns a copy of history that every server accepts (law 3): no asides, users and assistants alternate, each
// call is answered exactly once and directly, nothing is empty, all is valid UTF-8. It heals old damage on the way and
// never changes history itself. The same history gives the same copy, so that a prompt prefix stays cacheable.
func Repair(history []engine.Message) []engine.Message { return new(memo).repair(history) }

// repair is Repair, with what is known of the texts.
func (k *memo) repair(history []engine.Message) []engine.Message {
	var out []engine.Message
	for i := 0; i < len(history); i++ {
		m := history[i]
		if m.Aside || m.Role == engine.RoleSystem || m.Role == engine.RoleTool {
			continue // tool messages are taken up with their call; others are orphans
		}
		m.Parts = k.cleanParts(m.Parts, m.Stop == engine.StopPause)
		if len(m.Parts) == 0 {
			continue
		}
		if m.Role == engine.RoleUser && m.Steer && last(out) == engine.RoleTool {
			ride(&out[len(out)-1], m)
			continue
		}
		if m.Role == last(out) {
			merge(&out[len(out)-1], m)
		} else {
			if len(out) == 0 && m.Role == engine.RoleAssistant {
				out = append(out, engine.Message{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: beginning}}})
			}
			out = append(out, m)
		}
		if m.Role == engine.RoleAssistant {
			out = append(out, k.answers(history[i], history[i+1:])...)
		}
	}
	return out
}

func last(msgs []engine.Message) engine.Role {
	if len(msgs) == 0 {
		return ""
	}
	return msgs[len(msgs)-1].Role
}

// cleanParts drops what is empty, makes text valid, and gives calls canonical arguments. A message of thoughts alone
// is nothing that may be sent, unless the server paused it and wants it back to go on.
func (k *memo) cleanParts(parts engine.Parts, paused bool) engine.Parts {
	var out engine.Parts
	speaks := false
	for _, p := range parts {
		switch p := p.(type) {
		case engine.Text:
			if text := valid(p.Text); strings.TrimFunc(text, unicode.IsSpace) != "" {
				out, speaks = append(out, engine.Text{Text: text}), true
			}
		case engine.Call:
			p.Args, _ = k.canonical(p.Args)
			out, speaks = append(out, p), true
		case engine.Image:
			out, speaks = append(out, p), true
		case engine.Thought:
			if p.Text != "" || p.Signature != "" {
				out = append(out, p)
			}
		case engine.Opaque:
			out, speaks = append(out, p), speaks || paused
		case engine.Result, engine.Unknown:
			// a result stands in a tool message; what a later version stored is not ours to send
		}
	}
	if !speaks {
		return nil
	}
	return out
}

// valid is strings.ToValidUTF8, many times faster for text that is valid: that is nearly all of a history.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// canonical returns the arguments as compact JSON with sorted keys; broken ones become "{}" and false.
func canonical(args string) (string, bool) {
	v, err := argsObject(args)
	if err != nil || v == nil {
		return "{}", false
	}
	b, err := engine.Marshal(v)
	if err != nil {
		return "{}", false
	}
	return string(b), true
}

// answers returns one tool message for each call of m, in call order, from the tool messages that follow it directly.
// A call whose arguments had to be left out says so in its result, unless that was the very reason it was refused.
func (k *memo) answers(m engine.Message, rest []engine.Message) []engine.Message {
	found := map[string]engine.Result{}
	for _, r := range rest {
		if r.Aside {
			continue
		}
		if r.Role != engine.RoleTool {
			break
		}
		for _, res := range r.Results() {
			if _, twice := found[res.CallID]; !twice {
				found[res.CallID] = res
			}
		}
	}
	var out []engine.Message
	for _, c := range m.Calls() {
		r, ok := found[c.ID]
		if !ok {
			r = engine.Result{CallID: c.ID, Text: noResult, Status: engine.StatusStopped}
		}
		r.Name, r.Text = c.Name, valid(r.Text)
		if strings.TrimSpace(r.Text) == "" {
			r.Text = "(no output)"
		}
		if _, whole := k.canonical(c.Args); !whole && r.Status != engine.StatusRefused {
			r.Text += "\n" + badArgs
		}
		out = append(out, engine.Message{ID: c.ID, Role: engine.RoleTool, Parts: engine.Parts{r}})
	}
	return out
}

// ride puts a steer at the end of the newest tool result, where the model reads it next (RULINGS 1).
func ride(tool *engine.Message, steer engine.Message) {
	parts := append(engine.Parts(nil), tool.Parts...)
	if before, ok := parts[len(parts)-1].(engine.Text); ok { // a second word on the same result
		parts[len(parts)-1] = engine.Text{Text: before.Text + "\n\n" + steer.Text()}
	} else {
		parts = append(parts, engine.Text{Text: steer.Text()})
	}
	tool.Parts = parts
}

// merge joins m to the message before it, texts with a blank line between them. Replies of different models keep no
// reasoning: its seal is good for one model only.
func merge(into *engine.Message, m engine.Message) {
	parts := append(engine.Parts(nil), into.Parts...)
	if into.Model != m.Model {
		parts, m.Parts, into.Model = parts.Plain(), m.Parts.Plain(), m.Model
	}
	for i, p := range m.Parts {
		t, isText := p.(engine.Text)
		if n := len(parts); n > 0 && isText && i == 0 {
			if before, ok := parts[n-1].(engine.Text); ok {
				parts[n-1] = engine.Text{Text: before.Text + "\n\n" + t.Text}
				continue
			}
		}
		parts = append(parts, p)
	}
	into.Parts = parts
}

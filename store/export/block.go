package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

// Kind is what a block is, as the page's style names it.
type kind string

const (
	userBlock    kind = "user"
	agentBlock   kind = "agent"
	thoughtBlock kind = "thought"
	toolBlock    kind = "tool"
	asideBlock   kind = "aside"
	summaryBlock kind = "summary"
)

// block is one piece of a chat as both readable forms draw it. A tool block has the call and, when it was answered, what
// came of it.
type block struct {
	Kind   kind
	Name   string // "You", the model, the tool
	Line   string // what a tool did, on one line, "" when nobody told
	At     time.Time
	Text   string // Markdown, or the arguments of a call
	Status string // of a tool, "" when it is done
	Result string
	Diff   string
	Note   string
}

// head is what stands above the blocks.
type head struct {
	Title, ID, Dir, Model, Cost string
	Created                     time.Time
	Turns                       int
	Tokens                      int
}

// document is a chat ready to be drawn.
type document struct {
	Head   head
	Blocks []block
}

func (c Chat) blocks(mask func(string) string) document {
	s := c.Session
	d := document{Head: head{Title: mask(oneLine(s.Title)), ID: s.ID, Dir: s.Dir, Model: s.Route.Model, Created: s.Created, Turns: s.Turns,
		Tokens: s.Usage.Input + s.Usage.Output}}
	if d.Head.Title == "" {
		d.Head.Title = s.ID
	}
	if s.Cost != nil && *s.Cost > 0 {
		d.Head.Cost = fmt.Sprintf("$%.2f", *s.Cost)
	}
	calls := map[string]int{} // the block of a call
	for _, m := range c.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case engine.Text:
				if strings.TrimSpace(p.Text) != "" {
					d.Blocks = append(d.Blocks, block{Kind: kindOf(m), Name: nameOf(m), At: m.At, Text: mask(p.Text)})
				}
			case engine.Thought:
				if strings.TrimSpace(p.Text) != "" {
					d.Blocks = append(d.Blocks, block{Kind: thoughtBlock, Name: "Thinking", At: m.At, Text: mask(p.Text)})
				}
			case engine.Image:
				d.Blocks = append(d.Blocks, block{Kind: kindOf(m), Name: nameOf(m), At: m.At, Text: "[picture " + mask(p.Name) + "]"})
			case engine.Call:
				calls[p.ID] = len(d.Blocks)
				d.Blocks = append(d.Blocks, block{Kind: toolBlock, Name: p.Name, Line: mask(oneLine(c.Lines[p.ID])), At: m.At, Text: mask(pretty(p.Args))})
			case engine.Result:
				d.answer(calls, p, m, mask)
			case engine.Opaque, engine.Unknown:
				// provider state, and parts of a later version: nothing to read
			}
		}
	}
	return d
}

// answer puts a result into the block of its call; one whose call is not there stands alone.
func (d *document) answer(calls map[string]int, r engine.Result, m engine.Message, mask func(string) string) {
	i, ok := calls[r.CallID]
	if !ok {
		i = len(d.Blocks)
		d.Blocks = append(d.Blocks, block{Kind: toolBlock, Name: r.Name, At: m.At})
	}
	b := &d.Blocks[i]
	b.Result, b.Diff, b.Note = mask(r.Text), mask(r.Diff), mask(r.Note)
	if r.Status != engine.StatusDone && r.Status != "" {
		b.Status = string(r.Status)
	}
}

func kindOf(m engine.Message) kind {
	switch {
	case m.Aside:
		return asideBlock
	case m.Summary:
		return summaryBlock
	case m.Role == engine.RoleAssistant:
		return agentBlock
	}
	return userBlock
}

func nameOf(m engine.Message) string {
	switch {
	case m.Summary:
		return "Summary of what came before"
	case m.Aside && m.Role == engine.RoleAssistant:
		return "Interrupted answer"
	case m.Aside:
		return "Not sent to the model"
	case m.Role == engine.RoleAssistant && m.Model != "":
		return m.Model
	case m.Role == engine.RoleAssistant:
		return "Agent"
	case m.Steer:
		return "You, meanwhile"
	}
	return "You"
}

// pretty indents arguments; what is no JSON stays as it is, and one text alone (a command, a script, a patch) is shown as
// that text.
func pretty(args string) string {
	var one map[string]any
	if json.Unmarshal([]byte(args), &one) == nil && len(one) == 1 {
		for _, v := range one {
			if text, ok := v.(string); ok {
				return text
			}
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(args), "", "  ") != nil {
		return args
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

package compress

import (
	_ "embed"
	"fmt"
	"strings"

	"talaria/engine"
)

//go:embed summary.md
var summaryFrame string

// The headings of what a summary quotes, and the line that ends it.
const (
	headPinned = "\n## Pinned, word for word"
	headAnswer = "\n## The newest answer, word for word"
	headTasks  = "\n## Task list"
	frameEnd   = "[End of the summary]"
)

// assemble puts the summary in place of the middle, as something the assistant says, and quotes in it what is kept word
// for word but would stand alone.
func (c Compressor) assemble(j Job, p parts, summary string) []engine.Message {
	text := strings.NewReplacer("{summary}", strings.TrimSpace(summary), "{quotes}", j.quotes(p)).Replace(summaryFrame)
	m := engine.Message{ID: engine.NewID("msg_"), Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: strings.TrimSpace(text)}}, Summary: true, Stop: engine.StopEnd}
	if c.Now != nil {
		m.At = c.Now()
	}
	out := append([]engine.Message(nil), p.head...)
	switch {
	case p.asked == nil:
		out = append(out, m)
	case p.answered:
		out = append(out, *p.asked, m)
	default:
		out = append(out, m, *p.asked)
	}
	return append(out, p.tail...)
}

// quotes are pinned messages, also those that an earlier summary quotes, the newest visible answer, and the open tasks.
func (j Job) quotes(p parts) string {
	var b strings.Builder
	for _, m := range p.middle {
		if m.Summary {
			b.WriteString(pinnedIn(m.Text()))
		} else if j.Pinned != nil && j.Pinned(m.ID) && m.Text() != "" {
			fmt.Fprintf(&b, "%s (%s)\n%s\n", headPinned, m.Role, m.Text())
		}
	}
	if answer := newestAnswer(p.middle); answer != "" && newestAnswer(p.tail) == "" {
		fmt.Fprintf(&b, "%s\n%s\n", headAnswer, answer)
	}
	if j.Tasks != "" {
		fmt.Fprintf(&b, "%s\n%s\n", headTasks, j.Tasks)
	}
	return b.String()
}

// pinnedIn are the pinned messages that the text of a summary quotes.
func pinnedIn(text string) string {
	at := strings.Index(text, headPinned)
	if at < 0 {
		return ""
	}
	text = text[at:]
	for _, next := range []string{headAnswer, headTasks, "\n" + frameEnd} {
		text, _, _ = strings.Cut(text, next)
	}
	return text + "\n"
}

// unframed is the checkpoint alone: without the words around it and what it quotes.
func unframed(text string) string {
	_, text, _ = strings.Cut(text, "]\n")
	for _, next := range []string{headPinned, headAnswer, headTasks, frameEnd} {
		text, _, _ = strings.Cut(text, next)
	}
	return strings.TrimSpace(text)
}

func newestAnswer(msgs []engine.Message) string {
	for i := len(msgs) - 1; i >= 0; i-- {
		if m := msgs[i]; m.Role == engine.RoleAssistant && !m.Aside && !m.Summary && strings.TrimSpace(m.Text()) != "" {
			return m.Text()
		}
	}
	return ""
}

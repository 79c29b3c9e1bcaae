package feed

import (
	"strings"

	"talaria/ui/style"
)

// Kind says what a block is.
type Kind string

// The kinds of blocks.
const (
	KindYou     Kind = "your message"
	KindAnswer  Kind = "the answer"
	KindThought Kind = "the thought"
	KindTool    Kind = "the action"
	KindNote    Kind = "the note"
)

// Item is what a block says, without colours and without the breaks of lines that are too long. Source is the text as it
// came: Markdown, or what the model was told. ID is that of its message, "" where there is none.
type Item struct {
	Kind         Kind
	ID           string
	Text, Source string
}

// teller is a block that can be copied and searched.
type teller interface{ item() Item }

func (s *said) item() Item { return Item{KindYou, s.id, s.text, s.text} }

func (r *reply) item() Item {
	src := r.text
	if r.open && r.stream != nil {
		src = r.stream.Source()
	}
	return Item{KindAnswer, r.id, r.md.Plain(src), src}
}

func (t *thought) item() Item {
	text := strings.TrimSpace(style.Safe(t.text.String()))
	return Item{KindThought, t.id, text, text}
}

func (t *tool) item() Item {
	more := strings.Join(t.outputLines(), "\n")
	if t.diff != "" {
		more = style.Safe(t.diff)
	}
	return Item{KindTool, t.id, strings.TrimSpace(t.line + "\n" + more), style.Safe(t.result)}
}

func (n *notice) item() Item {
	text := strings.Join(append([]string{n.head}, n.details...), "\n")
	return Item{KindNote, n.id, text, text}
}

func (s *summarised) item() Item { return Item{KindNote, s.id, s.summary, s.summary} }

// Item is what the block of e says; ok is false for one that says nothing.
func (e *Entry) Item() (_ Item, ok bool) {
	if b, ok := e.Block.(teller); ok {
		return b.item(), true
	}
	return Item{}, false
}

// Searched is the text that a search looks at: cheap for a long answer, whose source says the same.
func (e *Entry) Searched() string {
	if r, ok := e.Block.(*reply); ok && !r.open {
		return r.text
	}
	if s, ok := e.Block.(teller); ok {
		return s.item().Text
	}
	return ""
}

package completions

import "talaria/engine/provider"

// plain reads the chunks that nearly all of a reply is made of, with a piece of text or reasoning and nothing else, many
// times faster than encoding/json. What it reads is the same; what it does not know to be the same it leaves.
type plain struct {
	chunk   chunk
	choices [1]choice
	piece   piece
}

// read returns the chunk in raw, valid until the next call and as long as raw; nil for one that is not so plain. model is
// what the chunks before it said, which a chunk that names none goes on with.
func (p *plain) read(raw []byte, model string) *chunk {
	*p = plain{chunk: chunk{Model: model}}
	c, s := &p.chunk, provider.NewScan(raw)
	ok := s.Object(func(key []byte) bool {
		switch string(key) {
		case "model":
			return s.Text(&c.Model)
		case "choices":
			return c.Choices == nil && p.readChoices(&s)
		case "error":
			return field(&s, (*[]byte)(&c.Error))
		case "usage", "x_groq":
			return s.Null()
		}
		return s.Skip()
	})
	if !ok || !s.End() || len(c.Choices) == 0 {
		return nil
	}
	return c
}

func (p *plain) readChoices(s *provider.Scan) bool {
	one := &p.choices[0]
	return s.Array(func(n int) bool {
		p.chunk.Choices = p.choices[:]
		return n == 0 && s.Object(func(key []byte) bool {
			switch string(key) {
			case "index":
				return s.Int(&one.Index)
			case "delta":
				if one.Delta != nil {
					return false
				}
				one.Delta = &p.piece
				return p.readPiece(s)
			case "finish_reason":
				return s.Text(&one.Finish)
			case "error":
				return field(s, (*[]byte)(&one.Error))
			case "message", "usage":
				return s.Null()
			}
			return s.Skip()
		})
	})
}

func (p *plain) readPiece(s *provider.Scan) bool {
	one := &p.piece
	return s.Object(func(key []byte) bool {
		switch string(key) {
		case "content":
			return field(s, (*[]byte)(&one.Content))
		case "reasoning_content":
			return field(s, (*[]byte)(&one.ReasoningContent))
		case "reasoning":
			return field(s, (*[]byte)(&one.Reasoning))
		case "reasoning_text":
			return field(s, (*[]byte)(&one.ReasoningText))
		case "thinking":
			return field(s, (*[]byte)(&one.Thinking))
		case "reasoning_details":
			return field(s, (*[]byte)(&one.Details))
		case "refusal":
			return s.Text(&one.Refusal)
		case "tool_calls", "function_call":
			return s.Null()
		}
		return s.Skip()
	})
}

// field takes any value as it stands, as a json.RawMessage does.
func field(s *provider.Scan, to *[]byte) (ok bool) {
	*to, ok = s.Raw()
	return ok
}

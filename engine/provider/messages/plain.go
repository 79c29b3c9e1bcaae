package messages

import "talaria/engine/provider"

// read reads the event that nearly all of a reply is made of, a piece of text, thinking or arguments, many times faster
// than encoding/json; false leaves any other to that.
func (e *event) read(raw []byte) bool {
	*e = event{Type: e.Type, Delta: delta{Type: e.Delta.Type}} // the names of the event before this one: mostly the same
	s, named, kind := provider.NewScan(raw), false, false
	ok := s.Object(func(key []byte) bool {
		switch string(key) {
		case "type":
			named = true
			return !s.Null() && s.Text(&e.Type)
		case "index":
			return s.Int(&e.Index)
		case "delta":
			return s.Object(func(key []byte) bool {
				switch string(key) {
				case "type":
					kind = true
					return !s.Null() && s.Text(&e.Delta.Type)
				case "text":
					return s.Text(&e.Delta.Text)
				case "thinking":
					return s.Text(&e.Delta.Thinking)
				case "partial_json":
					return s.Text(&e.Delta.PartialJSON)
				case "signature", "stop_reason":
					return false
				}
				return s.Skip()
			})
		case "message", "content_block", "usage", "error", "model", "content", "stop_reason":
			return false
		}
		return s.Skip()
	})
	return ok && named && kind && s.End()
}

package responses

import (
	"strings"

	"talaria/engine/provider"
)

// read reads the event that nearly all of a reply is made of, a piece of text, reasoning or arguments, many times faster
// than encoding/json; false leaves any other to that.
func (e *event) read(raw []byte) bool {
	before := *e // mostly of the same type, item and place
	*e = event{Type: before.Type, ItemID: before.ItemID}
	s, named, placed := provider.NewScan(raw), false, false
	ok := s.Object(func(key []byte) bool {
		switch string(key) {
		case "type":
			named = true
			return !s.Null() && s.Text(&e.Type)
		case "item_id":
			placed = true
			return !s.Null() && s.Text(&e.ItemID)
		case "output_index":
			n := 0
			if s.Null() || !s.Int(&n) {
				return false
			}
			if e.Index = before.Index; e.Index == nil || *e.Index != n { // items keep the pointer, so it is never written to
				own := n
				e.Index = &own
			}
			return true
		case "content_index":
			return s.Int(&e.ContentIndex)
		case "summary_index":
			return s.Int(&e.SummaryIndex)
		case "delta":
			return s.Text(&e.Delta)
		case "response", "item", "text", "refusal", "arguments", "error":
			return false
		}
		return s.Skip()
	})
	return ok && named && placed && s.End() && strings.HasPrefix(e.Type, "response.") && strings.HasSuffix(e.Type, ".delta")
}

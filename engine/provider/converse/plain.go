package converse

import (
	"encoding/binary"
	"hash/crc32"

	"talaria/engine/provider"
)

// read reads the payload that nearly all of a reply is made of, a piece of text, reasoning or arguments, many times faster
// than encoding/json; false leaves any other to that. What it reads is valid as long as raw.
func (e *event) read(raw []byte) bool {
	*e = event{}
	s := provider.NewScan(raw)
	s.Mixed = true
	ok := s.Object(func(key []byte) bool {
		switch string(key) {
		case "contentBlockIndex":
			return s.Int(&e.Index)
		case "delta":
			return e.Delta.read(&s)
		case "p": // padding, so that the length of a piece tells nothing
			return s.Skip()
		}
		return false
	})
	return ok && s.End()
}

func (d *deltaBlock) read(s *provider.Scan) bool {
	return s.Object(func(key []byte) bool {
		switch string(key) {
		case "text":
			return s.Text(&d.Text)
		case "reasoningContent":
			if d.Reasoning != nil {
				return false
			}
			d.Reasoning = &thoughtDelta{}
			return s.Object(func(key []byte) bool { return string(key) == "text" && s.Text(&d.Reasoning.Text) })
		case "toolUse":
			if d.ToolUse != nil {
				return false
			}
			d.ToolUse = &inputDelta{}
			return s.Object(func(key []byte) bool {
				raw, ok := s.Raw()
				d.ToolUse.Input = raw
				return ok && string(key) == "input" && raw[0] == '"'
			})
		}
		return false
	})
}

// eventNames are the names of events that come again and again.
var eventNames = []string{"contentBlockDelta", "contentBlockStart", "contentBlockStop", "messageStart", "messageStop", "metadata"}

// plainFrame reads a message of the stream whose headers are the usual ones: strings that name a known event. It returns
// false for any other, and for one whose checksum is wrong: those are left to the SDK. headers is their length.
func plainFrame(b []byte, headers int) (f frame, ok bool) {
	end := len(b) - 4
	if crc32.ChecksumIEEE(b[:end]) != binary.BigEndian.Uint32(b[end:]) {
		return f, false
	}
	const isString = 7 // docs.aws.amazon.com, event stream encoding
	for h := b[preludeSize : preludeSize+headers]; len(h) > 0; {
		n := int(h[0])
		if len(h) < n+4 || h[n+1] != isString {
			return f, false
		}
		size := int(binary.BigEndian.Uint16(h[n+2:]))
		if len(h) < n+4+size {
			return f, false
		}
		name, value := h[1:n+1], h[n+4:n+4+size]
		h = h[n+4+size:]
		switch string(name) {
		case ":message-type":
			if string(value) != "event" {
				return f, false
			}
			f.kind = "event"
		case ":event-type":
			if f.name = known(value); f.name == "" {
				return f, false
			}
		}
	}
	f.payload = b[preludeSize+headers : end]
	return f, f.kind != "" && f.name != ""
}

// known is the name of an event without a copy, "" for one that is not in the list.
func known(name []byte) string {
	for _, n := range eventNames {
		if string(name) == n {
			return n
		}
	}
	return ""
}

package composer

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// The markers of a bracketed paste (xterm control sequences, mode 2004).
var pasteBegin, pasteEnd = []byte("\x1b[200~"), []byte("\x1b[201~")

// shortPaste is how many bytes of a paste go through the toolkit. A longer one is kept here, since the toolkit reads a
// paste key by key: a megabyte took it a third of a second.
const shortPaste = 64

// Stdin is the terminal's input with what a slow line cuts apart put together again. The toolkit takes an escape
// sequence that is not whole after 50 ms for keys: an end marker cut there would leave the paste open for ever and every
// later key inside it. It also loses a character that is cut. So a paste is held until its end has come, and a character
// likewise. What is handed on of a long paste is a sign; Whole gives the text back.
type Stdin struct {
	*os.File
	held    []byte // read, and not handed on
	pasting bool
	paste   []byte // what there is of the paste under way

	mu     sync.Mutex
	pastes map[string]string // by the sign that stands for it
	signs  int
}

// Read returns whole characters and whole pastes; nothing when only a part has come.
func (s *Stdin) Read(p []byte) (int, error) {
	spare := min(len(p)/2, shortPaste+len(pasteBegin)+len(pasteEnd)+utf8.UTFMax) // for a short paste that was held
	m, err := s.File.Read(p[:len(p)-spare])
	if err != nil {
		n := copy(p[m:], s.held)
		s.held = nil
		return m + n, err
	}
	return copy(p, s.take(p[:m])), nil
}

// take returns what can be handed on when b has been read. A Ctrl+C that comes alone ends a paste whose end was lost:
// without that, no key would count any more.
func (s *Stdin) take(b []byte) (out []byte) {
	if s.pasting && (string(b) == "\x03" || string(b) == "\x1b[99;5u") {
		b = append(bytes.Clone(pasteEnd), b...)
	}
	b = append(s.held, b...)
	s.held = nil
	for {
		if !s.pasting {
			i := bytes.Index(b, pasteBegin)
			if i < 0 {
				keep := whole(b)
				s.held = bytes.Clone(b[keep:])
				return append(out, b[:keep]...)
			}
			out = append(out, b[:i]...)
			s.pasting, s.paste, b = true, nil, b[i+len(pasteBegin):]
		}
		from := max(0, len(s.paste)-len(pasteEnd)+1)
		s.paste = append(s.paste, b...)
		i := bytes.Index(s.paste[from:], pasteEnd)
		if i < 0 {
			return out
		}
		text := s.paste[:from+i]
		b = s.paste[from+i+len(pasteEnd):]
		out = append(append(append(out, pasteBegin...), s.sign(text)...), pasteEnd...)
		s.pasting, s.paste = false, nil
	}
}

// sign is what is handed on of a paste: a short one itself.
func (s *Stdin) sign(text []byte) []byte {
	if len(text) <= shortPaste {
		return text
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pastes == nil {
		s.pastes = map[string]string{}
	}
	s.signs++
	sign := fmt.Sprintf("paste %d of %d bytes", s.signs, len(text))
	s.pastes[sign] = string(text)
	return []byte(sign)
}

// Whole is a paste as it came from the terminal: once for each sign.
func (s *Stdin) Whole(msg tea.PasteMsg) tea.PasteMsg {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text, ok := s.pastes[msg.Content]; ok {
		delete(s.pastes, msg.Content)
		msg.Content = text
	}
	return msg
}

// whole returns how many bytes of b can be handed on: neither half a character nor half a marker. Two bytes of a marker
// may be a key.
func whole(b []byte) int {
	for n := min(len(b), len(pasteBegin)-1); n > 2; n-- {
		if bytes.HasSuffix(b, pasteBegin[:n]) {
			return len(b) - n
		}
	}
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}

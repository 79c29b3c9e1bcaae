package composer

import (
	"bytes"
	"os"
	"unicode/utf8"
)

// The markers of a bracketed paste (xterm control sequences, mode 2004).
var pasteBegin, pasteEnd = []byte("\x1b[200~"), []byte("\x1b[201~")

// Stdin is the terminal's input with what a slow line cuts apart put together again. The toolkit takes an escape
// sequence that is not whole after 50 ms for keys: an end marker cut there would leave the paste open for ever and every
// later key inside it. It also loses a character that is cut. So both are held until the rest has come.
type Stdin struct {
	*os.File
	pasting bool
	held    []byte
}

// Read returns whole characters, and inside a paste no part of its end marker.
func (s *Stdin) Read(p []byte) (int, error) {
	for {
		n := copy(p, s.held)
		m, err := s.File.Read(p[n:])
		if err != nil {
			s.held = nil
			return n + m, err
		}
		if keep := s.hold(p[:n+m]); keep > 0 {
			return keep, nil
		}
	}
}

// hold keeps back what is not whole at the end of b, and returns how many bytes before it can be handed on.
func (s *Stdin) hold(b []byte) int {
	keep := s.whole(b)
	s.held = append([]byte(nil), b[keep:]...)
	return keep
}

// whole returns how many bytes of b can be handed on.
func (s *Stdin) whole(b []byte) int {
	rest := b
	for {
		mark := pasteBegin
		if s.pasting {
			mark = pasteEnd
		}
		i := bytes.Index(rest, mark)
		if i < 0 {
			break
		}
		s.pasting, rest = !s.pasting, rest[i+len(mark):]
	}
	keep := len(b)
	if s.pasting {
		for n := min(len(rest), len(pasteEnd)-1); n > 0; n-- {
			if bytes.HasSuffix(rest, pasteEnd[:n]) {
				return keep - n
			}
		}
	}
	for i := 1; i < utf8.UTFMax && i <= len(rest); i++ {
		if c := rest[len(rest)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(rest[len(rest)-i:]) {
				keep -= i
			}
			break
		}
	}
	return keep
}

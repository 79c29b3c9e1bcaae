package provider

import (
	"bytes"
	"unicode/utf8"
)

// Scan reads JSON in place, without reflection or copies, for the pieces that a stream repeats thousands of times. It
// takes only what encoding/json would read the same way; every method returns false for anything else, and then the
// caller decodes the whole with encoding/json.
//
// So keys must be of a-z, 0-9 and _ (others can match a field by folding), and strings valid UTF-8 without \u. With Mixed
// keys may have capitals, too: then the caller must take no key that it does not know to the letter.
type Scan struct {
	Mixed bool
	b     []byte
	i     int
}

// NewScan returns a Scan of one value.
func NewScan(b []byte) Scan { return Scan{b: b} }

// Object calls member for each key, which is to read the value.
func (s *Scan) Object(member func(key []byte) bool) bool {
	if !s.eat('{') {
		return false
	}
	if s.eat('}') {
		return true
	}
	for {
		key, ok := s.key()
		if !ok || !s.eat(':') || !member(key) {
			return false
		}
		if !s.eat(',') {
			return s.eat('}')
		}
	}
}

// Array calls element for each element, counted from 0, which is to read it.
func (s *Scan) Array(element func(n int) bool) bool {
	if !s.eat('[') {
		return false
	}
	if s.eat(']') {
		return true
	}
	for n := 0; ; n++ {
		if !element(n) {
			return false
		}
		if !s.eat(',') {
			return s.eat(']')
		}
	}
}

// End reports whether nothing but white space is left.
func (s *Scan) End() bool { return s.peek() == 0 && s.i == len(s.b) }

// Null reads a null, and nothing when there is another value.
func (s *Scan) Null() bool {
	if s.peek() != 'n' || !bytes.HasPrefix(s.b[s.i:], []byte("null")) {
		return false
	}
	s.i += len("null")
	return true
}

// Int reads a whole number of at most nine digits without a sign, or a null, which leaves n as it is.
func (s *Scan) Int(n *int) bool {
	if s.Null() {
		return true
	}
	begin, sum := s.i, 0
	for ; s.i < len(s.b) && isDigit(s.b[s.i]); s.i++ {
		if s.i-begin == 9 {
			return false
		}
		sum = sum*10 + int(s.b[s.i]-'0')
	}
	if s.i == begin || s.b[begin] == '0' && s.i > begin+1 {
		return false
	}
	if s.i < len(s.b) && (s.b[s.i] == '.' || s.b[s.i]|0x20 == 'e') {
		return false
	}
	*n = sum
	return true
}

// Text reads a string into text, or a null, which leaves it as it is. A string that is the same as text costs nothing.
func (s *Scan) Text(text *string) bool {
	if s.Null() {
		return true
	}
	raw, ok := s.Raw()
	if !ok || raw[0] != '"' {
		return false
	}
	if inner := raw[1 : len(raw)-1]; string(inner) == *text && bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return true
	}
	*text, ok = Unquote(raw)
	return ok
}

// Raw reads any value and returns its bytes, valid as long as those of the Scan.
func (s *Scan) Raw() ([]byte, bool) {
	s.peek()
	begin := s.i
	if !s.skip(0) {
		return nil, false
	}
	return s.b[begin:s.i], true
}

// Skip reads any value.
func (s *Scan) Skip() bool { return s.skip(0) }

// maxDepth is how deep a value may be nested here. No reply of any server has a piece as deep.
const maxDepth = 16

func (s *Scan) skip(depth int) bool {
	switch c := s.peek(); {
	case c == '"':
		return s.quoted()
	case c == '{' && depth < maxDepth:
		return s.skipObject(depth + 1)
	case c == '[' && depth < maxDepth:
		return s.Array(func(int) bool { return s.skip(depth + 1) })
	case c == '-' || isDigit(c):
		return s.number()
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if len(s.b)-s.i >= len(word) && string(s.b[s.i:s.i+len(word)]) == word {
			s.i += len(word)
			return true
		}
	}
	return false
}

// skipObject takes any keys, since none of them is looked at.
func (s *Scan) skipObject(depth int) bool {
	s.i++
	if s.eat('}') {
		return true
	}
	for {
		if s.peek() != '"' || !s.quoted() || !s.eat(':') || !s.skip(depth) {
			return false
		}
		if !s.eat(',') {
			return s.eat('}')
		}
	}
}

// peek skips white space and returns the byte after it, 0 at the end.
func (s *Scan) peek() byte {
	if s.i < len(s.b) && s.b[s.i] > ' ' { // nearly always
		return s.b[s.i]
	}
	return s.peekFar()
}

func (s *Scan) peekFar() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (s *Scan) eat(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.i++
	return true
}

func (s *Scan) key() ([]byte, bool) {
	if s.peek() != '"' {
		return nil, false
	}
	begin, end := s.i+1, s.i+1
	for end < len(s.b) && (kinds[s.b[end]] == inKey || s.Mixed && s.b[end] >= 'A' && s.b[end] <= 'Z') {
		end++
	}
	if end == len(s.b) || s.b[end] != '"' {
		return nil, false
	}
	s.i = end + 1
	return s.b[begin:end], true
}

// quoted reads a string.
func (s *Scan) quoted() bool {
	for i := s.i + 1; i < len(s.b); i++ {
		if kinds[s.b[i]] != special {
			continue
		}
		switch s.b[i] {
		case '"':
			s.i = i + 1
			return true
		case '\\':
			i++
			if i == len(s.b) || escapes[s.b[i]] == 0 {
				return false
			}
		default: // a control character
			return false
		}
	}
	return false
}

// kinds says of each byte whether it may stand in a key, or means something in a string.
var kinds = func() (k [256]uint8) {
	for c := range byte(' ') {
		k[c] = special
	}
	k['"'], k['\\'], k['_'] = special, special, inKey
	for c := byte('a'); c <= 'z'; c++ {
		k[c] = inKey
	}
	for c := byte('0'); c <= '9'; c++ {
		k[c] = inKey
	}
	return k
}()

const (
	inKey   = 1
	special = 2
)

func (s *Scan) number() bool {
	if s.b[s.i] == '-' {
		s.i++
	}
	whole := s.i
	if !s.digits() || s.b[whole] == '0' && s.i > whole+1 {
		return false
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if !s.digits() {
			return false
		}
	}
	if s.i < len(s.b) && s.b[s.i]|0x20 == 'e' {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		return s.digits()
	}
	return true
}

func (s *Scan) digits() bool {
	begin := s.i
	for s.i < len(s.b) && isDigit(s.b[s.i]) {
		s.i++
	}
	return s.i > begin
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// escapes maps what may follow a backslash here to what it stands for.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// Unquote is the text of a valid JSON string that holds no \u and no broken UTF-8; false for any other value.
func Unquote(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || !utf8.Valid(raw) {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return string(raw), true
	}
	out := make([]byte, 0, len(raw))
	for ; i >= 0; i = bytes.IndexByte(raw, '\\') {
		c := byte(0)
		if i+1 < len(raw) {
			c = escapes[raw[i+1]]
		}
		if c == 0 {
			return "", false
		}
		out = append(append(out, raw[:i]...), c)
		raw = raw[i+2:]
	}
	return string(append(out, raw...)), true
}

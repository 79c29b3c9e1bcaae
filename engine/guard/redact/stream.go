package redact

import (
	"strings"
	"unicode/utf8"
)

// Limits of a Stream, in bytes: of an unfinished word that is held back, and of what was told that a pattern may begin in.
const (
	mostHeld    = 8 << 10
	mostContext = 1 << 10
)

// Stream masks text that comes in pieces, cut anywhere: what it returns is whole words, so that a secret is never told in
// two halves. It is for one goroutine; the zero value is ready.
type Stream struct {
	before string // what was taken last, whole words, as it came: a pattern may begin in it
	held   string // an unfinished word
	inKey  bool   // in a block of private key material: nothing of it is told
}

// Add takes a further piece and returns what may be told.
func (t *Stream) Add(piece string) string { return t.take(piece, false) }

// Rest returns what was held back: no more comes.
func (t *Stream) Rest() string { return t.take("", true) }

func (t *Stream) take(piece string, end bool) string {
	all := t.held + piece
	if t.inKey {
		all = t.skipKey(all)
		if t.inKey {
			return ""
		}
	}
	cut := len(all)
	if !end {
		cut = wholeWords(all)
	}
	now := all[:cut]
	t.held = all[cut:]
	if now == "" {
		return ""
	}
	before, both := Text(t.before), Text(t.before+now)
	told, ok := strings.CutPrefix(both, before)
	if !ok { // what comes now goes on with a value of several words, of which the mask was told
		told = "…" + commonEnd(both, now)
	}
	t.before = tail(t.before+now, mostContext)
	if i := strings.LastIndex(now, "-----BEGIN "); i >= 0 {
		if m := pem().FindString(now[i:]); m != "" && !keyEnd(m) {
			t.inKey, t.before = true, ""
			t.held = m[strings.LastIndexByte(m, '\n')+1:] + t.held // its last line may have begun
		}
	}
	return told
}

// skipKey drops all up to the line that ends a block of key material.
func (t *Stream) skipKey(all string) string {
	i := strings.Index(all, "-----END ")
	if i >= 0 && strings.Contains(all[i+len("-----END "):], "-----") {
		t.inKey, t.held = false, ""
		return all[i:]
	}
	if i < 0 {
		i = max(0, len(all)-len("-----END "))
	}
	t.held = all[i:]
	return ""
}

// keyEnd reports whether a block of key material has its last line.
func keyEnd(block string) bool {
	i := strings.LastIndex(block, "-----END ")
	return i >= 0 && strings.Contains(block[i+len("-----END "):], "-----")
}

// wholeWords returns how much of s is not an unfinished word that may be, or hold, the beginning of a secret. A last line
// that begins a block of key material is one.
func wholeWords(s string) int {
	from := strings.LastIndexAny(s, " \t\n\r\f") + 1
	if i := strings.LastIndex(s, "-----BEGIN "); i >= 0 && strings.IndexByte(s[i:], '\n') < 0 {
		from = min(from, i)
	}
	if len(s)-from > mostHeld {
		return len(s)
	}
	for i := from; i < len(s); i++ {
		if nameByte(s[i]) || s[i] >= 0x80 {
			return from
		}
	}
	return len(s)
}

// commonEnd is the longest text with which both end, in whole characters.
func commonEnd(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(b[len(b)-n]) {
		n--
	}
	return b[len(b)-n:]
}

// tail is the end of s, at most n bytes, that begins with a word.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	return s[strings.IndexAny(s, " \t\n\r\f")+1:]
}

package prompt

import (
	"regexp"
	"strings"
	"unicode"
)

// Threat says what is wrong with a text that others wrote and the model is to read as instructions, in words that follow
// "it", or "". Strict is for what a model wants to keep for later sessions.
func Threat(text string, strict bool) string {
	if strict {
		for _, t := range strictThreats {
			if t.pattern().MatchString(text) {
				return t.why
			}
		}
	}
	return threat(text)
}

// threat says what is wrong with the text of an instruction file, in words that follow "it", or "".
func threat(text string) string {
	for _, t := range threats {
		if t.pattern().MatchString(text) {
			return t.why
		}
	}
	if hidden(text) {
		return "holds invisible characters"
	}
	return ""
}

// hidden reports whether text has characters that are not seen and change what is read. Joiners are right between
// emoji and inside the scripts that need them, and a byte order mark at the start.
func hidden(text string) bool {
	runes := []rune(strings.TrimPrefix(text, "\ufeff"))
	for i, r := range runes {
		switch {
		case r == '\u200c' || r == '\u200d':
			if i == 0 || i+1 == len(runes) || !joins(runes[i-1]) {
				return true
			}
		case r == '\u200b' || r >= '\u2060' && r <= '\u2064' || r == '\ufeff' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
			return true
		case r >= 0xE0000 && r <= 0xE007F: // tag characters spell out ASCII that nobody sees
			return true
		}
	}
	return false
}

// joins reports whether a joiner may follow r.
func joins(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk, unicode.Mn, unicode.Me) || r >= 0x1F000 ||
		unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada,
			unicode.Malayalam, unicode.Sinhala, unicode.Gujarati, unicode.Gurmukhi, unicode.Oriya, unicode.Mongolian, unicode.Khmer, unicode.Myanmar)
}

var (
	memoryBlock = regexp.MustCompile(`(?is)<\s*memory-context\b[^>]*>.*?<\s*/\s*memory-context\s*>`)
	memoryTag   = regexp.MustCompile(`(?is)<\s*/?\s*memory-context\b[^>]*>`)
)

// seen is s without the characters that are not seen and change what is read: text that a page hides in what is copied
// from it must not reach the model as the user's words. Joiners, and the tags of a flag, stay where they are right.
func seen(s string) string {
	runes, out := []rune(s), make([]rune, 0, len(s))
	flag := false
	for i, r := range runes {
		last := rune(0)
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		tag := r >= 0xE0000 && r <= 0xE007F
		flag = r == 0x1F3F4 || flag && tag
		switch {
		case r < ' ' && r != '\n' && r != '\t' && r != '\r', r >= 0x7f && r < 0xa0:
		case r == '\u200c' || r == '\u200d':
			if i+1 < len(runes) && joins(last) {
				out = append(out, r)
			}
		case r == '\u200b' || r >= '\u2060' && r <= '\u2064' || r == '\ufeff' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
		case tag && !flag:
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// SanitiseInput cleans what the user typed before it is stored or sent: bytes that are no UTF-8 (lone surrogates of a
// paste, for instance) become U+FFFD, characters that nobody sees go, and so do <memory-context> blocks, since such a
// block is trusted by the model as its own memory. A tag without its partner goes alone, so that no text is lost with it.
func SanitiseInput(s string) string {
	s = seen(strings.ToValidUTF8(s, "\uFFFD"))
	for range 4 { // taking one out may put another together
		clean := memoryTag.ReplaceAllString(memoryBlock.ReplaceAllString(s, ""), "")
		if clean == s {
			return s
		}
		s = clean
	}
	// Nested deeper than anybody does by accident: what is left is made text, which puts nothing together.
	return memoryTag.ReplaceAllStringFunc(s, func(tag string) string { return "&lt;" + tag[1:] })
}

package think

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names are the reasoning tags that models write between angle brackets, in lower case.
var names = []string{
	"think", "thinking", "reasoning", "thought", "reflection", "reasoning_scratchpad", "mm:think", "思考", "反思", "推理",
	"memory-context", // what was recalled for the model: some echo it, and it is no answer (BEHAVIOUR 7.4)
}

// marks are the tags of other shapes, matched byte for byte: "[think](url)" is a link, not Mistral's "[THINK]".
var marks = []mark{
	{"[THINK]", tag{"[THINK]", true}}, {"[/THINK]", tag{"[THINK]", false}},
	{"◁think▷", tag{"◁think▷", true}}, {"◁/think▷", tag{"◁think▷", false}},
}

type mark struct {
	text string
	tag  tag
}

// tag is one end of a reasoning block. A block is closed by the tag of the same name only.
type tag struct {
	name string
	open bool
}

// maxTag bounds how many bytes a tag with its attributes may have, and so how long text can wait for its ">".
const maxTag = 256

// verdict says whether a text begins with a tag.
type verdict uint8

const (
	no verdict = iota
	maybe
	yes
)

// starts reports whether a tag can begin with the byte c.
func starts(c byte) bool { return c == '<' || c == '[' || c == "◁"[0] }

// match says whether s, which may still grow, begins with a tag, and how long that tag is.
func match(s string) (t tag, size int, v verdict) {
	if s[0] == '<' {
		return matchAngle(s)
	}
	for _, m := range marks {
		if strings.HasPrefix(s, m.text) {
			return m.tag, len(m.text), yes
		}
		if strings.HasPrefix(m.text, s) {
			v = maybe
		}
	}
	return tag{}, 0, v
}

// matchAngle reads `<name>`, `</name>`, `< name key="value">`: case does not matter, blanks are allowed, all on one line.
func matchAngle(s string) (t tag, size int, v verdict) {
	rest := skipBlank(s[1:])
	after, closing := strings.CutPrefix(rest, "/")
	if closing {
		rest = skipBlank(after)
	}
	if rest == "" {
		return tag{}, 0, open(s)
	}
	word := rest[:wordLen(rest)]
	name := strings.ToLower(word)
	rest = rest[len(word):]
	if rest == "" {
		if begins(name) {
			return tag{}, 0, open(s)
		}
		return tag{}, 0, no
	}
	if !slices.Contains(names, name) {
		if begins(name) && !utf8.FullRuneInString(rest) {
			return tag{}, 0, open(s)
		}
		return tag{}, 0, no
	}
	n, v := matchTail(rest, closing)
	size = len(s) - len(rest) + n
	switch {
	case v == maybe:
		return tag{}, 0, open(s)
	case v == no || size > maxTag:
		return tag{}, 0, no
	}
	return tag{name, !closing}, size, yes
}

// open is the verdict on an unfinished s: it can only become a tag while it is short.
func open(s string) verdict {
	if len(s) >= maxTag {
		return no
	}
	return maybe
}

// begins reports whether a name starts with word; a cut rune at its end counts as what it may become.
func begins(word string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, word) })
}

// wordLen is the length of the name that s begins with.
func wordLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != ':' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n < 0 {
		return len(s)
	}
	return n
}

// matchTail reads what stands between a tag's name and its end: nothing, blanks, or on an opening tag key=value pairs.
func matchTail(s string, closing bool) (size int, v verdict) {
	for i := 0; ; {
		rest := skipBlank(s[i:])
		blank := len(s)-i > len(rest)
		i = len(s) - len(rest)
		switch {
		case rest == "":
			return 0, maybe
		case rest[0] == '>':
			return i + 1, yes
		case closing || !blank:
			return 0, no
		}
		n, v := matchPair(rest)
		if v != yes {
			return 0, v
		}
		i += n
	}
}

const keyChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-"

// matchPair reads one attribute. It must have a value: "< think about it >" is prose.
func matchPair(s string) (size int, v verdict) {
	rest := strings.TrimLeft(s, keyChars)
	if rest == s {
		return 0, no
	}
	if rest = skipBlank(rest); rest == "" {
		return 0, maybe
	}
	value, ok := strings.CutPrefix(rest, "=")
	if !ok {
		return 0, no
	}
	value = skipBlank(value)
	if value == "" {
		return 0, maybe
	}
	n, end := 0, " \t>"
	if value[0] == '"' || value[0] == '\'' {
		n, end = 1, value[:1]
	}
	i := strings.IndexAny(value[n:], end+"<\n")
	if i < 0 {
		return 0, maybe
	}
	if stop := value[n+i]; stop == '<' || stop == '\n' || (n == 0 && i == 0) {
		return 0, no
	}
	return len(s) - len(value) + n + i + n, yes
}

func skipBlank(s string) string { return strings.TrimLeft(s, " \t") }

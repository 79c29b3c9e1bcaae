package match

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a model does to a text on its way from the file into a call, beyond white space. A rewrite takes that back from old
// and new alike; what is left must then be found, at one single place.
const (
	howNumbers = "line_numbers: the line numbers of a listing were taken off"
	howEdges   = "trimmed_boundary: blank lines before or after the text were left out"
	howEscaped = "escape_normalised: escape sequences were taken for the characters they stand for"
)

type rewrite struct{ old, new, how string }

// rewritten returns the texts that old and new may have been meant as, the likeliest first.
func rewritten(old, new string) []rewrite {
	var out []rewrite
	add := func(o, n, how string, ok bool) {
		if ok && strings.TrimSpace(o) != "" {
			out = append(out, rewrite{o, n, how})
		}
	}
	o, n, numbered := withoutNumbers(old, new)
	add(o, n, howNumbers, numbered)
	if numbered {
		o, n, ok := withoutEdges(o, n)
		add(o, n, howNumbers+"; "+howEdges, ok)
	}
	o, n, ok := withoutEdges(old, new)
	add(o, n, howEdges, ok)
	o, n, ok = unescaped(old, new)
	add(o, n, howEscaped, ok)
	return out
}

var number = regexp.MustCompile(`^[ ]*(\d+)(\||→|\t|: ?)`)

// withoutNumbers takes line numbers off, when every line of old has one, each one more than that of the line before.
func withoutNumbers(old, new string) (string, string, bool) {
	lines := lineList(old)
	sign, last := "", 0
	for i, l := range lines {
		m := number.FindStringSubmatch(l)
		if m == nil {
			return "", "", false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || i > 0 && (n != last+1 || m[2] != sign) {
			return "", "", false
		}
		sign, last = m[2], n
		lines[i] = l[len(m[0]):]
	}
	if len(lines) == 1 && strings.HasPrefix(sign, ":") {
		return "", "", false // one line such as "1: a" may well be text
	}
	put := lineList(new)
	for i, l := range put {
		if m := number.FindStringSubmatch(l); m != nil && m[2] == sign {
			put[i] = l[len(m[0]):]
		}
	}
	return strings.Join(lines, ""), strings.Join(put, ""), true
}

// withoutEdges takes blank lines away from both ends of old, and as many from new, where it has them.
func withoutEdges(old, new string) (string, string, bool) {
	o, n := lineList(old), lineList(new)
	blank := func(l string) bool { return strings.TrimSpace(l) == "" }
	cut := false
	for len(o) > 0 && blank(o[0]) {
		o, cut = o[1:], true
		if len(n) > 0 && blank(n[0]) {
			n = n[1:]
		}
	}
	for len(o) > 0 && blank(o[len(o)-1]) {
		o, cut = o[:len(o)-1], true
		if len(n) > 0 && blank(n[len(n)-1]) {
			n = n[:len(n)-1]
		}
	}
	return strings.Join(o, ""), strings.Join(n, ""), cut && len(o) > 0
}

// unescaped takes escapes for what they stand for. A text of one line with \n in it was escaped as a whole: all of it is
// taken back. A text that has its line ends can only have its quotes escaped too much. Where it cannot be told whether a
// backslash is an escape or a backslash, nothing is taken back.
func unescaped(old, new string) (string, string, bool) {
	whole := !strings.Contains(strings.TrimSuffix(old, "\n"), "\n") && (strings.Contains(old, `\n`) || strings.Contains(old, `\t`))
	if whole {
		if strings.Contains(strings.TrimSuffix(new, "\n"), "\n") && strings.Contains(new, `\`) {
			return "", "", false // new has line ends of its own: what its backslashes mean is a guess
		}
		return unescape(old, true), unescape(new, true), true
	}
	if !overQuoted(old) || strings.Contains(old, `\\`) || strings.Contains(new, `\\`) {
		return "", "", false
	}
	return unescape(old, false), unescape(new, false), true
}

func overQuoted(s string) bool { return strings.Contains(s, `\"`) || strings.Contains(s, `\'`) }

// unescape decodes the escapes of quotes, and when whole those of JSON that text has.
func unescape(s string, whole bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		c := s[i+1]
		at := strings.IndexByte(`"'/\ntr`, c)
		switch {
		case at >= 0 && at < 2, at >= 2 && at < 4 && whole:
			b.WriteByte(c)
			i++
		case at >= 4 && whole:
			b.WriteByte("\n\t\r"[at-4])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// overescaped is the condition of ErrEscaped.
func overescaped(file []byte, old, new string) bool {
	if !overQuoted(new) || overQuoted(old) || overQuoted(string(file)) {
		return false
	}
	bare := unquotedEscapes.ReplaceAllString(new, "")
	return !slices.ContainsFunc([]string{`"`, "'", "`"}, func(q string) bool { return strings.Contains(bare, q) })
}

var unquotedEscapes = regexp.MustCompile(`\\["']`)

package redact

import "strings"

// token reports whether a token that begins with form, and has least more characters, may stand at an anchor.
func token(form string, least int) func(s string, from, to int) bool {
	return func(s string, from, to int) bool {
		return s[from:to] == form && (from == 0 || !nameByte(s[from-1])) && run(s, to, least, tokenByte)
	}
}

// hasPassword reports whether user:password@ follows.
func hasPassword(s string, _, to int) bool {
	user := strings.IndexAny(s[to:], " \t\n\f\r/:@\"'")
	if user < 0 || s[to+user] != ':' {
		return false
	}
	rest := s[to+user+1:]
	end := strings.IndexAny(rest, " \t\n\f\r/@\"'")
	return end > 0 && rest[end] == '@'
}

// inQuery reports whether the name that ends at from, or goes on there, begins after a ? or &.
func inQuery(s string, from int) bool {
	const longest = 32 // more than any name has
	for i := from - 1; i >= 0 && i > from-longest; i-- {
		if !nameByte(s[i]) {
			return s[i] == '?' || s[i] == '&'
		}
	}
	return false
}

// isVariable reports whether the name that goes on at to is given a value.
func isVariable(s string, to int) bool {
	const longest = 256 // of a name; what is longer is looked at
	for end := to + longest; to < len(s) && (upper(s[to]) || digit(s[to]) || s[to] == '_'); to++ {
		if to == end {
			return true
		}
	}
	at := afterSpace(s, to)
	return isByte(s, at, "=") && run(s, afterQuote(s, afterSpace(s, at+1)), 6, variableByte)
}

// secretField reports whether the name of a JSON field that goes on with end is a secret's.
func secretField(before, end string) bool {
	if end == "bearer" || strings.HasSuffix(before, `"`) {
		return true
	}
	before = strings.TrimSuffix(strings.TrimSuffix(before, "-"), "_")
	for _, name := range map[string][]string{"key": {"api", "private", "secret", "access"}, "token": {"access", "refresh", "auth", "id"}, "secret": {"client"}}[end] {
		if len(before) >= len(name) && strings.EqualFold(before[len(before)-len(name):], name) {
			return true
		}
	}
	return false
}

// fieldValue returns where the string ends that follows the name of a JSON field, 0 when none does.
func fieldValue(s string, at int) int {
	at = afterSpace(s, at)
	if !isByte(s, at, ":") {
		return 0
	}
	at = afterSpace(s, at+1)
	if !isByte(s, at, `"`) {
		return 0
	}
	for at++; at < len(s) && s[at] != '"'; at++ {
		if s[at] == '\\' {
			if at++; at == len(s) || s[at] == '\n' {
				return at - 1
			}
		}
	}
	return at
}

// run reports whether n bytes of a kind stand at s[at:].
func run(s string, at, n int, is func(byte) bool) bool {
	if len(s)-at < n {
		return false
	}
	for i := at; i < at+n; i++ {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

// isByte reports whether one of set stands at s[at].
func isByte(s string, at int, set string) bool {
	return at < len(s) && strings.IndexByte(set, s[at]) >= 0
}

func afterSpace(s string, at int) int {
	for at < len(s) && space(s[at]) {
		at++
	}
	return at
}

func afterQuote(s string, at int) int {
	if isByte(s, at, `"'`) {
		return at + 1
	}
	return at
}

func wordBefore(s string, at int) bool { return at > 0 && nameByte(s[at-1]) && s[at-1] != '-' }

func space(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' || b == '\f' }
func digit(b byte) bool { return '0' <= b && b <= '9' }
func upper(b byte) bool { return 'A' <= b && b <= 'Z' }

func nameByte(b byte) bool     { return digit(b) || upper(b&^0x20) || b == '_' || b == '-' }
func tokenByte(b byte) bool    { return nameByte(b) || b == '.' || b == '=' }
func bearerByte(b byte) bool   { return tokenByte(b) || b == '~' || b == '+' || b == '/' }
func headerByte(b byte) bool   { return !space(b) && b != '"' && b != '\'' && b != ',' }
func queryByte(b byte) bool    { return !space(b) && strings.IndexByte(`&#"'<>`, b) < 0 }
func variableByte(b byte) bool { return !space(b) && strings.IndexByte(`"'$;&|)`, b) < 0 }
func settingByte(b byte) bool  { return !space(b) && strings.IndexByte(`"',;$(){}[]`, b) < 0 }

// Package redact keeps secrets from travelling: Text and Code mask them in what models and people read, Env takes them out
// of the environment of processes, and Masked finds a mask that would be written over the secret it stands for.
//
// Signatures and opaque state of providers must not pass through it.
package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Text masks what looks like a key, a password or a token in s, by form and by context. Text without one comes back
// as it was, and so does what is masked already. It is for what people and models read; signatures and opaque state of
// providers must not pass through it.
func Text(s string) string { return mask(s, true) }

// Code is Text for source code: a name such as PASSWORD before a = is not enough.
func Code(s string) string { return mask(s, false) }

// mask lets the patterns look only where an anchor says that one may match: they are slow, and most text has no secret.
func mask(s string, names bool) string {
	s = pem().ReplaceAllString(s, "${1}\n***\n${2}")
	all := windows(s, names)
	if len(all) == 0 {
		return s
	}
	var b strings.Builder
	done := 0
	for _, w := range all {
		b.WriteString(s[done:w[0]])
		b.WriteString(apply(s[w[0]:w[1]], names, kinds(s[w[0]:w[1]])))
		done = w[1]
	}
	b.WriteString(s[done:])
	return b.String()
}

// apply masks the matches of the patterns in set, in their order. A mask is never the anchor of another pattern.
func apply(s string, names bool, set int) string {
	for kind, p := range patterns() {
		if set&(1<<kind) != 0 && (names || kind < kindVariable) {
			s = maskSpan(s, p.re, p.group)
		}
	}
	return s
}

// maskSpan masks group n of every match of re.
func maskSpan(s string, re *regexp.Regexp, n int) string {
	var b strings.Builder
	done := 0
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2*n], m[2*n+1]
		if from < 0 {
			continue
		}
		b.WriteString(s[done:from])
		b.WriteString(Mask(s[from:to]))
		done = to
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// Mask returns what may be shown of a secret: nothing of less than 18 characters, else the first 6 and the last 4. The
// sign between them is in no key, so that a mask is never taken for one.
func Mask(secret string) string {
	if strings.Contains(secret, "…") || strings.Trim(secret, "*") == "" {
		return secret
	}
	if utf8.RuneCountInString(secret) < 18 {
		return "***"
	}
	r := []rune(secret)
	return string(r[:6]) + "…" + string(r[len(r)-4:])
}

// Package args makes the arguments of a call fit for its tool: text that is nearly JSON becomes JSON, values get the
// types of the schema. It removes and escapes characters and never adds a quote, a brace or a bracket: text that lacks
// one was cut off, and is refused.
package args

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Mend returns the arguments of a call as a valid JSON object. It removes (code fences, trailing commas, surplus
// closers, a string around the object) and escapes (control characters in strings), and adds nothing: text that lacks a
// quote or a closer was cut off, and running it would do something else than the model meant (law 12). Only blank text
// and null are an empty object. The error continues "the arguments of NAME ...".
func Mend(raw string) (string, error) {
	s := strings.TrimSpace(strings.ToValidUTF8(raw, "\uFFFD"))
	if s == "" || s == "null" {
		return "{}", nil
	}
	if inner, ok := unfence(s); ok {
		s = inner
	}
	mended, err := mend(s)
	if err != nil {
		return "", err
	}
	if mended == "{}" && !json.Valid([]byte(raw)) { // nothing is left of what was meant
		return "", errors.New("are not valid JSON. The call was not executed; send it again with valid JSON")
	}
	if mended[0] == '"' { // an object that was encoded twice
		var inner string
		if json.Unmarshal([]byte(mended), &inner) == nil && strings.HasPrefix(strings.TrimSpace(inner), "{") {
			return mend(strings.TrimSpace(inner))
		}
	}
	if mended[0] != '{' {
		return "", fmt.Errorf("must be a JSON object, not %s. The call was not executed; send it again with a JSON object", kindOf(mended))
	}
	return mended, nil
}

// unfence takes the ``` lines away that stand around s.
func unfence(s string) (string, bool) {
	if !strings.HasPrefix(s, "```") {
		return "", false
	}
	_, inner, ok := strings.Cut(s, "\n")
	if !ok {
		return "", false
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```")), true
}

// mend is the scanner behind Mend. Valid text comes back as it is, but for halves of surrogate pairs.
func mend(s string) (string, error) {
	m := mender{in: s}
	if err := m.run(); err != nil {
		return "", err
	}
	out := strings.TrimSpace(m.out.String())
	var v json.RawMessage
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		at := int64(0)
		if syn := (*json.SyntaxError)(nil); errors.As(err, &syn) {
			at = syn.Offset
		}
		return "", fmt.Errorf("are not valid JSON at byte %d: %v. The call was not executed; send it again with valid JSON", at, err)
	}
	return out, nil
}

// mender copies JSON from in to out and leaves out what is one too many.
type mender struct {
	in   string
	i    int
	out  bytes.Buffer
	open []byte // the closers that are still to come
}

func (m *mender) run() error {
	for m.i < len(m.in) {
		switch b := m.in[m.i]; b {
		case '"':
			if err := m.str(); err != nil {
				return err
			}
			continue
		case '{':
			m.open = append(m.open, '}')
		case '[':
			m.open = append(m.open, ']')
		case '}', ']':
			if !m.closes(b) {
				m.i++
				continue
			}
		case ',':
			if m.trailing() {
				m.i++
				continue
			}
		}
		m.out.WriteByte(m.in[m.i])
		m.i++
	}
	if len(m.open) > 0 {
		return cutOff("before the last %q", len(m.in), string(m.open[len(m.open)-1]))
	}
	return nil
}

// closes reports whether the closer b is wanted here. One that does not fit is kept, for the parser to complain about:
// leaving it out would close something else with it.
func (m *mender) closes(b byte) bool {
	if len(m.open) == 0 {
		return false
	}
	if top := len(m.open) - 1; m.open[top] == b {
		m.open = m.open[:top]
	}
	return true
}

// trailing reports whether the comma at i stands before a closer, or after everything was closed.
func (m *mender) trailing() bool {
	rest := strings.TrimLeft(m.in[m.i+1:], " \t\r\n")
	return rest != "" && (rest[0] == '}' || rest[0] == ']') || rest == "" && len(m.open) == 0
}

// str copies a string, its control characters escaped and halves of surrogate pairs replaced.
func (m *mender) str() error {
	start := m.i
	m.out.WriteByte('"')
	for m.i++; m.i < len(m.in); {
		b := m.in[m.i]
		switch {
		case b == '"':
			m.out.WriteByte(b)
			m.i++
			return nil
		case b == '\\':
			m.escape()
			continue
		case b < ' ':
			m.out.WriteString(escaped(b))
		default:
			m.out.WriteByte(b)
		}
		m.i++
	}
	return cutOff("inside the string that begins at byte %d", len(m.in), start)
}

// escape copies a backslash and what belongs to it.
func (m *mender) escape() {
	if r, ok := m.hex(m.i); ok && utf16.IsSurrogate(r) {
		if low, ok := m.hex(m.i + 6); ok && utf16.DecodeRune(r, low) != '\uFFFD' {
			m.out.WriteString(m.in[m.i : m.i+12])
			m.i += 12
			return
		}
		m.out.WriteString(`\ufffd`) // half a character: no strict server takes it (H13)
		m.i += 6
		return
	}
	end := min(m.i+2, len(m.in))
	if m.in[end-1] < ' ' {
		end-- // a backslash before a raw line end: the line end is escaped next, and the parser judges
	}
	m.out.WriteString(m.in[m.i:end])
	m.i = end
}

// hex reads \uXXXX at i.
func (m *mender) hex(i int) (rune, bool) {
	if i+6 > len(m.in) || m.in[i:i+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(m.in[i+2:i+6], 16, 32)
	return rune(n), err == nil
}

func escaped(b byte) string {
	switch b {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, b)
}

func cutOff(where string, at int, arg any) error {
	return fmt.Errorf("were cut off at byte %d, "+where+". The call was not executed. Send it again, whole; "+
		"if the text is long, split the work into several smaller calls", at, arg)
}

func kindOf(valid string) string {
	switch valid[0] {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

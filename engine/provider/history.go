package provider

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"talaria/engine"
)

// What stands in for a text that servers refuse when it is empty.
const (
	EmptyUser   = "(empty message)"
	EmptyResult = "(no output)"
)

// ResultText is what the model reads of a tool's result.
func ResultText(text string) string {
	if strings.TrimSpace(text) == "" {
		return EmptyResult
	}
	return text
}

// Failed reports whether a call ended otherwise than it should.
func Failed(s engine.Status) bool {
	switch s {
	case engine.StatusFailed, engine.StatusRefused, engine.StatusDenied, engine.StatusStopped, engine.StatusTimeout:
		return true
	case engine.StatusDone:
	}
	return false
}

// ValidArgs returns the arguments of a call in a history. Broken ones become {}: many servers parse what comes back and
// refuse the whole history, and the result says what was wrong.
func ValidArgs(args string) string {
	if !json.Valid([]byte(args)) {
		return "{}"
	}
	return args
}

// Word is s with everything but letters, digits, _ and - made _: what ids and names of calls may hold.
func Word(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// DataURL is a picture as an address that holds it.
func DataURL(p engine.Image) string {
	return "data:" + p.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

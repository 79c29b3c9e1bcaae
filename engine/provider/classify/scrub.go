package classify

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// scrubber makes text fit to show: no key, one line, no control characters, at most 500 characters (BEHAVIOUR 9.1).
type scrubber struct {
	secrets []string // every spelling, longest first
}

const maxMessage = 500

// keyShapes are keys that are not ours to know: a server may echo another one than it was sent.
var keyShapes = regexp.MustCompile(`\b(?:sk|pk|rk|gsk|xai|pplx|hf|nvapi|r8|tgp|csk|fw|ghp|gho|github_pat|glpat|AKIA|ASIA)[-_]?[A-Za-z0-9_\-]{16,}` +
	`|\bAIza[0-9A-Za-z_\-]{16,}|(?i:\bbearer\s+)[A-Za-z0-9._~+/=\-]{8,}|(?i:[?&](?:api[_-]?)?key=)[^&\s"']+`)

func newScrubber(secrets []string) scrubber {
	var s scrubber
	for _, one := range secrets {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		s.secrets = append(s.secrets, one, url.QueryEscape(one), url.PathEscape(one))
		if b, err := json.Marshal(one); err == nil {
			s.secrets = append(s.secrets, strings.Trim(string(b), `"`))
		}
	}
	slices.SortFunc(s.secrets, func(a, b string) int { return len(b) - len(a) })
	s.secrets = slices.Compact(s.secrets)
	return s
}

const mask = "[key]"

func (s scrubber) clean(text string) string {
	for _, one := range s.secrets {
		if len(one) >= 8 {
			text = strings.ReplaceAll(text, one, mask)
		} else { // "ollama" and the like: only as a word of its own
			text = regexp.MustCompile(`(^|[^\pL\pN_])`+regexp.QuoteMeta(one)+`($|[^\pL\pN_])`).ReplaceAllString(text, "${1}"+mask+"${2}")
		}
	}
	text = keyShapes.ReplaceAllString(text, mask)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxMessage {
		text = string(r[:maxMessage-1]) + "…"
	}
	return text
}

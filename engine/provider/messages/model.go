package messages

import (
	"regexp"
	"strconv"
	"strings"

	"talaria/engine"
	"talaria/engine/provider"
)

// newest is the version of a name that tells none ("claude-sonnet-latest").
const newest = 9999

var (
	versionNumber = regexp.MustCompile(`(?:^|[-_ ])(\d{1,2})(?:[-.](\d{1,2}))?(?:$|[-_@:. ])`)
	dated         = regexp.MustCompile(`[-@]\d{8}(-v\d+(:\d+)?)?$`)
)

// modelOf returns the row for a model, with or without a maker before a slash. What is no Claude has the last row.
func modelOf(name string) model {
	family, v := familyOf(name)
	for _, row := range modelRows {
		if (row.family == family || row.family == "claude" && family != "") && v >= row.from {
			return row.model
		}
	}
	return unknownModel
}

// familyOf takes a name apart: "claude-opus-4-6" and "claude-3-7-sonnet-20250219" give opus 406 and sonnet 307.
func familyOf(name string) (family string, v int) {
	_, rest, ok := strings.Cut(strings.ToLower(name), "claude")
	if !ok {
		return "", 0
	}
	family = "claude"
	for _, f := range []string{"opus", "sonnet", "haiku"} {
		if strings.Contains(rest, f) {
			family = f
		}
	}
	m := versionNumber.FindStringSubmatch(rest)
	if m == nil {
		return family, newest
	}
	major, _ := strconv.Atoi(m[1]) // digits by the pattern; no second number is 0
	minor, _ := strconv.Atoi(m[2])
	return family, 100*major + minor
}

// sameModel reports whether the model that spoke is the one that is asked: an alias is answered under its dated name.
func sameModel(spoke, asked string) bool {
	a, b := plainName(spoke), plainName(asked)
	if a == b || dated.MatchString(a) && dated.MatchString(b) {
		return a == b && a != ""
	}
	return undated(a) == undated(b)
}

// plainName is a name without its maker, in one spelling.
func plainName(name string) string {
	return strings.ReplaceAll(provider.BareModel(name), ".", "-")
}

func undated(name string) string {
	return strings.TrimSuffix(dated.ReplaceAllString(name, ""), "-latest")
}

// think is what a request says about thinking.
type think struct {
	Type    string `json:"type"` // adaptive or enabled
	Budget  int    `json:"budget_tokens,omitempty"`
	Display string `json:"display,omitempty"`
}

type outputConfig struct {
	Effort string `json:"effort"`
}

// room is what must be left of the output for the answer beside a thinking budget (BEHAVIOUR 3.3).
const room = 4096

// leastBudget is the smallest thinking budget that is not refused (platform.claude.com, extended thinking).
const leastBudget = 1024

// reasoning sets how the model thinks, and the output cap. Temperature is never sent: thinking forbids it, and newer
// models always do. manual says whether the history allows a thinking budget.
func (m model) reasoning(out *request, r engine.Request, manual bool) {
	out.MaxTokens = r.MaxTokens
	if out.MaxTokens == 0 {
		out.MaxTokens = m.limit
	}
	effort := strings.ToLower(r.Route.Effort)
	if effort == "off" || effort == "none" {
		return
	}
	if m.thinks == adaptive {
		out.Thinking = &think{Type: "adaptive", Display: "summarized"} // some models show nothing unless asked to
		if e := m.effort(effort); e != "" {
			out.Output = &outputConfig{e}
		}
		return
	}
	budget := budgets[effort]
	if m.thinks != budgeted || budget == 0 || !manual {
		return
	}
	budget = min(budget, m.limit-room)
	if r.HardCap && r.MaxTokens < budget+room {
		if budget = r.MaxTokens - room; budget < leastBudget {
			return
		}
	}
	out.MaxTokens = max(out.MaxTokens, budget+room)
	out.Thinking = &think{Type: "enabled", Budget: budget}
}

// effort is the server's word for an effort, "" to leave it to the model.
func (m model) effort(word string) string {
	switch word {
	case "minimal":
		return "low"
	case "xhigh":
		if !m.xhigh {
			return "max"
		}
		return word
	case "low", "medium", "high", "max":
		return word
	}
	return ""
}

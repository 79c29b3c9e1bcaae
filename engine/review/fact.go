package review

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"unicode/utf8"

	"talaria/engine"
)

//go:embed save.md
var savePrompt string

//go:embed known.md
var knownPrompt string

// Bounds of what is saved before a history is summarised: facts, and characters of one. Tokens leave room for reasoning.
const (
	mostFacts   = 5
	longestFact = 300
	saveTokens  = 2000
)

// Fact is a line to remember; User says that it is about the user, not about the work.
type Fact struct {
	User bool
	Text string
}

// Facts asks a model what of a transcript should be remembered. Known are the entries that stand there already.
func Facts(ctx context.Context, ask engine.Aux, transcript string, known []string) ([]Fact, error) {
	list := "(nothing)"
	if len(known) > 0 {
		list = "- " + strings.Join(known, "\n- ")
	}
	prompt := strings.NewReplacer("{known}", list, "{transcript}", between(transcript)).Replace(knownPrompt)
	m, err := ask(ctx, engine.Request{System: strings.TrimSpace(savePrompt), MaxTokens: saveTokens,
		Messages: []engine.Message{{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: prompt}}}}})
	if err != nil {
		return nil, fmt.Errorf("look for what should be remembered: %w", err)
	}
	return parse(m.Text()), nil
}

// between is the transcript in a question for a summary, which has it between two lines of equals signs; all of it
// where there are none.
func between(text string) string {
	const line = "\n==========\n"
	from, to := strings.Index(text, line), strings.LastIndex(text, line)
	if from < 0 || to <= from {
		return text
	}
	return text[from+len(line) : to]
}

// parse takes the lines that are what was asked for, and nothing that a model says around them.
func parse(text string) []Fact {
	var facts []Fact
	for line := range strings.Lines(text) {
		kind, fact, ok := strings.Cut(strings.TrimSpace(line), ": ")
		fact = strings.Join(strings.Fields(fact), " ")
		if !ok || kind != "memory" && kind != "user" || fact == "" || !utf8.ValidString(fact) || utf8.RuneCountInString(fact) > longestFact {
			continue
		}
		if facts = append(facts, Fact{User: kind == "user", Text: fact}); len(facts) == mostFacts {
			break
		}
	}
	return facts
}

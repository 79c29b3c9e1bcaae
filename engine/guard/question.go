package guard

import (
	"context"
	"fmt"
	"strings"

	"talaria/engine"
)

// noConsent ends the reason of a denial, so that the model does not look for another way to the same end.
const noConsent = "Do not retry it or work round it; ask or do something else."

// ask puts the question of d to the user and turns the answer into a verdict.
func (g *Guard) ask(ctx context.Context, c engine.Call, d decision) (engine.Verdict, error) {
	q := *d.question
	if g.o.Ask == nil {
		return engine.Verdict{Decision: engine.NeedsApproval,
			Reason: fmt.Sprintf("approval is needed and nobody can be asked: %s", q.Why)}, nil
	}
	q.ID, q.Kind, q.CallID = engine.NewID("ask_"), engine.Approval, c.ID
	if q.Danger != "" {
		d.rules = nil // what is dangerous is looked at each time
	}
	q.Rule = describe(d.rules)
	q.Choices = choices(q, d.rules)
	a, err := g.o.Ask(ctx, q)
	if err != nil {
		return engine.Verdict{Decision: engine.Deny, Reason: "the question was not answered. " + noConsent}, fmt.Errorf("ask about %s: %w", c.Name, err)
	}
	switch {
	case a.Choice == engine.ChoiceOnce:
		return engine.Verdict{}, nil
	case a.Choice == engine.ChoiceSession && len(d.rules) > 0:
		g.mu.Lock()
		defer g.mu.Unlock()
		g.session = append(g.session, d.rules...)
		return engine.Verdict{}, nil
	}
	reason := "the user did not consent to this. " + noConsent
	if text := strings.TrimSpace(a.Text); text != "" {
		reason = fmt.Sprintf("the user denied this: %s. %s", strings.TrimRight(text, ". "), noConsent)
	}
	return engine.Verdict{Decision: engine.Deny, Reason: reason}, nil
}

func choices(q engine.Question, rules []rule) []engine.Choice {
	all := []engine.Choice{{Value: engine.ChoiceOnce, Label: "Allow once"}}
	if len(rules) > 0 {
		all = append(all, engine.Choice{Value: engine.ChoiceSession, Label: "Allow " + each(rules, rule.label, " and ") + " for this session"})
	}
	return append(all, engine.Choice{Value: engine.ChoiceDeny, Label: "Deny and tell the agent why", Recommended: q.Danger != ""})
}

// describe is how rules stand in a question and in the configuration.
func describe(rules []rule) string { return each(rules, rule.String, "; ") }

func each(rules []rule, say func(rule) string, joint string) string {
	var all []string
	for _, r := range rules {
		all = append(all, say(r))
	}
	return strings.Join(all, joint)
}

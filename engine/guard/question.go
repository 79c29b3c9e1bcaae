package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/guard/rule"
)

// noConsent ends the reason of a denial, so that the model does not look for another way to the same end.
const noConsent = "Do not retry it or work round it; ask or do something else."

// ask puts the question of d to the user and turns the answer into a verdict.
func (g *Guard) ask(ctx context.Context, c engine.Call, s engine.Spec, d decision, ruling engine.Ruling) (engine.Verdict, error) {
	q := *d.question
	ruling.Asked = g.o.Ask != nil
	finish := func(v engine.Verdict, choice string) (engine.Verdict, error) {
		ruling.Verdict, ruling.Choice = verdictWord(v), choice
		g.k.note(ruling)
		return v, nil
	}
	if g.o.Ask == nil {
		return finish(engine.Verdict{Decision: engine.NeedsApproval, Reason: q.Why}, "")
	}
	rungs := [][]rule.Rule(nil)
	if q.Danger == "" { // what is dangerous is looked at each time
		rungs, q.At = rungsOf(d.items)
	}
	for _, r := range rungs {
		q.Rungs = append(q.Rungs, engine.Rung{Rule: each(r, rule.Rule.String, "; "), Label: each(r, rule.Rule.Label, " and ")})
	}
	if len(rungs) > 0 {
		q.Rule = q.Rungs[q.At].Rule
	}
	q.ID, q.Kind, q.CallID, q.Timeout = engine.NewID("ask_"), engine.Approval, c.ID, int(g.o.Timeout/time.Second)
	q.Choices = g.choices(q)
	a, err := g.wait(ctx, q)
	switch {
	case errors.Is(err, errNobody):
		return finish(engine.Verdict{Decision: engine.Deny, Reason: fmt.Sprintf("the user did not answer within %s, which is no consent. %s", g.o.Timeout, noConsent)}, "timeout")
	case err != nil:
		v, _ := finish(engine.Verdict{Decision: engine.Deny, Reason: "the question was not answered. " + noConsent}, "")
		return v, fmt.Errorf("ask about %s: %w", c.Name, err)
	case a.Choice == engine.ChoiceOnce:
		return finish(engine.Verdict{}, a.Choice)
	case a.Choice == engine.ChoiceEdit && q.Draft != "" && a.Text != "":
		return g.edited(ctx, c, s, a.Text, ruling)
	}
	if at := chosen(q, a); at >= 0 {
		if err := g.k.grant(rungs[at], ruling.Action, a.Choice == engine.ChoiceAlways); err != nil && g.o.Warn != nil {
			g.o.Warn(fmt.Sprintf("The rule %s holds for this session only: %v", q.Rungs[at].Rule, err))
		}
		ruling.By += " → now the rule " + q.Rungs[at].Rule
		return finish(engine.Verdict{}, a.Choice)
	}
	reason := "the user did not consent to this. " + noConsent
	if text := strings.TrimSpace(a.Text); text != "" && a.Choice == engine.ChoiceDeny {
		reason = fmt.Sprintf("the user denied this: %s. %s", strings.TrimRight(text, ". "), noConsent)
	}
	return finish(engine.Verdict{Decision: engine.Deny, Reason: reason}, engine.ChoiceDeny)
}

var errNobody = errors.New("nobody answered")

// wait asks, for as long as the settings let a question wait.
func (g *Guard) wait(ctx context.Context, q engine.Question) (engine.Answer, error) {
	if g.o.Timeout <= 0 {
		return g.o.Ask(ctx, q)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, g.o.Timeout, errNobody)
	defer cancel()
	a, err := g.o.Ask(ctx, q)
	if err != nil && errors.Is(context.Cause(ctx), errNobody) {
		err = errNobody
	}
	return a, err
}

// chosen is the rung that an answer allows for longer, -1 when it is no such answer or no rung of q.
func chosen(q engine.Question, a engine.Answer) int {
	if a.Choice != engine.ChoiceSession && a.Choice != engine.ChoiceAlways || len(q.Rungs) == 0 {
		return -1
	}
	if a.Rule == "" {
		return q.At
	}
	return slices.IndexFunc(q.Rungs, func(r engine.Rung) bool { return r.Rule == a.Rule })
}

// rungsOf joins the ladders of several things into one: each rung has a rule for each of them.
func rungsOf(items []rule.Ladder) (rungs [][]rule.Rule, at int) {
	if len(items) == 0 {
		return nil, 0
	}
	below, above := 0, 0
	for _, l := range items {
		below, above = max(below, l.At), max(above, len(l.Rules)-1-l.At)
	}
	for by := -below; by <= above; by++ {
		var rung []rule.Rule
		for _, l := range items {
			if r := l.Rung(by); !slices.ContainsFunc(rung, r.Same) {
				rung = append(rung, r)
			}
		}
		if n := len(rungs); n == 0 || !slices.EqualFunc(rungs[n-1], rung, rule.Rule.Same) {
			rungs = append(rungs, rung)
		}
		if by == 0 {
			at = len(rungs) - 1
		}
	}
	return rungs, at
}

func (g *Guard) choices(q engine.Question) []engine.Choice {
	all := []engine.Choice{{Value: engine.ChoiceOnce, Label: "Allow once"}}
	if len(q.Rungs) > 0 {
		label := q.Rungs[q.At].Label
		all = append(all, engine.Choice{Value: engine.ChoiceSession, Label: "Allow " + label + " for this session"})
		if g.k.fleeting {
			all = append(all, engine.Choice{Value: engine.ChoiceAlways, Label: "Allow " + label + " until the program ends (nothing is kept)"})
		} else if g.k.book != nil {
			if !strings.Contains(label, "the project") { // it says where already
				label += " in this project"
			}
			all = append(all, engine.Choice{Value: engine.ChoiceAlways, Label: "Always allow " + label})
		}
	}
	if q.Draft != "" {
		all = append(all, engine.Choice{Value: engine.ChoiceEdit, Label: map[bool]string{true: "Edit the change first", false: "Edit the command first"}[q.Diff != ""]})
	}
	return append(all, engine.Choice{Value: engine.ChoiceDeny, Label: "Deny and tell the agent why", Recommended: q.Danger != ""})
}

func each(rules []rule.Rule, say func(rule.Rule) string, joint string) string {
	var all []string
	for _, r := range rules {
		all = append(all, say(r))
	}
	return strings.Join(all, joint)
}

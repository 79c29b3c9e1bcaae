package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"talaria/engine"
)

//go:embed clarify.md
var clarifyDoc string

type clarifyIn struct {
	Question string       `json:"question"`
	Choices  []choiceItem `json:"choices,omitempty"`
	Multi    bool         `json:"multi,omitempty"`
}

type choiceItem struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

// maxChoices is how many answers are offered (BEHAVIOUR 8.18); the screen adds one in the user's own words.
const maxChoices = 4

// UnmarshalJSON takes a bare string too: many models send the label alone.
func (i *choiceItem) UnmarshalJSON(b []byte) error {
	var label string
	if json.Unmarshal(b, &label) == nil {
		*i = choiceItem{Label: label}
		return nil
	}
	type plain choiceItem // without this method
	return json.Unmarshal(b, (*plain)(i))
}

// nobody is what the model is told when there is no answer.
const nobody = "Use your best judgement, and say in your answer what you assumed."

// ClarifyTool returns the clarify tool, which asks through ask; with a nil ask there is nobody to answer.
func ClarifyTool(ask engine.Ask) engine.Tool {
	spec := engine.Spec{Name: "clarify", Doc: clarifyDoc, Effect: engine.Asks, Toolset: "agent"}
	return engine.NewTool(spec, func(ctx context.Context, c engine.Call, in clarifyIn, _ engine.Output) (engine.Result, error) {
		if strings.TrimSpace(in.Question) == "" {
			return engine.Badly(c, "question is empty"), nil
		}
		if ask == nil {
			return engine.Failed(c, "There is nobody to ask. %s", nobody), nil
		}
		q := questionOf(c, in)
		a, err := ask(ctx, q)
		if ctx.Err() != nil {
			return engine.Result{}, ctx.Err()
		}
		if err != nil {
			return engine.Failed(c, "The question could not be asked: %v. %s", err, nobody), nil
		}
		return answered(c, q, a), nil
	}, nil)
}

func questionOf(c engine.Call, in clarifyIn) engine.Question {
	q := engine.Question{ID: engine.NewID("q_"), Kind: engine.Clarify, Title: strings.TrimSpace(in.Question), CallID: c.ID, Multi: in.Multi}
	recommended := false
	for _, i := range in.Choices {
		label := strings.TrimSpace(i.Label)
		if label == "" || len(q.Choices) == maxChoices {
			continue
		}
		q.Choices = append(q.Choices, engine.Choice{
			Value: strconv.Itoa(len(q.Choices) + 1), // labels can be alike, or have a comma
			Label: label, Description: strings.TrimSpace(i.Description),
			Recommended: i.Recommended && !recommended,
		})
		recommended = recommended || i.Recommended
	}
	return q
}

// answered writes the answer for the model, with the labels that were chosen.
func answered(c engine.Call, q engine.Question, a engine.Answer) engine.Result {
	var chosen []string
	for value := range strings.SplitSeq(a.Choice, ",") {
		for _, choice := range q.Choices {
			if choice.Value == strings.TrimSpace(value) || choice.Label == a.Choice {
				chosen = append(chosen, choice.Label)
				break
			}
		}
	}
	text, own := strings.Join(chosen, "; "), strings.TrimSpace(a.Text)
	switch {
	case text == "" && own == "":
		r := engine.Succeeded(c, "The user gave no answer. "+nobody)
		r.Note = "no answer"
		return r
	case text == "":
		text = own
	case own != "":
		text += "\nThe user adds: " + own
	}
	r := engine.Succeeded(c, "The user answered: "+text)
	r.Note = oneLine(text, 60)
	return r
}

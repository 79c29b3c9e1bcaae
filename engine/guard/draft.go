package guard

import (
	"context"
	"encoding/json"

	"talaria/engine"
)

// maxDraft is the longest text, in bytes, that "edit first" opens: it travels in the question.
const maxDraft = 256 << 10

// drafts are the arguments that "edit first" edits, by preference: the command, or the text that a file tool writes.
var drafts = []string{"command", "content", "new_string", "patch"}

// draft is the text of a call that the user may change before it runs, "" when there is none.
func draft(c engine.Call) string {
	_, text := draftOf(c)
	return text
}

func draftOf(c engine.Call) (name, text string) {
	var in map[string]any
	if json.Unmarshal([]byte(c.Args), &in) != nil {
		return "", ""
	}
	for _, name := range drafts {
		if text, _ := in[name].(string); text != "" && len(text) <= maxDraft {
			return name, text
		}
	}
	return "", ""
}

// redraft returns c with the text that the user made of it.
func redraft(c engine.Call, text string) (engine.Call, error) {
	name, _ := draftOf(c)
	var in map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
		return c, err
	}
	value, err := engine.Marshal(text)
	if err != nil {
		return c, err
	}
	in[name] = value
	args, err := engine.Marshal(in)
	c.Args = string(args)
	return c, err
}

// edited decides about a call that the user changed. What the user typed is what the user wants, so a command runs
// unless the hard line or a rule of the settings forbids it, or it is in the danger table: then it is asked, as is a
// changed edit, whose diff is new.
func (g *Guard) edited(ctx context.Context, c engine.Call, s engine.Spec, text string, ruling engine.Ruling) (engine.Verdict, error) {
	changed, err := redraft(c, text)
	if err != nil {
		return engine.Verdict{Decision: engine.Deny, Reason: "the change of the user could not be taken over: " + err.Error()}, nil
	}
	d := g.decide(changed, s, g.mode())
	ruling.Action, ruling.By, ruling.Asked, ruling.Choice = d.action, d.by, true, engine.ChoiceEdit
	v := d.verdict
	if q := d.question; q != nil && (q.Danger != "" || q.Diff != "" || s.Effect != engine.Executes) {
		if v, err = g.ask(ctx, changed, s, d, ruling); err != nil {
			return v, err
		}
	} else {
		ruling.Verdict = verdictWord(v)
		g.k.note(ruling)
	}
	if v.Decision == engine.Pass {
		if v.Call == nil {
			v.Call = &changed
		}
		v.Reason = "The user changed this call before it ran."
		if name, now := draftOf(*v.Call); name == "command" {
			v.Reason = "The user changed this command before it ran. What ran is: " + now
		}
	}
	return v, nil
}

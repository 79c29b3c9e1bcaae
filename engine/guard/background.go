package guard

import (
	"encoding/json"
	"strings"

	"talaria/engine"
	"talaria/engine/guard/rule"
)

// background decides about the tool process. To look at what the agent started itself, and to end it, is free. What is
// written to a process may be read by a shell: it is judged as a command, and no rule allows it.
func (g *Guard) background(c engine.Call, s engine.Spec, mode string) decision {
	var in struct{ Action, ID, Data string }
	if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
		return g.unknown(c, s, mode, "its arguments cannot be read")
	}
	if d := g.named(rule.Use, s.Name); d != nil && d.verdict.Decision == engine.Deny {
		return *d
	}
	switch in.Action {
	case "list", "poll", "log", "wait", "kill", "close":
		return decision{free: true}
	}
	d := g.judgeCommand(commandArgs{Command: in.Data}, g.o.Dir(), mode)
	d.action = "write to " + in.ID + ": " + in.Data
	goesOn := strings.HasSuffix(strings.TrimRight(in.Data, "\r\n"), `\`) // this is not all that a shell would run
	if d.verdict.Decision != engine.Pass || d.question == nil && mode == modeAuto && !goesOn {
		return d
	}
	why := in.ID + " carries out what it reads"
	q := engine.Question{Title: "Write to a background process", Body: in.Data, Why: why}
	if d.question != nil {
		q.Danger = d.question.Danger
	}
	return decision{question: &q, by: why, action: d.action}
}

package print

import "talaria/engine"

// advice is the first and the third part of an error text.
type advice struct{ what, can string }

// advices is by the reason why a turn ended. An engine error's own words and hint come before these.
var advices = map[engine.Exit]advice{
	engine.ExitIterations:   {"the turn reached its cap of iterations", "allow more with --max-turns, or go on with talaria -c -p continue"},
	engine.ExitBudget:       {"the turn reached its money limit", "allow more with --budget, or go on with talaria -c -p continue"},
	engine.ExitInterrupted:  {"the turn was interrupted; what it had done is stored", "go on with talaria -c -p continue"},
	engine.ExitApproval:     {"the agent wants to do something that needs approval, and nobody is there to give it", "allow it with --mode edit, --mode auto or a rule in approvals.allow, or run talaria -c without -p"},
	engine.ExitBlocked:      {"the turn was stopped by a policy, a hook or the model's refusal", "change the request, the hook or the rule"},
	engine.ExitTruncated:    {"the answer was cut off at the model's output limit", "ask for less at once, or raise model.max_output_tokens"},
	engine.ExitInvalidCalls: {"the model kept making tool calls that cannot be used", "try again, or use another model with -m"},
	engine.ExitFailed:       {"the turn failed", "try again, or use another model with -m"},
}

// adviceOn puts the words for o together.
func adviceOn(o engine.Outcome) advice {
	a, ok := advices[o.Exit]
	if !ok {
		a = advices[engine.ExitFailed]
	}
	if o.Err == nil {
		return a
	}
	if o.Err.Message != "" {
		a.what += ": " + o.Err.Error()
	}
	if o.Err.Hint != "" {
		a.can = o.Err.Hint
	}
	return a
}

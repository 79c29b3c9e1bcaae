package agent

import "talaria/engine"

// budget counts the rounds of a turn. max 0 means no cap.
type budget struct {
	max, used, rounds, api int
	last                   bool // the grace call is being made
}

// grace reports that the rounds are spent and the one call without tools comes, or is being made (RULINGS 11).
func (b *budget) grace() bool {
	if b.max > 0 && (b.used >= b.max || b.api >= 2*b.max) {
		b.last = true
	}
	return b.last
}

// tools are what the next request may use: none in the grace call.
func (b *budget) tools(all []engine.Spec) []engine.Spec {
	if b.last {
		return nil
	}
	return all
}

// spend counts a round, unless it only ran execute_code: programmatic tool calls are cheap (BEHAVIOUR 2.3).
func (b *budget) spend(calls []engine.Call) {
	for _, c := range calls {
		if c.Name != "execute_code" {
			b.used++
			return
		}
	}
}

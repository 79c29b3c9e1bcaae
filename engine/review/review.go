// Package review is the look back: what of a conversation should be known in later ones. It says when a turn is followed
// by one, what the model is asked then, and reads the facts that are saved before a history is summarised.
//
// It refuses to write anything: memory and skills check and keep what they are given.
package review

import (
	_ "embed"
	"strings"

	"talaria/engine"
)

//go:embed memory.md
var memoryPrompt string

//go:embed skills.md
var skillsPrompt string

//go:embed both.md
var bothPrompt string

// Due says what a look back is about.
type Due struct{ Memory, Skills bool }

// Any reports whether there is anything to look for.
func (d Due) Any() bool { return d.Memory || d.Skills }

// Prompt is what the model is asked, after the history as it was.
func (d Due) Prompt() string {
	switch {
	case d.Memory && d.Skills:
		return strings.TrimSpace(bothPrompt)
	case d.Skills:
		return strings.TrimSpace(skillsPrompt)
	}
	return strings.TrimSpace(memoryPrompt)
}

// Tools are the names of the tools that a look back may use.
func (d Due) Tools() []string {
	var names []string
	if d.Memory {
		names = append(names, "memory")
	}
	if d.Skills {
		names = append(names, "skills_list", "skill_view", "skill_manage")
	}
	return names
}

// Clock counts since when the memory and the skills were not thought of. Turns is after how many of the user's turns the
// memory is looked at, Rounds after how many rounds of tool calls the skills are; 0 for never.
type Clock struct {
	Turns, Rounds int

	turns, rounds int
}

// Resume sets the clock as it stands after so many turns of a session that is opened again.
func (c *Clock) Resume(turns int) {
	c.turns, c.rounds = 0, 0
	if c.Turns > 0 {
		c.turns = turns % c.Turns
	}
}

// Ended counts a turn and says what is due. After one that was interrupted, failed or gave no answer nothing is: it stays
// due until a turn comes to its end. Where the model used a tool itself, its count begins anew.
func (c *Clock) Ended(o engine.Outcome) Due {
	c.turns++
	c.rounds += max(0, o.Iterations-1) // the reply that ends a turn calls nothing
	used := usedIn(o.Stored)
	if used["memory"] {
		c.turns = 0
	}
	if used["skill_manage"] {
		c.rounds = 0
	}
	if !o.Completed || o.Interrupted || o.Err != nil || strings.TrimSpace(o.Final) == "" {
		return Due{}
	}
	return Due{Memory: c.Turns > 0 && c.turns >= c.Turns, Skills: c.Rounds > 0 && c.rounds >= c.Rounds}
}

// Done says that a look back of that kind was begun, or is not wanted.
func (c *Clock) Done(d Due) {
	if d.Memory {
		c.turns = 0
	}
	if d.Skills {
		c.rounds = 0
	}
}

// usedIn are the tools that the last turn of a history used with success.
func usedIn(msgs []engine.Message) map[string]bool {
	used := map[string]bool{}
	for i := len(msgs) - 1; i >= 0; i-- {
		if msgs[i].Role == engine.RoleUser && !msgs[i].Steer {
			break
		}
		for _, p := range msgs[i].Parts {
			if r, ok := p.(engine.Result); ok && r.Status == engine.StatusDone {
				used[r.Name] = true
			}
		}
	}
	return used
}

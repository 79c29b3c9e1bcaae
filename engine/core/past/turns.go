package past

import (
	"slices"
	"strings"
	"time"

	"talaria/engine"
)

// Asked are the user's own messages in recs, each once, in the order in which they were sent.
func Asked(recs []engine.Record) []engine.Message {
	var out []engine.Message
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok && a.Message.Role == engine.RoleUser && !a.Message.Steer && !a.Message.Aside {
			out = append(out, a.Message)
		}
	}
	return out
}

// Undone are the undos that a redo can still bring back, the newest last: a message of the user's ends that.
func Undone(recs []engine.Record) []engine.Rewound {
	var open []engine.Rewound
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok && a.Message.Role == engine.RoleUser {
			open = nil
		}
		e, ok := r.Event.(engine.Rewound)
		switch {
		case ok && !e.Back:
			open = append(open, e)
		case ok:
			open = slices.DeleteFunc(open, func(o engine.Rewound) bool { return o.ID == e.ID })
		}
	}
	return open
}

// Count counts the messages from that of id on, asides apart.
func Count(recs []engine.Record, id string) int {
	n, from := 0, false
	seen := map[string]bool{}
	for _, r := range recs {
		a, ok := r.Event.(engine.Appended)
		if !ok || a.Message.Aside || seen[a.Message.ID] {
			continue
		}
		seen[a.Message.ID] = true
		if from = from || a.Message.ID == id; from {
			n++
		}
	}
	return n
}

// Turns are the turns of records, without what they did to files.
func Turns(recs []engine.Record) []engine.Turn {
	var turns []engine.Turn
	seen := map[string]bool{}
	unknown := map[int]bool{} // turns of which a part has no price
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok && a.Message.Role == engine.RoleUser && !a.Message.Steer && !a.Message.Aside && !seen[a.Message.ID] {
			seen[a.Message.ID] = true
			turns = append(turns, engine.Turn{ID: a.Message.ID, At: a.Message.At, Text: a.Message.Text()})
		}
		if len(turns) == 0 {
			continue
		}
		now := &turns[len(turns)-1]
		if e, ok := r.Event.(engine.CallEnded); ok && (e.Result.Status == engine.StatusDone || e.Result.Status == engine.StatusFailed) {
			if slices.Contains(readers, e.Result.Name) {
				now.Reads++
			} else if slices.Contains(runners, e.Result.Name) || strings.HasPrefix(e.Result.Name, "mcp_") {
				now.Runs++
			}
		}
		if e, ok := r.Event.(engine.Ended); ok {
			now.Why = e.Why
			now.Took += time.Duration(e.Outcome.DurationMS) * time.Millisecond
			now.Cost, unknown[len(turns)] = added(now.Cost, e.Outcome.Cost, unknown[len(turns)])
		}
	}
	return turns
}

// added is a sum of prices; nil as soon as one of them is not known.
func added(a, b *float64, unknown bool) (*float64, bool) {
	switch {
	case unknown || b == nil:
		return nil, true
	case a == nil:
		sum := *b
		return &sum, false
	}
	sum := *a + *b
	return &sum, false
}

// readers and runners are the tools whose calls the timeline counts.
var (
	readers = []string{"read_file", "search_files", "session_search", "skill_view", "skills_list", "vision_analyze", "web_search", "web_extract"}
	runners = []string{"terminal", "execute_code", "delegate_task"}
)

// Summarised reports whether a summary of other turns stands behind the message of id: going back to before it would lose
// them.
func Summarised(recs []engine.Record, id string) bool {
	from := false
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok {
			if from = from || a.Message.ID == id; from && a.Message.Summary {
				return true
			}
		}
	}
	return false
}

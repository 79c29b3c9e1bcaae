package compress

import (
	"slices"

	"talaria/engine"
)

// parts are the three pieces of a history. Asked is the user message that the tail's first reply answers when it does not
// stand in the tail itself; it is kept word for word between summary and tail.
type parts struct {
	head, middle, tail []engine.Message
	asked              *engine.Message
	answered           bool // asked was answered in the middle: it stands before the summary, which is the answer then
}

// split cuts msgs so that a call and its results stay on one side. The summary that goes between is the assistant's, so
// the head ends with a user message or is empty, and the tail begins with one: servers want roles to alternate, and the
// newest thing the user said must be the last that they say.
func (j Job) split(msgs []engine.Message, s Settings) parts {
	tail := j.tailStart(msgs, s)
	var p parts
	p.tail = msgs[tail:]
	head := headEnd(msgs[:tail], s.KeepFirst)
	if len(p.tail) > 0 && p.tail[0].Role != engine.RoleUser {
		for i := tail - 1; i >= 0; i-- {
			if isAsk(msgs[i]) {
				p.asked = &msgs[i]
				head = min(head, i)
				break
			}
		}
	}
	for head > 0 && msgs[head-1].Role != engine.RoleUser {
		head--
	}
	p.head, p.middle = msgs[:head], msgs[head:tail]
	return p
}

// splitAt cuts the history before the turn that message id opens: all from there on is the middle.
func (j Job) splitAt(id string) (p parts, ok bool) {
	at := slices.IndexFunc(j.Messages, func(m engine.Message) bool { return m.ID == id })
	if at < 0 {
		return p, false
	}
	p.head, p.middle, p.answered = j.Messages[:at], j.Messages[at:], true
	for i := len(p.middle) - 1; i >= 0 && p.asked == nil; i-- {
		if isAsk(p.middle[i]) {
			p.asked = &p.middle[i]
		}
	}
	return p, true
}

// isAsk reports a message in which the user opened a turn.
func isAsk(m engine.Message) bool { return m.Role == engine.RoleUser && !m.Steer && !m.Summary }

// headEnd is how many messages of the beginning stay: none once a summary stands there, which says it all.
func headEnd(msgs []engine.Message, keep int) int {
	if slices.ContainsFunc(msgs, func(m engine.Message) bool { return m.Summary }) {
		return 0
	}
	return min(keep, len(msgs))
}

// tailStart walks back from the end, whole groups at a time, until the budget is spent: the wish is KeepLast messages,
// but no more than three when they are large (RULINGS 7).
func (j Job) tailStart(msgs []engine.Message, s Settings) int {
	budget := float64(s.tailBudget(Limit(j.Window, s.Threshold)))
	if j.Window <= 0 {
		budget = leastThreshold / 4
	}
	start, count, size := len(msgs), 0, 0.0
	for start > 0 {
		from := groupStart(msgs, start-1)
		group := 0.0
		for _, m := range msgs[from:start] {
			group += float64(j.Size(m)) * j.scale()
		}
		over := size+group > budget
		far := size+group > budget*tailCeiling
		if count > 0 && (far && count >= leastTail || far && size > budget || over && count >= s.KeepLast) {
			break
		}
		start, count, size = from, count+start-from, size+group
	}
	return start
}

// groupStart is where the group of message i begins: an assistant message and the results of its calls are one.
func groupStart(msgs []engine.Message, i int) int {
	for i > 0 && (msgs[i].Role == engine.RoleTool || msgs[i].Steer && msgs[i-1].Role == engine.RoleTool) {
		i--
	}
	return i
}

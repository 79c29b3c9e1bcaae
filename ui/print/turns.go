package print

import (
	"slices"

	"talaria/engine"
)

// turns follows the engine's state by what was sent and what it told: whether a turn runs, whether one is still to
// come, and which questions are open. It needs no clock, but for an op that the engine may pass over in silence.
type turns struct {
	running bool
	owed    int // ops that start a turn or wait for one, and that no event has answered yet
	perhaps int // Continue ops: nothing answers one that had nothing to continue
	steers  int // messages that wait in the engine
	queued  int
	paused  bool // what waits is not sent by itself
	open    []engine.Question
}

// sent notes that op is on its way.
func (t *turns) sent(op engine.Op) {
	switch op := op.(type) {
	case engine.Submit:
		t.owe(op.Text != "" || len(op.Attachments) > 0)
	case engine.Steer:
		t.owe(op.ID == "" && op.Text != "")
	case engine.Queue:
		t.owe(op.ID == "" && op.Text != "")
	case engine.Continue:
		t.perhaps++
	case engine.Interrupt, engine.Answer, engine.RetryNow, engine.Compact, engine.Open, engine.Switch, engine.Set, engine.Undo, engine.Unknown:
	}
}

func (t *turns) owe(yes bool) {
	if yes {
		t.owed++
	}
}

func (t *turns) answered() {
	if t.owed > 0 {
		t.owed--
	} else {
		t.perhaps = max(0, t.perhaps-1)
	}
}

// on notes what the engine told.
func (t *turns) on(e engine.Event) {
	switch e := e.(type) {
	case engine.Began:
		t.running = true
		t.answered()
	case engine.Queued:
		t.waiting(&t.queued, len(e.Waiting), e.Paused)
	case engine.Steered:
		t.waiting(&t.steers, len(e.Waiting), e.Paused)
	case engine.Asked:
		t.open = append(t.open, e.Question)
	case engine.Withdrawn:
		t.open = slices.DeleteFunc(t.open, func(q engine.Question) bool { return q.ID == e.ID })
	case engine.Ended:
		if !t.running { // it could not even begin
			t.answered()
		}
		t.running = false
	case engine.Opened, engine.Stepped, engine.Streamed, engine.Appended, engine.CallBegan, engine.CallWrote, engine.CallEnded,
		engine.Compacted, engine.Rewound, engine.Used, engine.Planned, engine.Noted, engine.Child, engine.Unknown:
	}
}

// waiting follows the length of a list; a list that grew took an op in.
func (t *turns) waiting(list *int, n int, paused bool) {
	if n > *list {
		t.answered()
	}
	*list, t.paused = n, paused
}

// over reports whether nothing more will happen by itself; unsure is then true when that is only likely.
func (t *turns) over() (over, unsure bool) {
	over = !t.running && t.owed == 0 && (t.steers+t.queued == 0 || t.paused)
	return over, t.perhaps > 0
}

// refusals are the answers to the open questions when nobody can answer them.
func (t *turns) refusals() []engine.Op {
	var all []engine.Op
	for _, q := range t.open {
		choice := engine.ChoiceDeny
		switch q.Kind {
		case engine.Clarify:
			choice = engine.ChoiceSkip
		case engine.Trust:
			choice = engine.ChoiceNo
		case engine.Approval:
		}
		all = append(all, engine.Answer{ID: q.ID, Choice: choice, Text: "nobody is there to answer"})
	}
	t.open = nil
	return all
}

package plain

import "talaria/engine"

// waits is what was asked of the engine and has had no answer yet, so that a conversation whose input has ended knows
// when it is over.
type waits struct {
	owed    int // messages on their way to a turn
	perhaps int // ops that may be answered by silence
	steers  int // messages that wait in the engine
	queued  int
	paused  bool // what waits is not sent by itself
}

func (w *waits) sent(op engine.Op) {
	switch op := op.(type) {
	case engine.Submit:
		w.owed++
	case engine.Steer:
		w.owe(op.ID)
	case engine.Queue:
		w.owe(op.ID)
	case engine.Continue, engine.Compact, engine.Open, engine.Switch, engine.Set, engine.Undo:
		w.perhaps++
	case engine.Interrupt, engine.Answer, engine.RetryNow, engine.Unknown:
	}
}

// owe counts a message; one that changes another that waits is none.
func (w *waits) owe(id string) {
	if id == "" {
		w.owed++
	}
}

// on notes what the engine told. Active says whether a turn ran before it.
func (w *waits) on(e engine.Event, active bool) {
	if _, ok := e.(engine.Began); ok {
		w.owed = max(0, w.owed-1)
	}
	if _, ok := e.(engine.Ended); ok && !active { // it could not even begin
		w.owed = max(0, w.owed-1)
	}
	if s, ok := e.(engine.Steered); ok {
		w.taken(&w.steers, len(s.Waiting), s.Paused)
	}
	if q, ok := e.(engine.Queued); ok {
		w.taken(&w.queued, len(q.Waiting), q.Paused)
	}
}

// taken follows the length of a list; one that grew took a message in.
func (w *waits) taken(list *int, n int, paused bool) {
	w.owed = max(0, w.owed-max(0, n-*list))
	*list, w.paused = n, paused
}

// idle reports whether nothing more will happen by itself.
func (w *waits) idle() bool {
	return w.owed == 0 && w.perhaps == 0 && (w.steers+w.queued == 0 || w.paused)
}

package feed

// The levels of UX 4.0 (ui.verbosity): quiet has one line per action, normal what is worth a look, full everything that
// has ended. Names are never folded away.
const (
	Quiet  = "quiet"
	Normal = "normal"
	Full   = "full"
)

// Reading is how much is shown: Level is the verbosity, "" for Normal. Reasoning is ui.reasoning: summary, full or hidden.
// Head stops the view at the first row of an answer that is longer than the pane (ui.follow: head).
type Reading struct {
	Level, Reasoning string
	Head             bool
	Split            bool // diffs stand side by side where there is room
}

// SetReading changes how much is shown; what was opened or closed by hand stays the other way round.
func (f *Feed) SetReading(r Reading) {
	f.reading = r
	for _, e := range f.Entries {
		e.Memo = Memo{}
	}
}

// Reading is how much is shown now.
func (f *Feed) Reading() Reading { return f.reading }

// whole reports whether everything of the call is shown. One that runs keeps its window: it must not push the page.
func (t *tool) whole() bool { return t.expanded != (t.reading.Level == Full && !t.Running()) }

// whole reports whether all of the thought is shown. One that goes on rolls.
func (t *thought) whole() bool {
	return t.expanded != ((t.reading.Reasoning == Full || t.reading.Level == Full) && !t.open)
}

// Hidden reports whether the thought shows nothing.
func (t *thought) Hidden() bool { return t.hidden || t.reading.Reasoning == "hidden" }

// New reports whether the block is an answer that came in pieces and was not held yet.
func (e *Entry) New() bool {
	r, ok := e.Block.(*reply)
	return ok && !r.held && r.stream != nil
}

// Held marks an answer at whose first row the view has stopped.
func (e *Entry) Held() {
	if r, ok := e.Block.(*reply); ok {
		r.held = true
	}
}

// Package feed turns the engine's events into blocks, the things of a conversation that have a place on the screen: what
// was said and thought, calls with what came of them, notices. A block draws itself at a width and says what it would
// copy as. It refuses to know where it stands: that is package transcript's.
package feed

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/markdown"
	"talaria/ui/style"
)

// Feed is the blocks of a conversation. A block never leaves its place; one that turned out to be wrong is hidden, so that
// positions hold for the life of a session.
type Feed struct {
	*kit
	now     func() time.Time
	Entries []*Entry
	calls   map[string]*tool       // by call id
	made    map[string]engine.Call // as the model made them, for calls whose start was not told
	live    []Block                // what the reply that is arriving has shown so far, in order
	retry   *retry                 // the last one, while nothing arrived after it
	notice  *notice                // the last one that has hints
	running []ticker
	route   engine.Route
	asking  map[string]string // open questions, each with the call that it holds up, "" for none
	dangers map[string]string // by call: what the user was told of it before it ran
	told    told
	replay  bool
}

// told is the last message of the assistant and the blocks that show it. A reply that is still arriving is journalled
// now and then, and once more when it is whole: the later message of an id takes the place of the earlier.
type told struct {
	id     string
	blocks []Block
}

// New returns an empty feed that draws with s.
func New(s style.Sheet) *Feed {
	f := newFeed(&kit{sheet: s, md: markdown.New(s), paths: &Paths{}})
	return &f
}

// SetClock replaces the clock that times thoughts, tools and waits; for tests.
func (f *Feed) SetClock(now func() time.Time) { f.now = now }

// Sheet is what the blocks draw with.
func (f *Feed) Sheet() style.Sheet { return f.sheet }

// SetSheet changes the theme or the glyphs; shift is that of Shift.
func (f *Feed) SetSheet(s style.Sheet, shift int) {
	f.kit.sheet, f.kit.md = s, markdown.New(s)
	f.md.Shift(shift)
	for _, e := range f.Entries {
		e.Memo = Memo{}
		if r, ok := e.Block.(*reply); ok {
			r.restyle()
		}
	}
}

// Shift scrolls code sideways, by columns from 0.
func (f *Feed) Shift(n int) { f.md.Shift(n) }

// Asking reports whether a question is open.
func (f *Feed) Asking() bool { return len(f.asking) > 0 }

func newFeed(k *kit) Feed {
	return Feed{kit: k, now: time.Now, calls: map[string]*tool{}, made: map[string]engine.Call{}, asking: map[string]string{}, dangers: map[string]string{}}
}

// add puts a block at the end.
func (f *Feed) add(b Block, packed bool) {
	f.Entries = append(f.Entries, &Entry{Block: b, Packed: packed})
	if t, ok := b.(ticker); ok && !f.replay && t.Running() {
		f.running = append(f.running, t)
	}
}

// On takes one event; replay says that it is from the past.
func (f *Feed) On(e engine.Event, replay bool) {
	f.replay = replay
	switch e := e.(type) {
	case engine.Opened:
		f.open(e)
	case engine.Began:
		f.route = e.Route
		f.retire()
	case engine.Streamed:
		f.delta(e.Delta)
	case engine.Appended:
		f.message(e.Message)
	case engine.CallBegan:
		f.begin(e)
	case engine.CallWrote:
		if t := f.calls[e.CallID]; t != nil && t.Running() {
			t.write(e.Text)
		}
	case engine.CallEnded:
		f.end(e.Result, millis(e.DurationMS), e.Line)
	case engine.Asked:
		f.asking[e.Question.ID] = e.Question.CallID
		f.hold(e.Question.CallID)
		if e.Question.Danger != "" {
			f.dangers[e.Question.CallID] = flat(e.Question.Danger)
		}
	case engine.Withdrawn:
		call := f.asking[e.ID]
		delete(f.asking, e.ID)
		f.hold(call)
	case engine.Compacted:
		if e.Child == "" {
			break // it runs, or came to nothing: the strip shows the one, a note says the other
		}
		f.add(&summarised{face: face{kit: f.kit}, before: e.Before, after: e.After, summary: style.Safe(e.Summary)}, false)
	case engine.Rewound:
		f.note(engine.Noted{Kind: engine.NoteInfo, Text: e.Line})
	case engine.Noted:
		f.note(e)
	case engine.Ended:
		f.ended(e)
	case engine.Stepped, engine.Steered, engine.Queued, engine.Used, engine.Planned, engine.Child, engine.Unknown:
		// shown elsewhere: the strip above the prompt, the status bar, the Work panel
	}
}

// open draws the past of a session that comes on screen. In a replay the event is a record like any other.
func (f *Feed) open(e engine.Opened) {
	if f.replay {
		return
	}
	f.paths = &Paths{}
	fresh := newFeed(f.kit)
	fresh.now, fresh.route = f.now, e.Session.Route
	*f = fresh
	for _, r := range e.Past {
		if r.Event != nil {
			f.On(r.Event, true)
		}
	}
	f.replay = false
	clear(f.asking) // a question that was open when the program ended has nobody who waits for it
	f.closeLive()
	f.stopCalls("no result was stored")
}

// begin shows a call that starts to run.
func (f *Feed) begin(e engine.CallBegan) {
	f.settle()
	line := strings.TrimSpace(style.Untab(style.Safe(e.Line)))
	if line == "" {
		line = named(e.Call)
	}
	t := &tool{face: face{kit: f.kit}, line: line, called: e.Call.Name, danger: f.dangers[e.Call.ID]}
	if !f.replay {
		t.began = f.now()
		t.now = t.began
	}
	f.calls[e.Call.ID] = t
	f.learn(t, engine.Result{})
	f.add(t, true)
	f.hold(e.Call.ID)
}

// hold stops the clock of a call while a question about it is open, and lets it run on when there is none.
func (f *Feed) hold(call string) {
	t := f.calls[call]
	if t == nil || !t.Running() {
		return
	}
	for _, asked := range f.asking {
		if asked == call {
			t.wait(f.now())
			return
		}
	}
	t.proceed(f.now())
}

// end gives a call its result, also one whose start was never told: then line names the action.
func (f *Feed) end(r engine.Result, took time.Duration, line string) {
	t := f.calls[r.CallID]
	if t == nil {
		call, ok := f.made[r.CallID]
		if !ok {
			call = engine.Call{Name: r.Name}
		}
		if line = strings.TrimSpace(style.Untab(style.Safe(line))); line == "" {
			line = named(call)
		}
		t = &tool{face: face{kit: f.kit}, line: line, called: call.Name, danger: f.dangers[r.CallID]}
		f.calls[r.CallID] = t
		f.add(t, true)
	}
	f.learn(t, r)
	if t.Running() {
		t.end(r, took)
	}
}

// named is a line for a call that came without one: the tool and its arguments.
func named(c engine.Call) string {
	args := strings.Join(strings.Fields(style.Safe(c.Args)), " ")
	if args == "" || args == "{}" {
		return flat(c.Name)
	}
	return flat(c.Name) + " " + args
}

// stopCalls ends calls that will never end by themselves.
func (f *Feed) stopCalls(why string) {
	for _, t := range f.calls {
		if t.Running() {
			t.end(engine.Result{Status: engine.StatusStopped, Note: why, Text: why}, 0)
		}
	}
}

// note shows what the program has to say. What the status bar says anyway stays there.
func (f *Feed) note(e engine.Noted) {
	sign, role := f.sheet.Glyphs.Warning, themes.Warning
	switch e.Kind {
	case engine.NoteInfo, engine.NoteModel:
		sign, role = f.sheet.Words("·"), themes.FgMuted
	case engine.NoteSaved:
		sign, role = f.sheet.Glyphs.Done, themes.Success
	case engine.NoteError:
		sign, role = f.sheet.Glyphs.Failed, themes.Error
	case engine.NoteStopping, engine.NoteMode, engine.NoteTitle:
		return
	case engine.NoteWarning, engine.NoteDegraded:
	}
	head, rest, _ := strings.Cut(strings.TrimSpace(style.Safe(e.Text)), "\n")
	if e.Kind == engine.NoteModel {
		head = "The model is now " + head
	}
	n := &notice{face: face{kit: f.kit}, sign: sign, role: role, head: head}
	if rest = strings.TrimSpace(rest); rest != "" {
		n.details = []string{rest}
	}
	f.add(n, false)
}

// ended closes what the turn left open and tells an end that is not simply the end.
func (f *Feed) ended(e engine.Ended) {
	stopped := f.lastAside()
	f.closeLive()
	if f.retry != nil {
		f.retry.give()
		f.retry = nil
	}
	f.stopCalls("")
	f.retire()
	var n *notice
	if e.Why == engine.ExitFailed {
		n = f.failed(e.Outcome, f.route)
	} else if n = f.stopped(e.Why); n == nil {
		return
	}
	if e.Why == engine.ExitInterrupted && stopped != nil {
		stopped.marked = false // the notice right below says it
		stopped.changed()
	}
	f.notice = n
	f.add(n, false)
}

// lastAside is the interrupted reply at the very end, nil if something else is there.
func (f *Feed) lastAside() *reply {
	for i := len(f.Entries) - 1; i >= 0; i-- {
		if f.Entries[i].Hidden() {
			continue
		}
		if r, ok := f.Entries[i].Block.(*reply); ok && r.aside {
			return r
		}
		return nil
	}
	return nil
}

// retire takes the hints of the last notice away: they were for the moment after it.
func (f *Feed) retire() {
	if f.notice != nil {
		f.notice.retire()
		f.notice = nil
	}
}

// Tick moves the clocks of whatever runs.
func (f *Feed) Tick(now time.Time) {
	for _, t := range f.running {
		t.Tick(now)
	}
}

// Busy reports whether anything runs, and forgets what does not any more.
func (f *Feed) Busy() bool {
	f.running = slices.DeleteFunc(f.running, func(t ticker) bool { return !t.Running() })
	return len(f.running) > 0
}

// bytesOf writes a size: 812 bytes, 3.1 kB.
func bytesOf(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

package ui

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

// state is what the engine is doing, as the status bar says it (UX 4.4). There is one at any time.
type state uint8

const (
	stateReady state = iota
	stateSending
	stateThinking
	stateWriting
	stateTools
	stateNeedsYou
	stateStopping
	stateRetrying
	stateStopped
	stateFailed
)

// turn is what is known of the running turn, or of the one that ended last.
type turn struct {
	state   state
	before  state // what goes on when a question is answered
	began   time.Time
	waited  time.Duration // spent on questions: the clock stops meanwhile
	asked   time.Time
	took    time.Duration
	tools   []running
	retry   retrying
	usage   engine.Usage
	rate    rate
	partial bool // an answer was cut and kept
	running bool
}

// running is a tool at work.
type running struct {
	id, line string
	began    time.Time
}

// retrying is a wait before a request is repeated.
type retrying struct {
	reason  string
	until   time.Time
	try, of int
}

// rate measures how fast text arrives, over the last three seconds.
type rate struct {
	since time.Time
	chars int
	value float64 // tokens a second
}

// rateWindow is the span the shown speed is measured over, charsPerToken turns characters into tokens.
const (
	rateWindow    = 3 * time.Second
	charsPerToken = 3.8
)

func (r *rate) add(text string, now time.Time) {
	if r.since.IsZero() {
		r.since = now
	}
	r.chars += len(text)
	if d := now.Sub(r.since); d >= rateWindow {
		r.value = float64(r.chars) / charsPerToken / d.Seconds()
		r.since, r.chars = now, 0
	}
}

// on brings the turn up to an event.
func (t *turn) on(e engine.Event, now time.Time) {
	switch e := e.(type) {
	case engine.Began:
		*t = turn{state: stateSending, began: now, running: true}
	case engine.Stepped:
		t.set(stateSending)
	case engine.Streamed:
		t.stream(e.Delta, now)
	case engine.CallBegan:
		t.tools = append(t.tools, running{e.Call.ID, e.Line, now})
		t.set(stateTools)
	case engine.CallEnded:
		t.end(e.Result.CallID)
	case engine.Asked:
		if t.running && t.state != stateNeedsYou {
			t.before, t.asked = t.state, now
			t.state = stateNeedsYou
		}
	case engine.Withdrawn:
		if t.state == stateNeedsYou {
			t.waited += now.Sub(t.asked)
			t.state = t.before
		}
	case engine.Used:
		t.usage = t.usage.Add(e.Usage)
	case engine.Noted:
		if e.Kind == engine.NoteStopping {
			t.set(stateStopping)
		}
	case engine.Appended:
		t.partial = t.partial || e.Message.Aside
	case engine.Ended:
		t.over(e, now)
	case engine.Opened:
		*t = turn{state: stateReady}
	case engine.CallWrote, engine.Steered, engine.Queued, engine.Compacted, engine.Planned, engine.Child, engine.Unknown:
	}
}

// set changes the state, but never away from a stop that is under way.
func (t *turn) set(s state) {
	if t.running && t.state != stateStopping && t.state != stateNeedsYou {
		t.state = s
	}
}

func (t *turn) stream(d engine.Delta, now time.Time) {
	switch d := d.(type) {
	case engine.TextDelta:
		t.rate.add(d.Text, now)
		t.set(stateWriting)
	case engine.ThoughtDelta:
		t.rate.add(d.Text, now)
		t.set(stateThinking)
	case engine.CallDelta:
		t.rate.add(d.Args, now)
		t.set(stateWriting)
	case engine.Retry:
		reason := "error"
		if d.Err != nil {
			reason = string(d.Err.Reason)
		}
		t.retry = retrying{reason: reason, until: now.Add(d.After), try: d.Try, of: d.Of}
		t.set(stateRetrying)
	case engine.OpaqueDelta, engine.Done:
	}
}

func (t *turn) end(id string) {
	for i, r := range t.tools {
		if r.id == id {
			t.tools = append(t.tools[:i:i], t.tools[i+1:]...)
			break
		}
	}
	if len(t.tools) == 0 {
		t.set(stateSending)
	}
}

func (t *turn) over(e engine.Ended, now time.Time) {
	t.running, t.tools, t.took = false, nil, t.elapsed(now)
	switch {
	case e.Outcome.Interrupted:
		t.state = stateStopped
	case e.Why == engine.ExitFinished:
		t.state = stateReady
	default:
		t.state = stateFailed
	}
}

// elapsed is the time of the turn, without what was spent waiting for the user.
func (t *turn) elapsed(now time.Time) time.Duration {
	if !t.running {
		return t.took
	}
	d := now.Sub(t.began) - t.waited
	if t.state == stateNeedsYou {
		d -= now.Sub(t.asked)
	}
	return max(0, d)
}

// slowest is the tool that has run longest.
func (t *turn) slowest() (running, bool) {
	if len(t.tools) == 0 {
		return running{}, false
	}
	return t.tools[0], true
}

// clock writes a duration as people read it: 0:42, 1:07, 1:02:03.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// count writes a number of tokens: 950, 12.4k, 1.2M.
func count(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}

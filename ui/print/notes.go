package print

import (
	"fmt"
	"io"
	"strings"
	"time"

	"talaria/engine"
)

// notes writes stderr: what the agent does, what it notes, and at the end what went wrong. Everything is cleaned, since
// a tool's or a server's words may be in it. quiet leaves out what the events on stdout say already.
type notes struct {
	w     io.Writer
	quiet bool
}

// say writes one line.
func (n *notes) say(format string, args ...any) {
	fmt.Fprintln(n.w, strings.TrimRight(clean(fmt.Sprintf(format, args...)), " \n"))
}

// fault writes an error of print mode itself.
func (n *notes) fault(text string) { n.say("talaria: %s", text) }

// event writes the line of e, if it has one.
func (n *notes) event(e engine.Event) {
	if n.quiet {
		return
	}
	switch e := e.(type) {
	case engine.CallBegan:
		n.say("· %s", e.Line)
	case engine.CallEnded:
		n.call(e)
	case engine.Noted:
		n.note(e)
	case engine.Streamed:
		if retry, ok := e.Delta.(engine.Retry); ok {
			n.retry(retry)
		}
	case engine.Compacted:
		if e.Child == "" {
			break // how far it is; when it comes to nothing a note says why
		}
		n.say("· the history was summarised: %d tokens became %d", e.Before, e.After)
	case engine.Rewound:
		n.say("· %s", e.Line)
	case engine.Asked:
		n.say("? %s", e.Question.Title)
	case engine.Opened, engine.Began, engine.Stepped, engine.Appended, engine.CallWrote, engine.Withdrawn, engine.Steered, engine.Queued,
		engine.Used, engine.Planned, engine.Child, engine.Ended, engine.Unknown:
	}
}

// call tells of a call that did not work; one that did has had its line.
func (n *notes) call(e engine.CallEnded) {
	r := e.Result
	if r.Status == engine.StatusDone {
		return
	}
	text := r.Note
	if text == "" {
		text, _, _ = strings.Cut(r.Text, "\n")
	}
	n.say("  %s %s: %s", r.Name, r.Status, text)
}

func (n *notes) note(e engine.Noted) {
	switch e.Kind {
	case engine.NoteWarning, engine.NoteDegraded:
		n.say("warning: %s", e.Text)
	case engine.NoteError:
		n.say("error: %s", e.Text)
	case engine.NoteInfo, engine.NoteSaved, engine.NoteStopping:
		n.say("%s", e.Text)
	case engine.NoteMode, engine.NoteModel, engine.NoteTitle: // the caller chose these
	}
}

func (n *notes) retry(r engine.Retry) {
	why := "the request failed"
	if r.Err != nil {
		why = r.Err.Error()
	}
	wait := "now"
	if r.After > 0 {
		wait = "in " + r.After.Round(100*time.Millisecond).String()
	}
	n.say("· %s; %s %s (%d of %d)", why, r.Action, wait, r.Try, r.Of)
}

// outcome writes why a turn did not complete, in three parts: what happened, what was tried, what the user can do.
func (n *notes) outcome(o engine.Outcome) {
	a := adviceOn(o)
	n.say("talaria: %s", a.what)
	n.say("  tried: %s", tried(o.Recoveries))
	n.say("  you can: %s", a.can)
}

// tried sums up the recoveries of a turn.
func tried(all []engine.Recovery) string {
	if len(all) == 0 {
		return "nothing was repeated"
	}
	var order []string
	count, waited := map[string]int{}, int64(0)
	for _, r := range all {
		key := fmt.Sprintf("%s after %s", r.Action, r.Reason)
		if count[key] == 0 {
			order = append(order, key)
		}
		count[key]++
		waited += r.AfterMS
	}
	for i, key := range order {
		if count[key] > 1 {
			order[i] = fmt.Sprintf("%s (%d times)", key, count[key])
		}
	}
	text := strings.Join(order, ", ")
	if waited > 0 {
		text += fmt.Sprintf(", with %s of waiting", (time.Duration(waited) * time.Millisecond).Round(time.Second/10))
	}
	return text
}

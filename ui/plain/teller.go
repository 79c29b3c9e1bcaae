package plain

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
	"talaria/ui/transcript/feed"
)

// Look says how much is told. Level is quiet, normal or full; Reasoning is summary, full or hidden; "" is the middle one.
type Look struct{ Level, Reasoning string }

// Teller turns events into lines. Its lines are a function of the events that it was given, in their order, and nothing
// else: the transcript is the log of events, line by line. An event that has nothing to say gives no line.
type Teller struct {
	look  Look
	route engine.Route
	reply reply
	asked map[string]engine.Question
	told  map[string]string // what waits and was told, by id
}

// NewTeller returns a teller that has been given no event.
func NewTeller(look Look) *Teller {
	return &Teller{look: look, reply: reply{look: look}, asked: map[string]engine.Question{}, told: map[string]string{}}
}

// Tell returns the lines of the next event.
func (t *Teller) Tell(e engine.Event) []string {
	switch e := e.(type) {
	case engine.Opened:
		return t.opened(e)
	case engine.Began:
		t.route, t.reply = e.Route, reply{look: t.look}
		if t.look.Level == "quiet" {
			return nil
		}
		return one("Working: turn %d, %s.", e.Turn, model(e.Route))
	case engine.Streamed:
		return t.streamed(e.Delta)
	case engine.Appended:
		return t.appended(e.Message)
	case engine.CallBegan:
		if t.look.Level == "quiet" || told[e.Call.Name] {
			return nil
		}
		return one("Tool started: %s", action(e.Line))
	case engine.CallEnded:
		return t.callEnded(e)
	case engine.Asked:
		t.asked[e.Question.ID] = e.Question
		return asks(e.Question)
	case engine.Withdrawn:
		return t.withdrawn(e)
	case engine.Steered:
		return t.waiting("Steering", "It goes in with the next step.", e.Waiting, e.Paused)
	case engine.Queued:
		return t.waiting("Queued", "It is sent after this turn.", e.Waiting, e.Paused)
	case engine.Compacted:
		return compacted(e)
	case engine.Rewound:
		return one("%s: %s", map[bool]string{false: "Undone", true: "Redone"}[e.Back], e.Line)
	case engine.Planned:
		return planned(e.Tasks)
	case engine.Noted:
		return t.noted(e)
	case engine.Child:
		return t.child(e)
	case engine.Ended:
		return t.ended(e)
	case engine.Stepped, engine.CallWrote, engine.Used, engine.Unknown:
	}
	return nil
}

func one(format string, args ...any) []string { return []string{oneLine(fmt.Sprintf(format, args...))} }

// model names a route.
func model(r engine.Route) string {
	if r.Model == "" {
		return "no model"
	}
	return r.Model
}

// action is a tool's line as it is spoken: nobody needs to hear the sign of a shell.
func action(l string) string { return strings.TrimPrefix(oneLine(l), "$ ") }

func (t *Teller) opened(o engine.Opened) []string {
	t.route, t.reply, t.told = o.Session.Route, reply{look: t.look}, map[string]string{}
	title := oneLine(o.Session.Title)
	if title == "" {
		title = "new"
	}
	out := one("Session: %s, %s.", title, model(o.Session.Route))
	if o.Resumed {
		return append(out, one("Note: %d messages so far, %d turns. /history reads them; the last turn follows.", o.Session.Messages, o.Session.Turns)...)
	}
	return out
}

func (t *Teller) streamed(d engine.Delta) []string {
	switch d := d.(type) {
	case engine.TextDelta:
		return t.reply.text(d.Text)
	case engine.ThoughtDelta:
		t.reply.think(d)
	case engine.Retry:
		return t.retrying(d)
	case engine.CallDelta, engine.OpaqueDelta, engine.Done:
	}
	return nil
}

// retrying tells of a failure that is recovered from. What was told of a reply that begins anew is taken back in words.
func (t *Teller) retrying(r engine.Retry) []string {
	var out []string
	if r.Err != nil {
		out = one("Retrying: %s. %s.", strings.TrimSuffix(feed.Happened(r.Err, t.route), "."), feed.Again(r))
	} else {
		out = one("Retrying: %s.", feed.Again(r))
	}
	if r.After > 0 {
		out[0] += " Enter asks now."
	}
	if r.Route != nil {
		t.route = *r.Route
	}
	if r.Keep {
		return out
	}
	if t.reply.lines > 0 {
		out = append(out, "Note: what the assistant said of this answer is dropped; it begins anew.")
	}
	t.reply = reply{look: t.look}
	return out
}

func (t *Teller) appended(m engine.Message) []string {
	switch {
	case m.Role == engine.RoleAssistant && m.Summary:
		return block("Summary:", m.Text())
	case m.Role == engine.RoleAssistant:
		defer func() { t.reply = reply{look: t.look} }()
		return t.reply.whole(m)
	case m.Role != engine.RoleUser:
		return nil
	}
	word := "You:"
	if m.Steer {
		word = "You, to the running turn:"
	}
	out := block(word, m.Text())
	for _, p := range m.Parts {
		if i, ok := p.(engine.Image); ok {
			out = append(out, one("You: with the image %s", i.Name)...)
		}
	}
	return out
}

// told are the tools whose work has a line of its own: the task list, and the question.
var told = map[string]bool{"todo": true, "clarify": true}

// ends says how a call can end.
var ends = map[engine.Status]string{
	engine.StatusDone: "done", engine.StatusFailed: "failed", engine.StatusRefused: "refused", engine.StatusDenied: "denied",
	engine.StatusStopped: "stopped", engine.StatusTimeout: "timed out",
}

// failedLines is how much of a failed tool's output is told (UX 4.8).
const failedLines = 10

func (t *Teller) callEnded(e engine.CallEnded) []string {
	r, line := e.Result, action(e.Line)
	if line == "" {
		line = r.Name
	}
	if r.Status == engine.StatusDone && told[r.Name] {
		return nil
	}
	text := fmt.Sprintf("Tool %s: %s", ends[r.Status], line)
	if r.Note != "" && !strings.Contains(line, r.Note) {
		text += ", " + oneLine(r.Note)
	}
	if e.DurationMS >= 1000 {
		text += ", " + spoken(time.Duration(e.DurationMS)*time.Millisecond)
	}
	out := []string{text + "."}
	body, about := r.Text, failedLines
	switch {
	case r.Diff != "" && t.look.Level == "full":
		body, about = r.Diff, 1<<30
	case t.look.Level == "full":
		about = 1 << 30
	case r.Status == engine.StatusDone || r.Status == engine.StatusStopped:
		return out
	}
	lines := set(body)
	if cut := len(lines) - about; cut > 0 {
		lines = append(one("Note: %d lines of output, the last %d follow.", len(lines), about), lines[cut:]...)
	}
	return append(out, lines...)
}

func (t *Teller) withdrawn(w engine.Withdrawn) []string {
	q, ok := t.asked[w.ID]
	delete(t.asked, w.ID)
	if !ok {
		return nil
	}
	if w.Choice == "" {
		return one("Withdrawn: the question about %s needs no answer any more.", q.Title)
	}
	return one("Answered: %s.", strings.TrimSuffix(labels(q, w.Choice), "."))
}

// waiting tells of messages that wait, each once.
func (t *Teller) waiting(word, when string, all []engine.Waiting, paused bool) (out []string) {
	for _, w := range all {
		if t.told[w.ID] != w.Text {
			t.told[w.ID] = w.Text
			out = append(out, one("%s: %s. %s", word, strings.TrimSuffix(oneLine(w.Text), "."), when)...)
		}
	}
	if paused && len(all) > 0 {
		out = append(out, one("Note: %d of your messages wait and are not sent by themselves. Enter continues.", len(all))...)
	}
	return out
}

func compacted(c engine.Compacted) []string {
	switch {
	case c.Child != "":
		return one("Summarised: older turns, from %d to %d tokens.", c.Before, c.After)
	case c.Running && c.Part == 0:
		return one("Summarising: %d older messages; %d stay word for word.", c.Old, c.Kept)
	}
	return nil
}

func planned(tasks []engine.Task) []string {
	if len(tasks) == 0 {
		return one("Tasks: the list is empty.")
	}
	done, now := 0, ""
	for _, task := range tasks {
		switch task.Status {
		case "completed":
			done++
		case "in_progress":
			now = " Now: " + strings.TrimSuffix(oneLine(task.Content), ".") + "."
		}
	}
	return one("Tasks: %d of %d done.%s", done, len(tasks), now)
}

func (t *Teller) noted(n engine.Noted) []string {
	switch n.Kind {
	case engine.NoteWarning:
		return one("Warning: %s", n.Text)
	case engine.NoteError:
		return one("Error: %s", n.Text)
	case engine.NoteStopping:
		return one("Stopping: %s", n.Text)
	case engine.NoteDegraded:
		return one("Warning: this session is not being saved: %s", n.Text)
	case engine.NoteSaved:
		return one("Note: saving works again.")
	case engine.NoteMode:
		return one("Mode: %s.", n.Text)
	case engine.NoteModel:
		return one("Model: %s.", n.Text)
	case engine.NoteTitle:
		return one("Title: %s", n.Text)
	case engine.NoteInfo:
	}
	return one("Note: %s", n.Text)
}

// child tells what an agent does, with its name before it; what it says goes to the agent that sent it.
func (t *Teller) child(c engine.Child) []string {
	var lines []string
	switch e := c.Event.(type) {
	case engine.CallBegan, engine.CallEnded, engine.Noted:
		lines = t.Tell(e)
	case engine.Ended:
		lines = one("%s.", map[bool]string{true: "Done", false: "Ended early: " + string(e.Why)}[e.Why == engine.ExitFinished])
	case engine.Opened, engine.Began, engine.Stepped, engine.Streamed, engine.Appended, engine.CallWrote, engine.Asked, engine.Withdrawn, engine.Steered,
		engine.Queued, engine.Compacted, engine.Rewound, engine.Used, engine.Planned, engine.Child, engine.Unknown:
	}
	for i, l := range lines {
		if i == 0 {
			lines[i] = "Agent " + oneLine(c.Agent) + ": " + l
		}
	}
	return lines
}

func (t *Teller) ended(e engine.Ended) []string {
	o := e.Outcome
	if e.Why == engine.ExitFinished {
		text := "Done: " + plural(max(1, o.Iterations), "step", "steps")
		if o.DurationMS >= 1000 {
			text += ", " + spoken(time.Duration(o.DurationMS)*time.Millisecond)
		}
		if o.Cost != nil && *o.Cost > 0 {
			text += fmt.Sprintf(", $%.2f", max(0.01, *o.Cost))
		}
		return one("%s.", text)
	}
	if what, can, ok := feed.Early(e.Why); ok {
		return one("Stopped: %s %s.", what, spokenKeys(can))
	}
	what, did, can := feed.Failure(o, t.route)
	return one("Failed: %s. %s %s.", strings.TrimSuffix(what, "."), did, strings.TrimSuffix(spokenKeys(can), "."))
}

// spokenKeys is a hint as a sentence.
func spokenKeys(hint string) string { return strings.ReplaceAll(hint, " · ", "; ") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// spoken is a time as it is read out.
func spoken(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s < 60 {
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d min %d s", s/60, s%60)
}

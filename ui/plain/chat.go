package plain

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"talaria/engine"
	"talaria/ui/turn"
)

// on takes one event: what it means for the conversation, then its lines.
func (c *chat) on(e engine.Event) {
	was := c.turn.Active
	c.waits.on(e, was)
	c.turn.On(e, time.Now())
	c.known(e)
	if w, ok := e.(engine.Withdrawn); ok {
		c.out.lines(c.teller.Tell(e))
		if q := c.ask.drop(w.ID, time.Now()); q != nil {
			c.out.lines(asks(*q))
		}
		c.release()
		return
	}
	c.out.lines(c.teller.Tell(e))
	if a, ok := e.(engine.Asked); ok {
		if len(c.ask.open) > 0 {
			c.out.say("Note: this one waits; answer the question before it first.")
		}
		c.ask.add(a.Question, time.Now())
	}
	if o, ok := e.(engine.Opened); ok {
		c.opened(o)
	}
	if r, ok := e.(engine.Rewound); ok && c.then.again && !r.Back {
		c.then.again = false
		c.message(r.Text)
	}
	if end, ok := e.(engine.Ended); ok {
		c.ended(end)
	}
}

// known brings what is known of the session up to an event.
func (c *chat) known(e engine.Event) {
	row := &c.exit.Session
	switch e := e.(type) {
	case engine.Opened:
		*row, c.exit.Stored, c.exit.Changed = e.Session, e.Resumed, nil
		c.facts.plan, c.facts.used = nil, engine.Used{Context: e.Session.Context, Cost: e.Session.Cost}
		if e.Session.Mode != "" {
			c.facts.mode = e.Session.Mode
		}
	case engine.Began:
		row.Turns, row.Route = e.Turn, e.Route
	case engine.Appended:
		c.exit.Stored = true
		if row.Title == "" && e.Message.Role == engine.RoleUser {
			row.Title, _, _ = strings.Cut(strings.TrimSpace(e.Message.Text()), "\n")
		}
	case engine.CallEnded:
		for _, path := range e.Result.Changed {
			if !slices.Contains(c.exit.Changed, path) {
				c.exit.Changed = append(c.exit.Changed, path)
			}
		}
	case engine.Compacted:
		if e.Child != "" {
			row.ID = e.Child
		}
	case engine.Used:
		c.facts.used, row.Cost = e, e.Cost
	case engine.Planned:
		c.facts.plan = e.Tasks
	case engine.Noted:
		c.noted(e)
	case engine.Stepped, engine.Streamed, engine.CallBegan, engine.CallWrote, engine.Asked, engine.Withdrawn, engine.Steered, engine.Queued, engine.Rewound,
		engine.Child, engine.Ended, engine.Unknown:
	}
}

func (c *chat) noted(n engine.Noted) {
	row := &c.exit.Session
	if n.Kind == engine.NoteMode {
		c.facts.mode = n.Text
	}
	if n.Kind == engine.NoteTitle {
		row.Title = n.Text
	}
	if provider, name, ok := strings.Cut(n.Text, "/"); ok && n.Kind == engine.NoteModel {
		row.Route.Provider, row.Route.Model = provider, name
	}
}

// opened reads the last turn of a session that goes on, and begins with what the program was started for.
func (c *chat) opened(o engine.Opened) {
	c.ask.open, c.ask.later, c.ask.edit = nil, nil, nil
	if o.Resumed {
		c.out.lines(Log(lastTurn(o.Past), c.d.Options.Look))
	}
	first, pick, connect := c.d.Options.First, c.d.Options.Picker, c.d.Options.Connect
	c.d.Options.First, c.d.Options.Picker, c.d.Options.Connect = "", false, false
	switch {
	case pick:
		c.sessions("")
	case connect || !c.connected():
		c.ask.keep(first)
		c.connect()
		return
	case c.turn.State == turn.Stopped:
		c.out.say("Ready: the last turn was not finished. Enter continues it. /help lists what can be typed.")
	default:
		c.out.say("Ready: type a message. /help lists what can be typed.")
	}
	if first != "" {
		c.message(first)
	}
}

func (c *chat) connected() bool { return c.exit.Session.Route.Model != "" }

// Log returns the lines of records, as they were told when they happened.
func Log(all []engine.Record, look Look) (out []string) {
	t := NewTeller(look)
	for _, r := range all {
		out = append(out, t.Tell(r.Event)...)
	}
	return out
}

// lastTurn is the records from the last turn on.
func lastTurn(all []engine.Record) []engine.Record {
	for i := len(all) - 1; i >= 0; i-- {
		if _, ok := all[i].Event.(engine.Began); ok {
			for ; i > 0; i-- { // its message was stored before it began
				if a, ok := all[i-1].Event.(engine.Appended); !ok || a.Message.Role != engine.RoleUser {
					break
				}
			}
			return all[i:]
		}
	}
	return all
}

// ended sends what was to follow a stop.
func (c *chat) ended(e engine.Ended) {
	c.ask.open, c.ask.later, c.ask.edit = nil, nil, nil
	c.leaving.asked = false
	if next := c.then.next; next != "" {
		c.then.next = ""
		c.message(next)
		return
	}
	c.release()
	if err := e.Outcome.Err; err != nil && (err.Code == engine.CodeNoKey || err.Reason == engine.ReasonAuth || err.Reason == engine.ReasonAuthPermanent) {
		c.connect()
	}
}

// progress says that a long turn still works (UX 4.9: at most every 30 s).
func (c *chat) progress() {
	if !c.turn.Active || c.turn.State == turn.NeedsYou {
		return
	}
	for _, act := range c.turn.Tools {
		if time.Since(act.Began) >= progress {
			c.out.say("Progress: %s has run for %s.", action(act.Line), spoken(time.Since(act.Began)))
			return
		}
	}
	if took := c.turn.Elapsed(time.Now()); took >= progress {
		c.out.say("Progress: still working, %s.", spoken(took))
	}
}

// message sends a text: a message, or while the agent works what ui.busy_enter says.
func (c *chat) message(text string) {
	switch {
	case !c.connected():
		c.ask.keep(text)
		c.out.say("Kept: your message is sent when a model is connected.")
		c.connect()
	case !c.turn.Active:
		c.turn.Submitted(time.Now())
		c.do(engine.Submit{Text: text})
	case c.d.Options.BusyEnter == "queue":
		c.do(engine.Queue{Text: text})
	case c.d.Options.BusyEnter == "interrupt":
		c.then.next = text
		c.d.Engine.Do(engine.Interrupt{})
	default:
		c.do(engine.Steer{Text: text})
	}
}

// keep holds a text until it can be sent.
func (a *asking) keep(text string) {
	if strings.TrimSpace(text) != "" {
		a.kept = append(a.kept, text)
	}
}

// release sends what was kept, when nothing stands before it any more.
func (c *chat) release() {
	if len(c.ask.kept) == 0 || len(c.ask.open) > 0 || c.ask.list != nil || c.ask.secret != nil || !c.connected() {
		return
	}
	all := c.ask.kept
	c.ask.kept = nil
	for _, text := range all {
		c.message(text)
	}
}

// stops are the presses of Ctrl+C that still count.
type stops struct {
	all  []time.Time // within the last 1.5 s: four end the program
	turn time.Time   // the last that stopped a turn
	quit time.Time   // the last that only warned
}

// signal: Ctrl+C stops the turn; twice within a second after that, or twice within two with nothing to stop, it leaves.
// Four within 1.5 s leave from any state.
func (c *chat) signal(s os.Signal) {
	if s == syscall.SIGPIPE {
		return // the next line that is written finds out
	}
	if s != syscall.SIGINT {
		number, _ := s.(syscall.Signal)
		c.exit.Code, c.leaving.over = 128+int(number), true
		return
	}
	now := time.Now()
	c.stops.all = append(slices.DeleteFunc(c.stops.all, func(t time.Time) bool { return now.Sub(t) > 1500*time.Millisecond }), now)
	switch running := c.turn.Active; {
	case len(c.stops.all) >= 4, now.Sub(c.stops.turn) < time.Second:
		if running || now.Sub(c.stops.turn) < 1500*time.Millisecond {
			c.exit.Code = 130
		}
		c.leaving.over = true
	case c.ask.secret != nil || c.ask.list != nil || c.ask.edit != nil:
		c.dismiss()
	case c.then.own != nil && !running:
		c.out.say("Stopping: your command.")
		c.then.own()
	case running:
		c.stops.turn = now
		c.out.say("Stopping: now.")
		c.turn.Stop(true, now)
		c.d.Engine.Do(engine.Interrupt{})
	case now.Sub(c.stops.quit) < 2*time.Second:
		c.quit()
	default:
		c.stops.quit = now
		c.out.say("Note: Ctrl+C again within 2 seconds quits.")
	}
}

// dismiss leaves a list, a key or an edit without a choice.
func (c *chat) dismiss() {
	if e := c.ask.edit; e != nil {
		c.ask.edit = nil
		c.out.say("Note: nothing was changed.")
		c.out.lines(asks(e.q))
		return
	}
	c.ask.list, c.ask.secret = nil, nil
	c.echo(true)
	c.out.say("Note: left without a choice.")
	c.release()
}

// quit leaves, asking first when the agent is at work or commands run in the background: none outlives the program.
func (c *chat) quit() {
	background := 0
	if c.d.Processes != nil && !c.turn.Active {
		for _, p := range c.d.Processes.List() {
			if p.Running {
				background++
			}
		}
	}
	switch {
	case c.turn.Active:
		c.leaving.asked = true
		c.out.say("Question: the agent is still working. s stops it and quits, Enter stays.")
	case background > 0:
		c.leaving.asked = true
		c.out.say("Question: %s in the background. s ends that and quits, Enter stays.", plural(background, "command runs", "commands run"))
	default:
		c.leaving.over = true
	}
}

// Package plain is the conversation as lines, for a screen reader or a terminal that can do nothing else: every event is
// one or more whole lines that begin with a word for what they are, and what the user wants is typed as lines too. It
// stands on the same seam as print mode, events out and ops in.
//
// It refuses to move the cursor, to redraw, to draw boxes, and to write anything while nothing happens. What a model or a
// tool says can neither drive the terminal nor pass for a line of the program's own.
package plain

import (
	"context"
	"io"
	"os"
	"time"

	"talaria/engine"
	"talaria/ui/turn"
)

// Engine is what the conversation drives: ops go in and never block, events come out on one channel, which closes when
// the engine has ended.
type Engine interface {
	Do(op engine.Op)
	Events() <-chan engine.Event
}

// Deps is what the program gives. Signals brings SIGINT, which stops a turn, and SIGTERM and SIGHUP, which end the
// program. Hide stops the terminal from echoing what is typed while a key is, and puts that back; it may be nil, as may
// all but Engine, In and Out.
type Deps struct {
	Engine    Engine
	Library   engine.Library
	Connect   engine.Connections
	Processes engine.Processes
	In        io.Reader
	Out       io.Writer
	Signals   <-chan os.Signal
	Hide      func(on bool)
	Views     Views
	Options   Options
}

// Views are what commands ask, each nil where there is none of it.
type Views struct {
	Timeline engine.Timeline
	Lens     engine.Lens
	Memory   engine.Remembered
	Agents   engine.Agents
	Ledger   engine.Ledger
	Reports  engine.Reports
	Rules    engine.Permissions
	Exporter engine.Exporter
	Forks    engine.Forks
	Skills   engine.Skills
}

// Options are how the conversation begins, and the settings that it follows.
type Options struct {
	Dir       string // absolute
	First     string // a message to send at once
	Mode      string // the approval mode at the start
	Picker    bool   // list the sessions first
	Connect   bool   // list the connections first
	TTY       bool   // lines are typed by a person: In ends when it is told to, and can be read again
	BusyEnter string // steer, queue or interrupt: what a line does while the agent works
	Look      Look
}

// Exit is how the conversation ended: the exit code of the program, the session that was open (stored when Stored), the
// files that tools changed, what was paid, and the crash when one ended it.
type Exit struct {
	Code    int
	Session engine.Session
	Stored  bool
	Changed []string
	Cost    string
	Crash   *engine.Crash
}

// Run holds the conversation until it is left, or until In ends and all that was asked is done.
func Run(ctx context.Context, d Deps) Exit {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &chat{d: d, ctx: ctx, out: &paper{w: d.Out}, teller: NewTeller(d.Options.Look), brought: make(chan func(), 8), facts: facts{mode: d.Options.Mode}}
	crashes := make(chan engine.Crash, 8)
	defer engine.OnCrash(func(crash engine.Crash) {
		select {
		case crashes <- crash:
		default: // others tell of it already
		}
	})()
	c.loop(read(ctx, d.In, d.Options.TTY), crashes)
	c.echo(true)
	return c.exit
}

// quiet is how long the engine may leave an op without any event, when no more can be typed, before that is its answer;
// progress is how often a long turn says that it still works (UX 4.9).
const (
	quiet    = 2 * time.Second
	progress = 30 * time.Second
)

// chat is one conversation. It belongs to the goroutine of Run.
type chat struct {
	d       Deps
	ctx     context.Context
	out     *paper
	teller  *Teller
	turn    turn.Turn
	waits   waits
	ask     asking
	brought chan func() // what commands that took time came to, to be told here
	abroad  int         // of those, how many are under way
	facts   facts
	then    then
	stops   stops
	leaving leaving
	exit    Exit
}

// then is what goes on beside the conversation, and what follows.
type then struct {
	own   func() // ends the user's own command that runs, nil for none
	again bool   // the undo that makes room for the message of /retry
	next  string // what is sent when the turn that was stopped has ended
}

// facts is what is known of the session.
type facts struct {
	mode string // the approval mode
	used engine.Used
	plan []engine.Task
}

// leaving is how far the end of the conversation is.
type leaving struct {
	asked, ended, over bool // asked whether to; nothing more can be typed; it is over
}

// loop passes lines in and events out until the conversation is over.
func (c *chat) loop(lines <-chan line, crashes <-chan engine.Crash) {
	still, settle := time.NewTimer(progress), time.NewTimer(quiet)
	defer still.Stop()
	defer settle.Stop()
	for !c.leaving.over {
		select {
		case e, ok := <-c.d.Engine.Events():
			if !ok {
				return
			}
			c.on(e)
			settle.Reset(quiet)
		case l, ok := <-lines:
			if !ok {
				lines, l = nil, line{end: true}
			}
			c.take(l)
			settle.Reset(quiet)
		case s := <-c.d.Signals:
			c.signal(s)
		case tell := <-c.brought:
			c.abroad--
			tell()
		case crash := <-crashes:
			c.exit.Crash, c.exit.Code, c.leaving.over = &crash, 1, true
		case <-still.C:
			c.progress()
			still.Reset(progress)
			continue
		case <-settle.C:
			c.waits.perhaps = 0
		}
		c.leave()
	}
}

// leave ends the conversation when nothing more can be typed and nothing more happens.
func (c *chat) leave() {
	if c.out.gone != nil { // nobody listens any more
		c.leaving.over = true
	}
	if !c.leaving.ended || c.leaving.over {
		return
	}
	for _, op := range c.ask.refusals() {
		c.d.Engine.Do(op)
	}
	c.leaving.over = !c.turn.Active && c.waits.idle() && c.abroad == 0
}

// later runs what takes time beside the conversation; what it returns is called in it.
func (c *chat) later(what string, f func() func()) {
	c.abroad++
	engine.Go(what, func() {
		tell := f()
		select {
		case c.brought <- tell:
		case <-c.ctx.Done():
		}
	})
}

// echo turns the echo of the terminal on or off.
func (c *chat) echo(on bool) {
	if c.d.Hide != nil {
		c.d.Hide(!on)
	}
}

// do gives the engine an op, and notes that something is to come of it.
func (c *chat) do(op engine.Op) {
	c.waits.sent(op)
	c.d.Engine.Do(op)
}

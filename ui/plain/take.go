package plain

import (
	"strings"
	"time"

	"talaria/engine"
	"talaria/ui/turn"
)

// take is what was typed: the end, an answer, a command, or a message.
func (c *chat) take(l line) {
	text := strings.TrimSpace(l.text)
	switch {
	case l.end:
		c.atEnd()
	case c.ask.secret != nil:
		use := c.ask.secret
		c.ask.secret = nil
		c.echo(true)
		use(text)
	case c.leaving.asked:
		c.leaving.asked = false
		if text == "s" {
			if c.turn.Active {
				c.exit.Code = 130
			}
			c.leaving.over = true
			return
		}
		c.out.say("Note: staying.")
		if text != "" {
			c.message(l.text)
		}
	case c.ask.edit != nil:
		c.editLine(l.text)
	case text == "":
		c.empty()
	case strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") && c.command(text):
	case c.d.Options.TTY && strings.HasPrefix(text, "!") && !strings.Contains(text, "\n"):
		line, private := strings.CutPrefix(text[1:], "!")
		c.shell(line, !private)
	case c.ask.list != nil:
		c.pick(text)
	case len(c.ask.open) > 0:
		c.answer(l.text)
	default:
		c.message(l.text)
	}
}

// exitNoConnection is the exit code where no model could be asked (CONTRACT 2).
const exitNoConnection = 3

// atEnd: nothing more is typed. From a terminal it is Ctrl+D, which quits as /quit does; elsewhere what was asked is done
// first.
func (c *chat) atEnd() {
	if c.d.Options.TTY {
		if c.leaving.asked { // twice: it is meant, or the terminal is gone
			c.exit.Code, c.leaving.over = stopCode(c.turn.Active), true
			return
		}
		c.quit()
		return
	}
	c.leaving.ended = true
	if c.ask.list != nil || c.ask.secret != nil {
		c.ask.list, c.ask.secret = nil, nil
		c.release()
	}
	if !c.connected() && len(c.ask.kept) > 0 {
		c.exit.Code = exitNoConnection
		c.out.say("Error: no model is connected, and your message was not sent. talaria connect chooses one.")
	}
}

func stopCode(running bool) int {
	if running {
		return 130
	}
	return 0
}

// empty is Enter on an empty line: it leaves a list, asks again at once, or continues.
func (c *chat) empty() {
	switch {
	case c.ask.list != nil:
		c.dismiss()
	case len(c.ask.open) > 0:
		c.out.lines(asks(c.ask.open[0]))
	case c.turn.State == turn.Retrying:
		c.do(engine.RetryNow{})
	case len(c.ask.later) > 0:
		c.back()
	case c.turn.Active:
		c.status()
	case c.turn.State == turn.Stopped, c.turn.State == turn.Failed, c.waits.steers+c.waits.queued > 0:
		c.do(engine.Continue{})
	default:
		c.status()
	}
}

// answer gives the first question what was typed. What is no answer to it is kept, and sent when the question is closed.
func (c *chat) answer(text string) {
	q := c.ask.open[0]
	a, ok := answer(q, text)
	early := c.d.Options.TTY && time.Since(c.ask.opened) < guard
	switch {
	case early || !ok:
		why := "It is no answer to the question"
		if early {
			why = "It was typed before the question was there"
		}
		c.ask.keep(text)
		c.out.say("Kept: %s. %s, and is sent when that is closed.", strings.TrimSuffix(oneLine(text), "."), why)
		c.out.lines(asks(q)[len(asks(q))-1:])
	case a.Choice == engine.ChoiceEdit && q.Kind == engine.Approval:
		c.ask.edit = &editing{q: q}
		c.out.say("Note: this is the text. Type all of it as it shall be; a line with a single dot ends it. A dot at once changes nothing.")
		c.out.lines(set(q.Draft))
	default:
		c.d.Engine.Do(a)
	}
}

// editLine takes a line of a call that is typed anew.
func (c *chat) editLine(text string) {
	e := c.ask.edit
	if text != "." {
		e.lines = append(e.lines, strings.Split(text, "\n")...)
		return
	}
	if len(e.lines) == 0 {
		c.dismiss()
		return
	}
	c.ask.edit = nil
	c.d.Engine.Do(engine.Answer{ID: e.q.ID, Choice: engine.ChoiceEdit, Text: strings.Join(e.lines, "\n")})
}

// putOff leaves the first question for later, where it may be.
func (c *chat) putOff() {
	if len(c.ask.open) == 0 || c.ask.open[0].Kind != engine.Clarify {
		c.out.say("Note: no question is open that can wait.")
		return
	}
	q := c.ask.open[0]
	c.ask.open = c.ask.open[1:]
	if q.Esc != "" {
		c.d.Engine.Do(engine.Answer{ID: q.ID, Choice: q.Esc})
		return
	}
	c.ask.later = append(c.ask.later, q)
	c.out.say("Note: the question waits. Enter on an empty line asks it again.")
	c.release()
}

// back asks a question that was left for later.
func (c *chat) back() {
	q := c.ask.later[0]
	c.ask.later = c.ask.later[1:]
	c.ask.open = append([]engine.Question{q}, c.ask.open...)
	c.ask.opened = time.Now()
	c.out.lines(asks(q))
}

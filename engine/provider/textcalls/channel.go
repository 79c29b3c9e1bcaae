package textcalls

import (
	"strings"

	"talaria/engine"
)

// channel turns the deltas of one reply into deltas with calls.
type channel struct {
	tools  tools
	scan   *scanner
	native bool // the server made a call itself: all markup is text

	out       []engine.Delta // what can be told now
	gap       string         // whitespace that is only told if no call follows it
	held      []piece        // from the first call on, all that came
	fed, told int            // bytes of text that came, and of these those that the scanner decided
	queue     []behind       // deltas behind text that is not decided
}

// piece is one thing of the held end of a reply: text, a block of calls with its text, or another delta.
type piece struct {
	text  string
	calls []call
	delta engine.Delta
}

// behind is a delta that has its place after at bytes of text.
type behind struct {
	at    int
	delta engine.Delta
}

// quiet is how many bytes may wait without a sign that the model is at work.
const quiet = 64

func newChannel(ts tools) *channel {
	c := &channel{tools: ts}
	c.reset()
	return c
}

func (c *channel) reset() {
	*c = channel{tools: c.tools}
	c.scan = newScanner(c.tools, c.take)
}

// add takes one delta and returns what can be told now.
func (c *channel) add(d engine.Delta) []engine.Delta {
	switch d := d.(type) {
	case engine.TextDelta:
		if c.native {
			return []engine.Delta{d}
		}
		c.fed += len(d.Text)
		c.scan.feed(d.Text)
		return c.news()
	case engine.ThoughtDelta, engine.OpaqueDelta:
		if c.native {
			return []engine.Delta{d}
		}
		if c.told < c.fed {
			c.queue = append(c.queue, behind{c.fed, d})
		} else {
			c.put(piece{delta: d})
		}
		return c.news()
	case engine.CallDelta:
		out := append(c.abandon(), d)
		c.native = true
		return out
	case engine.Done:
		return c.done(d)
	case engine.Retry:
		if !d.Keep {
			c.reset() // what waited is dropped with what was told
		}
	}
	return []engine.Delta{d}
}

// take is told by the scanner what a piece of the text is: text, or the calls it makes.
func (c *channel) take(text string, calls []call) {
	if calls == nil {
		for len(c.queue) > 0 && c.queue[0].at < c.told+len(text) {
			n := c.queue[0].at - c.told
			c.put(piece{text: text[:n]})
			text, c.told = text[n:], c.told+n
			c.put(piece{delta: c.queue[0].delta})
			c.queue = c.queue[1:]
		}
	}
	c.put(piece{text: text, calls: calls})
	c.told += len(text)
	for len(c.queue) > 0 && c.queue[0].at <= c.told {
		c.put(piece{delta: c.queue[0].delta})
		c.queue = c.queue[1:]
	}
}

// put tells p, or holds it behind the first call.
func (c *channel) put(p piece) {
	switch {
	case p.calls != nil || len(c.held) > 0:
		c.held = append(c.held, p)
	case p.delta != nil:
		c.say(c.gap)
		c.gap = ""
		c.out = append(c.out, p.delta)
	default:
		all := c.gap + p.text
		core := strings.TrimRight(all, space)
		c.say(core)
		c.gap = all[len(core):]
	}
}

func (c *channel) say(s string) {
	if s != "" {
		c.out = append(c.out, engine.TextDelta{Text: s})
	}
}

// news is what can be told now, at least a sign of life while much waits.
func (c *channel) news() []engine.Delta {
	out := c.out
	c.out = nil
	if len(out) == 0 && (len(c.held) > 0 || c.fed-c.told > quiet) {
		return []engine.Delta{engine.ThoughtDelta{}}
	}
	return out
}

// abandon tells all that waits as the text it was, and is ready for another reply.
func (c *channel) abandon() []engine.Delta {
	if c.native {
		return nil
	}
	c.scan.decide(true)
	c.say(c.gap)
	for _, p := range c.held {
		if p.delta != nil {
			c.out = append(c.out, p.delta)
		}
		c.say(p.text)
	}
	out := c.out
	c.reset()
	return out
}

// done ends the reply: the calls are calls now.
func (c *channel) done(d engine.Done) []engine.Delta {
	if c.native || !usable(d.Stop) {
		return append(c.abandon(), d)
	}
	c.scan.decide(true)
	if len(c.held) == 0 {
		return append(c.abandon(), d)
	}
	bare := true // nothing is said from the first call on: the whitespace around the calls is not told either
	for _, p := range c.held {
		bare = bare && (p.calls != nil || strings.TrimSpace(p.text) == "")
	}
	if !bare {
		c.say(c.gap)
	}
	slot := 0
	for _, p := range c.held {
		switch {
		case p.delta != nil:
			c.out = append(c.out, p.delta)
		case p.calls == nil && !bare:
			c.say(p.text)
		}
		for _, one := range p.calls {
			c.out = append(c.out, engine.CallDelta{Index: slot, Name: one.name, Args: one.args})
			slot++
		}
	}
	if d.Stop != engine.StopLength || !c.scan.cut {
		d.Stop = engine.StopCalls
	}
	out := append(c.out, d)
	c.reset()
	return out
}

// usable reports whether a reply that ended so may make calls.
func usable(s engine.Stop) bool {
	switch s {
	case engine.StopEnd, engine.StopCalls, engine.StopLength, engine.StopUnknown, "":
		return true
	}
	return false
}

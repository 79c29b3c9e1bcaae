// Package think takes reasoning that a model wrote into its text, between tags such as <think>, out of the text and into
// the reasoning channel: as a decorator of a stream, and for a whole string, by one state machine.
//
// What a tag means depends on the text before it and never on how the text was cut. Inside a code fence or backticks it
// is text. At the start of a line it begins reasoning, up to its close or the end of the reply. In the middle of a line
// it keeps back what follows: closed, that was reasoning; never closed, it was text. A close with no open is removed.
// Tags of one name nest; another name's close does not close. Fences do not protect inside reasoning that began at the
// start of a line, since a model that is made to stop thinking may stop in the middle of one.
//
// It refuses to guess at reasoning without tags, and it changes no other delta.
package think

import (
	"context"
	"iter"
	"strings"

	"talaria/engine"
)

// Wrap returns p with the reasoning in its text deltas told as thoughts. The order of all deltas is kept: while text is
// kept back, so are the thoughts and opaque deltas behind it. While a mid-line tag keeps text back, an empty
// ThoughtDelta says that the model is at work. A call, Done, an error and the end of the stream decide what waits.
func Wrap(p engine.Provider) engine.Provider { return wrapped{p} }

// Clean parts a whole reply into what is for the user and the reasoning, its blocks joined by a blank line.
func Clean(s string) (visible, reasoning string) {
	var text, thoughts strings.Builder
	c, apart := newChannel(), false // apart: text stands between the last thought and what comes
	for _, d := range append(c.text(s), c.end()...) {
		if t, ok := d.(engine.TextDelta); ok {
			text.WriteString(t.Text)
			apart = thoughts.Len() > 0
		}
		if t, ok := d.(engine.ThoughtDelta); ok && t.Text != "" {
			if apart {
				thoughts.WriteString("\n\n")
			}
			thoughts.WriteString(t.Text)
			apart = false
		}
	}
	return text.String(), thoughts.String()
}

type wrapped struct{ engine.Provider }

// Stream yields the deltas of the wrapped provider, scrubbed.
func (w wrapped) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		c := newChannel()
		send := func(ds []engine.Delta) bool {
			for _, d := range ds {
				if !yield(d, nil) {
					return false
				}
			}
			return true
		}
		for d, err := range w.Provider.Stream(ctx, req) {
			if err != nil {
				if send(c.end()) {
					yield(nil, err)
				}
				return
			}
			if !send(c.add(d)) {
				return
			}
		}
		send(c.end())
	}
}

// channel turns deltas into scrubbed deltas.
type channel struct {
	scrub *scrubber
	out   []engine.Delta

	fed, told int      // bytes of text that came, and of these those that are decided
	queue     []behind // deltas behind text that waits

	musing bool // a thought was the last thing told
	closed bool // and its block has ended
}

// behind is a delta that is told once at bytes are decided.
type behind struct {
	at    int
	delta engine.Delta
}

func newChannel() *channel {
	c := &channel{}
	c.reset()
	return c
}

func (c *channel) reset() {
	*c = channel{}
	c.scrub = newScrubber(c.emit)
}

func (c *channel) emit(k kind, s string) {
	c.told += len(s)
	switch k {
	case visible:
		c.musing, c.closed = false, false
		c.out = append(c.out, engine.TextDelta{Text: s})
	case thought:
		if c.closed {
			s = "\n\n" + s // two blocks with nothing between them become one thought
		}
		c.musing, c.closed = true, false
		c.out = append(c.out, engine.ThoughtDelta{Text: s})
	case dropped:
		c.closed = c.musing
	}
	for len(c.queue) > 0 && c.queue[0].at <= c.told {
		c.out, c.queue = append(c.out, c.queue[0].delta), c.queue[1:]
	}
}

// add takes one delta and returns what can be told now.
func (c *channel) add(d engine.Delta) []engine.Delta {
	switch d := d.(type) {
	case engine.TextDelta:
		return c.text(d.Text)
	case engine.ThoughtDelta, engine.OpaqueDelta:
		if c.told < c.fed {
			c.queue = append(c.queue, behind{c.fed, d})
			return nil
		}
	case engine.CallDelta:
		c.scrub.flush()
		out := append(c.take(), d)
		c.musing, c.closed = false, false
		return out
	case engine.Done:
		return append(c.end(), d)
	case engine.Retry:
		if !d.Keep {
			c.reset() // what waited is dropped with what was told
		}
	}
	return []engine.Delta{d}
}

func (c *channel) text(s string) []engine.Delta {
	c.fed += len(s)
	c.scrub.feed(s)
	if len(c.out) == 0 && s != "" && c.scrub.place == midline {
		return []engine.Delta{engine.ThoughtDelta{}}
	}
	out := c.out
	c.out = nil
	return out
}

// take returns what was told and all that is queued behind it.
func (c *channel) take() []engine.Delta {
	out := c.out
	for _, b := range c.queue {
		out = append(out, b.delta)
	}
	c.out, c.queue = nil, nil
	return out
}

// end decides all and makes ready for another reply.
func (c *channel) end() []engine.Delta {
	c.scrub.end()
	out := c.take()
	c.reset()
	return out
}

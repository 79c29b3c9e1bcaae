package textcalls

import (
	"slices"
	"strings"
)

// mayCall reports whether the first line of a fence is one that models put before a call.
func mayCall(info string) bool {
	return slices.Contains([]string{"json", "tool_call", "tool_calls"}, strings.ToLower(strings.TrimSpace(info)))
}

// fences reads fenced calls that end the reply. When they do not, i is behind those that were read whole.
func (c *cursor) fences() (calls []call, _ verdict) {
	for {
		end := c.i
		c.blank()
		if c.rest() == "" && len(calls) > 0 {
			if c.whole {
				return calls, yes
			}
			return nil, maybe
		}
		one, v := c.fence()
		if v != yes {
			c.i = end
			return nil, v
		}
		calls = append(calls, one)
	}
}

// fence reads a fenced block that is one call.
func (c *cursor) fence() (call, verdict) {
	rest := c.rest()
	n := runLen(rest)
	switch {
	case rest[0] != '`' && rest[0] != '~':
		return call{}, no
	case n == len(rest) && !c.whole:
		return call{}, maybe
	case n < 3:
		return call{}, no
	}
	info, v := firstLine(rest[n:], rest[0], c.whole)
	switch {
	case v != yes:
		return call{}, v
	case !mayCall(info):
		return call{}, no
	}
	c.i += n + len(info)
	c.blank()
	if v := c.headed(); v != yes {
		return call{}, v
	}
	raw, v := c.value()
	if v != yes {
		return call{}, v
	}
	if v := c.close(rest[0], n); v != yes {
		return call{}, v
	}
	one, ok := c.tools.parse(raw, unasked)
	if !ok {
		return call{}, no
	}
	return one, yes
}

// close reads the line that ends a fence of n marks.
func (c *cursor) close(mark byte, n int) verdict {
	before := c.i
	c.blank()
	rest := c.rest()
	m := len(rest) - len(strings.TrimLeft(rest, string(rune(mark))))
	line, _, ended := strings.Cut(rest[m:], "\n")
	switch {
	case rest == "" || m == len(rest) && !c.whole:
		return maybe
	case m < n || !strings.Contains(c.s[before:c.i], "\n") || strings.TrimSpace(line) != "":
		return no
	case !ended && !c.whole:
		return maybe
	}
	c.i += m
	return yes
}

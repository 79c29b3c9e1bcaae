package textcalls

import "strings"

// cursor reads one block. Its readers return yes with i behind the block, no with i behind what is text for certain, or
// maybe when s is too short to say.
type cursor struct {
	s     string
	i     int
	whole bool // s will not grow
	tools tools
}

// rest is what was not read.
func (c *cursor) rest() string { return c.s[c.i:] }

// blank passes over whitespace.
func (c *cursor) blank() { c.i = len(c.s) - len(strings.TrimLeft(c.rest(), space)) }

// at reads one of texts, which must come next. It is maybe while what there is could become one, also when s is whole:
// then the block has no end.
func (c *cursor) at(texts ...string) verdict {
	v, size := c.sees(texts...)
	c.i += size
	return v
}

// may reads one of texts, without which the block is as good.
func (c *cursor) may(texts ...string) verdict {
	v := c.at(texts...)
	if v == maybe && c.whole {
		return no
	}
	return v
}

// sees is at without reading.
func (c *cursor) sees(texts ...string) (v verdict, size int) {
	rest := c.rest()
	for _, t := range texts {
		if strings.HasPrefix(rest, t) {
			return yes, len(t)
		}
		if strings.HasPrefix(t, rest) {
			v = maybe
		}
	}
	return v, 0
}

// maxName bounds the names of tools and parameters, in bytes.
const maxName = 128

// look is as much of the rest as a name and more bytes behind it can have.
func (c *cursor) look(more int) string {
	rest := c.rest()
	return rest[:min(len(rest), maxName+more)]
}

// name reads the name of an offered tool that ends at one of the bytes of stop, which is not read.
func (c *cursor) name(stop string) (string, verdict) {
	look := c.look(1)
	i := strings.IndexAny(look, stop)
	if i < 0 {
		if c.tools.begins(strings.TrimRight(look, space)) {
			return "", maybe
		}
		return "", no
	}
	name := strings.TrimSpace(look[:i])
	if _, ok := c.tools[name]; !ok {
		return "", no
	}
	c.i += i
	return name, yes
}

// first reads up to the first of ends, and that.
func (c *cursor) first(ends ...string) (string, verdict) {
	best, size := -1, 0
	for _, end := range ends {
		if j := strings.Index(c.rest(), end); j >= 0 && (best < 0 || j < best) {
			best, size = j, len(end)
		}
	}
	if best < 0 {
		return "", maybe
	}
	text := c.rest()[:best]
	c.i += best + size
	return text, yes
}

// until reads up to the first end that one of next follows behind whitespace, and that end. An end with something else
// behind it belongs to the value: a model may write about markup.
func (c *cursor) until(end string, next ...string) (string, verdict) {
	start := c.i
	for {
		j := strings.Index(c.rest(), end)
		if j < 0 {
			c.i = start
			return "", maybe
		}
		value := c.s[start : c.i+j]
		c.i += j + len(end)
		mark := c.i
		c.blank()
		v, _ := c.sees(next...)
		c.i = mark
		switch v {
		case yes:
			return value, yes
		case maybe:
			c.i = start
			return "", maybe
		}
	}
}

// alone says whether nothing follows on this line but other blocks.
func (c *cursor) alone() verdict {
	rest := strings.TrimLeft(c.rest(), " \t\r")
	switch {
	case rest == "" && !c.whole:
		return maybe
	case rest == "" || rest[0] == '\n':
		return yes
	}
	_, _, v := match(rest)
	if v == maybe && c.whole {
		return no
	}
	return v
}

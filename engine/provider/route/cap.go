package route

// The bounds of a raised output cap in tokens (BEHAVIOUR 4.8).
const (
	usualCap   = 4096 // taken for a request that names none
	highestCap = 32_768
)

// outputCap is how many tokens a reply may have. It grows each time a reply was cut by it.
type outputCap struct {
	asked   int // by the loop, 0 for the provider's own
	now     int // raised, 0 when it is as asked
	raises  int
	refused bool // the server refused a raised cap
}

// tokens is the cap of the next request.
func (c *outputCap) tokens() int {
	if c.now > 0 {
		return c.now
	}
	return c.asked
}

// raise makes room after a reply that was cut at used tokens, 0 when the server did not say. Where the loop named no cap
// the server's own showed itself in used; what may be more than can be asked for is left alone.
func (c *outputCap) raise(used int) {
	c.raises++
	base := c.asked
	if base == 0 {
		base = max(usualCap, used)
	}
	if c.refused || c.asked == 0 && base >= highestCap {
		return
	}
	c.now = max(c.now, min(base*(c.raises+1), max(highestCap, c.asked)))
}

// lower goes back to what the loop asked for, for good. It reports whether that changes anything.
func (c *outputCap) lower() bool {
	changed := c.tokens() != c.asked
	c.now, c.refused = 0, true
	return changed
}

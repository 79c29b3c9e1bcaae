package transcript

// spool is how much of the conversation the terminal's own scrollback has, where the screen is not a screen of its own:
// all entries before at, and rows of that one, which were laid out at a width and show so many bytes of an answer.
type spool struct {
	at, rows     int
	bytes, width int
	some         bool // something stands above
	past         int  // the entries that the session had when it came on screen
}

// Unspool returns the rows that can no longer change and were not returned before. What they were does not matter any
// more: they are the terminal's now. Active says that a turn runs.
func (t *Transcript) Unspool(active bool) (out []string) {
	s := &t.spool
	if t.layout.width <= 0 {
		return nil
	}
	t.respool()
	for ; s.at < len(t.feed.Entries); s.at, s.rows, s.bytes = s.at+1, 0, 0 {
		lines := t.rows(s.at)
		if len(lines) == 0 && s.rows > 0 {
			out = append(out, t.feed.Sheet().Words("  (that answer broke off and begins anew)"))
		}
		n, bytes, all := t.feed.Settled(s.at, t.layout.width, active)
		if all {
			n = len(lines)
		}
		if n > s.rows {
			if s.rows == 0 && s.some && t.gap(s.at) > 0 {
				out = append(out, "")
			}
			out = append(out, lines[s.rows:n]...)
			s.rows, s.bytes, s.some = n, bytes, true
		}
		if !all {
			break
		}
	}
	return t.fitted(out)
}

// respool counts the rows of an answer that is half above anew when the width has changed.
func (t *Transcript) respool() {
	s := &t.spool
	if s.rows > 0 && s.width != t.layout.width && s.at < len(t.feed.Entries) {
		s.rows = t.feed.RowsOf(s.at, s.bytes, t.layout.width)
	}
	s.width = t.layout.width
}

// Live is the last rows, at most n, of what Unspool has not returned.
func (t *Transcript) Live(n int) (out []string) {
	if t.layout.width <= 0 || n <= 0 {
		return nil
	}
	t.respool()
	for i := len(t.feed.Entries) - 1; i >= t.spool.at && len(out) < n; i-- {
		lines := t.rows(i)
		if i == t.spool.at {
			lines = lines[min(t.spool.rows, len(lines)):]
		}
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && t.gap(t.after(i)) > 0 {
			lines = append(lines[:len(lines):len(lines)], "")
		}
		out = append(lines[:len(lines):len(lines)], out...)
	}
	return t.fitted(out[max(0, len(out)-n):])
}

// Respool begins anew with the last rows, at most n, of what the session had when it came on screen: that is not printed
// from its beginning. It reports whether something was left out.
func (t *Transcript) Respool(n int) (left bool) {
	i := min(t.spool.past, len(t.feed.Entries))
	for rows := 0; i > 0; i-- {
		if rows += len(t.rows(i-1)) + 1; rows > n {
			break
		}
	}
	t.spool = spool{at: i, width: t.layout.width, some: t.spool.some}
	return i > 0
}

// Spooled reports whether everything that can be expanded is the terminal's already.
func (t *Transcript) Spooled() bool { return t.spool.at >= len(t.feed.Entries) }

package transcript

import "talaria/ui/transcript/feed"

// maxLaid is how many layouts are kept: enough for a good deal of scrolling, few enough that a session of 10,000
// messages stays small.
const maxLaid = 400

// layout holds the rows of blocks. Only blocks that are asked for are laid out.
type layout struct {
	width int
	shift int // columns by which code is scrolled sideways
	laid  int // layouts that are kept
}

// rows lays entry i out, or returns what was laid out before.
func (t *Transcript) rows(i int) []string {
	e := t.feed.Entries[i]
	if e.Hidden() {
		return nil
	}
	if m := &e.Memo; !m.Laid || m.Version != e.Version() || m.Width != t.layout.width || m.Shift != t.layout.shift {
		if !m.Laid {
			t.layout.laid++
		}
		*m = feed.Memo{Lines: e.Render(max(1, t.layout.width)), Version: e.Version(), Width: t.layout.width, Shift: t.layout.shift, Laid: true}
	}
	return e.Memo.Lines
}

// gap is the number of rows before entry i: a blank one, but none between packed blocks. At the very top there is one only
// when the conversation went on above it.
func (t *Transcript) gap(i int) int {
	p := t.before(i)
	if p < 0 && t.older.lead {
		return 1
	}
	if p < 0 || t.feed.Entries[i].Packed && t.feed.Entries[p].Packed {
		return 0
	}
	return 1
}

// before and after are the nearest entries that show something; -1 when there is none.
func (t *Transcript) before(i int) int {
	for i--; i >= 0 && len(t.rows(i)) == 0; i-- {
	}
	return i
}

func (t *Transcript) after(i int) int {
	for i++; i < len(t.feed.Entries); i++ {
		if len(t.rows(i)) > 0 {
			return i
		}
	}
	return -1
}

// sweep forgets layouts far from the entries first to last when too many are kept.
func (t *Transcript) sweep(first, last int) {
	if t.layout.laid <= maxLaid {
		return
	}
	const near = maxLaid / 8
	for i, e := range t.feed.Entries {
		if i >= first-near && i <= last+near || !e.Memo.Laid {
			continue
		}
		e.Forget()
		t.layout.laid--
	}
}

package transcript

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
	e := t.feed.entries[i]
	if e.Hidden() {
		return nil
	}
	if m := &e.memo; !m.laid || m.version != e.Version() || m.width != t.layout.width || m.shift != t.layout.shift {
		if !m.laid {
			t.layout.laid++
		}
		*m = memo{lines: e.Render(max(1, t.layout.width)), version: e.Version(), width: t.layout.width, shift: t.layout.shift, laid: true}
	}
	return e.memo.lines
}

// gap is the number of blank rows before entry i: one, but none at the very top and none between packed blocks.
func (t *Transcript) gap(i int) int {
	p := t.before(i)
	if p < 0 || t.feed.entries[i].packed && t.feed.entries[p].packed {
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
	for i++; i < len(t.feed.entries); i++ {
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
	for i, e := range t.feed.entries {
		if i >= first-near && i <= last+near || !e.memo.laid {
			continue
		}
		e.memo = memo{}
		t.layout.laid--
		if f, ok := e.block.(forgetter); ok {
			f.Forget()
		}
	}
}

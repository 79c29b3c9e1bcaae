package feed

import "slices"

// Settled says how much of entry i can no longer change: so many of its rows at width, which show so many bytes of an
// answer that is still arriving, and whether that is all there will be. Active says that the turn goes on.
func (f *Feed) Settled(i, width int, active bool) (rows, bytes int, all bool) {
	e := f.Entries[i]
	if r, ok := e.Block.(*reply); ok && !r.hidden && r.stream != nil && (r.open || active && f.growing(i)) {
		n := len(r.stream.Lines(width))
		rows, bytes = r.stream.Settled()
		return min(rows, max(0, n-1)), bytes, false
	}
	if t, ok := e.Block.(ticker); ok && t.Running() || e.Block == Block(f.retry) || active && f.growing(i) {
		return 0, 0, false
	}
	return 0, 0, true
}

// growing reports whether the reply that entry i belongs to may still get more, or be told anew.
func (f *Feed) growing(i int) bool {
	b := f.Entries[i].Block
	if !slices.Contains(f.live, b) && !slices.Contains(f.told.blocks, b) {
		return false
	}
	for _, later := range f.Entries[i+1:] { // once something else follows, the message is whole
		switch later.Block.(type) {
		case *reply, *thought, *writing:
		default:
			return slices.Contains(f.live, b)
		}
	}
	return true
}

// RowsOf is how many rows at width the first bytes of the answer in entry i take.
func (f *Feed) RowsOf(i, bytes, width int) int {
	r, ok := f.Entries[i].Block.(*reply)
	if !ok {
		return 0
	}
	text := r.item().Source
	return len(r.md.Render(text[:min(bytes, len(text))], width))
}

package transcript

import "talaria/ui/transcript/feed"

// All is every row of the conversation as it is laid out now, from its first.
func (t *Transcript) All() []string {
	var out []string
	for i := range t.feed.Entries {
		if len(t.rows(i)) == 0 {
			continue
		}
		for range t.gap(i) {
			out = append(out, "")
		}
		out = append(out, t.rows(i)...)
		t.sweep(i, i)
	}
	return out
}

// Items is what the blocks say, from the first.
func (t *Transcript) Items() []feed.Item {
	var out []feed.Item
	for _, e := range t.feed.Entries {
		if item, ok := e.Item(); ok && !e.Hidden() {
			out = append(out, item)
		}
	}
	return out
}

// Paths are the files that the calls of the conversation name.
func (t *Transcript) Paths() *feed.Paths { return t.feed.Paths() }

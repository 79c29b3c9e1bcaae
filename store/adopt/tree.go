package adopt

// node is one record of a conversation that is a tree. Asks: the user's own words, where a rewind makes a new branch.
type node struct {
	line                int
	id, parent, logical string
	asks                bool
}

// tree is the records of a conversation in the order of the file, and what names it.
type tree struct {
	nodes     []node
	place     map[string]int
	titles    [][2]string // the leaf that a title speaks of, and the title
	suggested string
}

func (t *tree) add(n node) {
	if t.place == nil {
		t.place = map[string]int{}
	}
	if _, twice := t.place[n.id]; !twice {
		t.place[n.id] = len(t.nodes)
		t.nodes = append(t.nodes, n)
	}
}

// title is the newest one that speaks of this conversation: files hold titles of others too.
func (t *tree) title() string {
	for i := len(t.titles) - 1; i >= 0; i-- {
		if _, ok := t.place[t.titles[i][0]]; ok {
			return t.titles[i][1]
		}
	}
	return t.suggested
}

// above is the place of the record before n. One that is lost, or that a summary cut the thread to, is taken to be the
// record that stands before it in the file.
func (t *tree) above(i int) int {
	for _, id := range []string{t.nodes[i].parent, t.nodes[i].logical} {
		if at, ok := t.place[id]; ok && at < i {
			return at
		}
	}
	return i - 1
}

// left are the lines of branches that a rewind left behind: where the user asked something else instead. Results of calls
// that were made together are siblings too, and stay.
func (t *tree) left() map[int]bool {
	gone := map[int]bool{}
	if len(t.nodes) == 0 {
		return gone
	}
	chain, parents := map[int]bool{}, map[int]bool{}
	for i := len(t.nodes) - 1; i >= 0; i = t.above(i) {
		chain[i], parents[t.above(i)] = true, true
	}
	out := make([]bool, len(t.nodes))
	for i, n := range t.nodes {
		if chain[i] {
			continue
		}
		up := t.above(i)
		out[i] = up >= 0 && out[up] || n.asks && parents[up]
		gone[n.line] = out[i]
	}
	return gone
}

package redact

import "sync"

// scanner finds anchors in one pass: a machine in the manner of Aho and Corasick over classes of bytes, large and small
// letters being of one class. It looks up two small tables a byte.
type scanner struct {
	class [256]uint8
	next  []uint16   // by state plus class; states are multiples of width
	first uint16     // states from this one on end an anchor
	ends  [][]anchor // of the states from first on
}

// width is the room for classes in a state; more classes than that would need a wider state.
const width = 64

var scan = sync.OnceValue(func() *scanner { return newScanner(anchors()) })

// node is a state while the machine is made.
type node struct {
	next map[uint8]int
	fail int
	ends []anchor
}

func newScanner(all []anchor) *scanner {
	m := &scanner{}
	classes := uint8(1) // 0 is every byte that is in no anchor
	nodes := []node{{next: map[uint8]int{}}}
	for _, a := range all {
		at := 0
		for i := range len(a.text) {
			b := a.text[i]
			if m.class[b] == 0 {
				m.class[b] = classes
				classes++
			}
			to, ok := nodes[at].next[m.class[b]]
			if !ok {
				to = len(nodes)
				nodes = append(nodes, node{next: map[uint8]int{}})
				nodes[at].next[m.class[b]] = to
			}
			at = to
		}
		nodes[at].ends = append(nodes[at].ends, a)
	}
	if int(classes) > width || len(nodes) > 1<<16/width {
		panic("redact: too many anchors for the scanner") // a fault of the table, which every test meets
	}
	for b := byte('a'); b <= 'z'; b++ {
		m.class[b-0x20] = m.class[b]
	}
	m.number(nodes, follow(nodes, classes))
	return m
}

// follow gives every state a next one for every class, and returns the states from the first on, breadth first.
func follow(nodes []node, classes uint8) []int {
	order := []int{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for class := range classes {
			fallback := 0
			if at != 0 {
				fallback = nodes[nodes[at].fail].next[class]
			}
			to, ok := nodes[at].next[class]
			if !ok {
				nodes[at].next[class] = fallback
				continue
			}
			nodes[to].fail = fallback
			nodes[to].ends = append(nodes[to].ends, nodes[fallback].ends...)
			order = append(order, to)
		}
	}
	return order
}

// number writes the states into tables, those that end an anchor last.
func (m *scanner) number(nodes []node, order []int) {
	place, n := make([]uint16, len(nodes)), uint16(0)
	for _, last := range []bool{false, true} {
		if last {
			m.first = n * width
		}
		for _, at := range order {
			if (len(nodes[at].ends) > 0) == last {
				place[at] = n * width
				n++
				if last {
					m.ends = append(m.ends, nodes[at].ends)
				}
			}
		}
	}
	m.next = make([]uint16, len(nodes)*width)
	for at, node := range nodes {
		for class, to := range node.next {
			m.next[int(place[at])+int(class)] = place[to]
		}
	}
}

// each calls found for every anchor of s, in the order of their ends, until it returns false.
func (m *scanner) each(s string, found func(a anchor, from, to int) bool) {
	state, next := uint16(0), m.next
	for i := 0; i < len(s); i++ {
		state = next[state+uint16(m.class[s[i]])]
		if state < m.first {
			continue
		}
		for _, a := range m.ends[(state-m.first)/width] {
			if !found(a, i+1-len(a.text), i+1) {
				return
			}
		}
	}
}

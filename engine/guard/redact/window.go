package redact

// reach is how many words around an anchor are looked at. A match has four at most (authorization : "bearer x); what is
// masked may let a further pattern match that begins or ends in another word, and there are nine patterns.
const reach = 32

// windows are the parts of s, from one white space to another, outside of which no pattern matches: each is the start and
// the end of one. Names says whether the patterns of Text count too.
func windows(s string, names bool) (all [][2]int) {
	var w [2]int // the present one; it may grow while words is less than reach
	open, words := false, 0
	scan().each(s, func(a anchor, from, to int) bool {
		if a.kind == kindAll {
			all, open = [][2]int{{0, len(s)}}, false
			return false
		}
		if !names && a.kind >= kindVariable || !a.near(s, from, to) {
			return true
		}
		if open {
			w[1], words = forth(s, w[1], to, words)
			if w[1] < from {
				all, open = append(all, w), false
			}
		}
		if !open {
			least := 0
			if len(all) > 0 {
				least = all[len(all)-1][1]
			}
			w, open = [2]int{back(s, from, least), to}, true
		}
		if a.kind == kindField {
			to = max(to, fieldValue(s, to))
		}
		w[1], words = max(w[1], to), 0
		return true
	})
	if open {
		w[1], _ = forth(s, w[1], len(s), words)
		all = append(all, w)
	}
	return all
}

// forth moves the end of a window that has words words after its last anchor: until it has reach, or to a place.
func forth(s string, end, place, words int) (int, int) {
	for ; end < place && words < reach; words++ {
		end = afterSpace(s, end)
		for end < len(s) && !space(s[end]) {
			end++
		}
	}
	return end, words
}

// back returns the start of the word that stands reach words before from, and not before least.
func back(s string, from, least int) int {
	for words := 0; from > least && words < reach; words++ {
		for from > least && space(s[from-1]) {
			from--
		}
		for from > least && !space(s[from-1]) {
			from--
		}
	}
	return from
}

// kinds are the patterns of which an anchor is in s, as bits.
func kinds(s string) (set int) {
	scan().each(s, func(a anchor, _, _ int) bool {
		set |= 1 << a.kind
		return true
	})
	if set&(1<<kindAll) != 0 {
		return -1
	}
	return set
}

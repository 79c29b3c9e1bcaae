package match

// Likeness is 1 for equal strings and 0 for strings that share nothing: one minus the number of edits (insert, delete,
// replace, swap two neighbours) over the length of the longer, counted in characters.
func Likeness(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	longest := max(len(x), len(y))
	if longest == 0 {
		return 1
	}
	return 1 - float64(distance(x, y))/float64(longest)
}

func distance(x, y []rune) int {
	before, prev, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(y)]
}

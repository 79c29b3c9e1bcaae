package match

import (
	"bytes"
	"fmt"
	"strings"
)

// Block finds the lines that anchors name, one after the other from a byte on, and returns where the block under the last
// one begins and ends: up to the next line that stands no deeper than it, closers such as a lone brace apart. An anchor
// is a line of the file without its indentation, or its beginning. Each must be there once; the error says which is not.
func Block(data []byte, anchors []string, from int) (start, end int, err error) {
	start, end = from, len(data)
	depth := -1
	for _, a := range anchors {
		at, width, err := anchor(data[start:end], strings.TrimSpace(a))
		if err != nil {
			return 0, 0, err
		}
		depth = width
		start = at + start
		end = blockEnd(data, start, end, depth)
	}
	return start, end, nil
}

// anchor returns where the line after the only line that is a begins, and how deep that line stands.
func anchor(data []byte, a string) (after, depth int, err error) {
	found := map[bool][]int{} // whole lines, beginnings: their numbers
	pos := 0
	var at, width [2]int
	for n, line := range lineList(string(data)) {
		pos += len(line)
		text := strings.TrimSpace(line)
		whole := text == a
		if !whole && !strings.HasPrefix(text, a) {
			continue
		}
		i := 0
		if !whole {
			i = 1
		}
		found[whole] = append(found[whole], n+1)
		at[i], width[i] = pos, len(indentOf(line))
	}
	switch {
	case len(found[true]) == 1:
		return at[0], width[0], nil
	case len(found[true]) == 0 && len(found[false]) == 1:
		return at[1], width[1], nil
	case len(found[true])+len(found[false]) == 0:
		return 0, 0, fmt.Errorf("no line of the file is %q, as its @@ line says", a)
	}
	return 0, 0, fmt.Errorf("its @@ line %q is %d lines of the file; name one that is there once, or put more lines around the place", a, len(found[true])+len(found[false]))
}

func blockEnd(data []byte, start, end, depth int) int {
	pos := start
	for _, line := range lineList(string(data[start:end])) {
		text := strings.TrimSpace(line)
		if text != "" && len(indentOf(line)) <= depth && !bytes.ContainsAny([]byte("})]"), text[:1]) {
			return pos
		}
		pos += len(line)
	}
	return end
}

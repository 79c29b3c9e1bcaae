// Package match finds the place in a file that a text was copied from, and works out the edit of its bytes. The text may
// differ from the file in line ends, white space and typographic characters, but then it must fit one place alone; a
// text that is merely alike is never taken for the place. Bytes outside an edit are never looked at as characters.
package match

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The tolerant strategies, named as in BEHAVIOUR 8.12 (its numbers 4, 2, 3 and 7), in the order of how much they
// overlook. Each is used only when it finds one single place. Its numbers 8 and 9 take what is alike for the place, and
// are left out.
const (
	howIndent  = "indentation_flexible: the indentation differed"
	howTrimmed = "line_trimmed: spaces at the ends of lines differed"
	howSpaces  = "whitespace_normalised: the amount of white space differed"
	howUnicode = "unicode_normalised: typographic quotes, dashes or spaces were taken for plain ones"
)

// ErrNone means that no strategy found the text.
var ErrNone = errors.New("no match")

// ErrEscaped means that new has quotes that are escaped where nothing in it, nor in the file, calls for that: the call was
// escaped once too often, and the backslashes would end up in the file.
var ErrEscaped = errors.New("the quotes of the new text are escaped")

// Many is the error of a text that stands at several places. Lines are where it begins, from 1; How as in Find.
type Many struct {
	Lines []int
	How   string
}

func (e Many) Error() string { return fmt.Sprintf("%d matches", len(e.Lines)) }

// Find returns the edits that put new in the place of old, in order, and how the place was found: "" is exactly
// (line ends aside). Without all, old must stand at one place; a tolerant strategy always needs that.
// The error is ErrNone, ErrEscaped or a Many.
func Find(data []byte, old, new string, all bool) ([]Edit, string, error) {
	old, new = LF(old), LF(new)
	edits, how, err := find(data, old, new, all)
	if err == nil && overescaped(data, old, new) {
		return nil, "", ErrEscaped
	}
	if err != ErrNone {
		return edits, how, err
	}
	for _, r := range rewritten(old, new) {
		if edits, how, err = find(data, r.old, r.new, false); err == ErrNone {
			continue
		}
		if many := (Many{}); errors.As(err, &many) {
			return nil, "", Many{many.Lines, r.how}
		}
		if how != "" {
			how = "; " + how
		}
		return edits, r.how + how, nil
	}
	return nil, "", ErrNone
}

// find looks for old as it was given.
func find(data []byte, old, new string, all bool) ([]Edit, string, error) {
	v := newView(data, false)
	if hits := v.find([]byte(old)); len(hits) > 0 {
		if len(hits) > 1 && !all {
			return nil, "", Many{v.linesAt(hits), ""}
		}
		edits := make([]Edit, len(hits))
		for i, h := range hits {
			edits[i] = v.spliced(h, old, new)
		}
		return edits, "", nil
	}
	if strings.TrimSpace(old) == "" {
		return nil, "", ErrNone // white space alone says nothing about a place
	}
	if e, how, err := newBlocks(v, old, new).any(); err == nil {
		return []Edit{e}, how, nil
	} else if err != ErrNone {
		return nil, "", err
	}
	return findPlain(data, old, new)
}

// any tries the strategies that compare lines, in order.
func (b blocks) any() (Edit, string, error) {
	for _, s := range []struct {
		how string
		key func(string) string
	}{
		{howIndent, func(s string) string { return strings.TrimLeft(s, " \t") }},
		{howTrimmed, strings.TrimSpace},
		{howSpaces, func(s string) string { return strings.Join(strings.Fields(s), " ") }},
	} {
		if e, err := b.match(s.how, s.key); err != ErrNone {
			return e, s.how, err
		}
	}
	return Edit{}, "", ErrNone
}

// findPlain matches with typographic characters taken for their ASCII forms.
func findPlain(data []byte, old, new string) ([]Edit, string, error) {
	v := newView(data, true)
	switch hits := v.find([]byte(plainText(old))); len(hits) {
	case 0:
		e, how, err := newBlocks(v, old, new).any()
		var many Many
		switch {
		case errors.As(err, &many):
			return nil, "", Many{many.Lines, howUnicode}
		case err != nil:
			return nil, "", err
		}
		return []Edit{e}, howUnicode + "; " + how, nil
	case 1:
		return []Edit{v.spliced(hits[0], old, new)}, howUnicode, nil
	default:
		return nil, "", Many{v.linesAt(hits), howUnicode}
	}
}

func (v view) linesAt(hits []int) []int {
	lines, line, from := make([]int, len(hits)), 1, 0
	for i, h := range hits {
		line += bytes.Count(v.text[from:h], []byte("\n"))
		lines[i], from = line, h
	}
	return lines
}

// LF returns s with LF line ends.
func LF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// blocks compares the lines of an old text with every run of lines of a file.
type blocks struct {
	view     view
	old, new []string // lines with their ends
	want     []string // old as it is compared: plain where the view is
	lines    []string // of the file, with their ends
	starts   []int    // where each begins in the view; one more for the end
}

func newBlocks(v view, old, new string) blocks {
	if new != "" && !strings.HasSuffix(old, "\n") && !strings.HasSuffix(new, "\n") {
		old, new = old+"\n", new+"\n" // whole lines are compared: a last line that stays must be seen as the same
	}
	b := blocks{view: v, old: lineList(old), new: lineList(new), lines: lineList(string(v.text)), starts: []int{0}}
	b.want = b.old
	if v.plain {
		b.want = lineList(plainText(old))
	}
	for i, l := range b.lines {
		b.starts = append(b.starts, b.starts[i]+len(l))
	}
	return b
}

// lineList splits s after each line end; no empty last line.
func lineList(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// match finds the one run of lines whose keys are those of the old lines, and the edit for it.
func (b blocks) match(how string, key func(string) string) (Edit, error) {
	want, have := keys(b.want, key), keys(b.lines, key)
	var hits []int
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.Equal(have[i:i+len(want)], want) && (how != howIndent || b.sameShape(i)) {
			hits = append(hits, i)
		}
	}
	switch len(hits) {
	case 0:
		return Edit{}, ErrNone
	case 1:
		return b.edit(hits[0])
	}
	for i := range hits {
		hits[i]++
	}
	return Edit{}, Many{hits, how}
}

func keys(lines []string, key func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = key(strings.TrimSuffix(l, "\n"))
	}
	return out
}

// sameShape reports whether the lines at i are the old ones moved left or right as a whole.
func (b blocks) sameShape(i int) bool {
	return slices.Equal(dedented(b.lines[i:i+len(b.want)]), dedented(b.want))
}

func dedented(lines []string) []string {
	common, first := "", true
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		in := indentOf(l)
		if first {
			common, first = in, false
		}
		common = common[:samePrefix(common, in)]
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(strings.TrimPrefix(l, common), "\n")
		if strings.TrimSpace(l) == "" {
			out[i] = ""
		}
	}
	return out
}

// edit replaces the lines at i that differ between old and new; new ones get the indentation of the file.
func (b blocks) edit(i int) (Edit, error) {
	shift, ok := newIndents(b.old, b.lines[i:i+len(b.old)])
	if !ok {
		return Edit{}, ErrNone // the same old indentation stands for two of the file: new lines would be a guess
	}
	head := 0
	for head < min(len(b.old), len(b.new)) && b.old[head] == b.new[head] {
		head++
	}
	tail := 0
	for tail < min(len(b.old), len(b.new))-head && b.old[len(b.old)-1-tail] == b.new[len(b.new)-1-tail] {
		tail++
	}
	var text strings.Builder
	for _, l := range b.new[head : len(b.new)-tail] {
		text.WriteString(shift.apply(l))
	}
	last := i + len(b.old) - tail // the first line after the edit
	start, end := b.starts[i+head], b.starts[last]
	put := text.String()
	if tail == 0 && len(b.old) > head {
		fileEnds, oldEnds := strings.HasSuffix(b.lines[last-1], "\n"), strings.HasSuffix(b.old[len(b.old)-1], "\n")
		switch {
		case fileEnds && !oldEnds:
			end-- // the line end was not part of the old text
		case !fileEnds && oldEnds:
			put = strings.TrimSuffix(put, "\n")
		}
	}
	if start == len(b.view.text) && put != "" && !strings.HasSuffix(b.lines[last-1], "\n") {
		put = "\n" + strings.TrimSuffix(put, "\n") // appended to a file whose last line has no end
	}
	v := b.view
	whole := v.data[v.pos(b.starts[i]):v.pos(b.starts[i+len(b.old)])]
	return Edit{v.pos(start), v.pos(end), withEnds(put, v.lineEnd(whole, v.pos(end)))}, nil
}

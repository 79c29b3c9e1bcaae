package diffview

import (
	"strconv"
	"strings"

	"talaria/ui/code"
	"talaria/ui/style"
)

const (
	// chunk is how many rows are coloured together: what spans lines is seen inside one.
	chunk = 200
	// coloured is how many rows of a diff that is drawn as a whole have colours of their language. The others have those of
	// the change alone: nobody waits for colours far away.
	coloured = 3 * chunk
)

// Diff is a unified diff that was read, to be drawn row by row as it comes into view. It is not safe for two at a time.
type Diff struct {
	rows   []row
	pairs  []pair // nil before it is drawn side by side
	digits int
	lexers code.Lexers
	lit    map[int]bool // chunks, by their first row
	limit  int          // rows that get colours of their language, 0 for all
}

// Read reads a unified diff. What is none gives a Diff without rows.
func Read(unified string) *Diff {
	d := &Diff{rows: parse(unified), digits: 1, lexers: code.Lexers{}, lit: map[int]bool{}}
	mark(d.rows)
	for _, r := range d.rows {
		d.digits = max(d.digits, len(strconv.Itoa(max(r.old, r.now))))
	}
	return d
}

// Len is how many rows it has at a width, in one column or side by side.
func (d *Diff) Len(width int, split bool) int {
	if !split || width < SplitWidth {
		return len(d.rows)
	}
	if d.pairs == nil {
		d.pairs = sides(d.rows)
	}
	return len(d.pairs)
}

// Draw draws the rows from (included) to (excluded), at most width cells wide; nothing where there is no width.
func (d *Diff) Draw(s style.Sheet, width int, split bool, from, to int) []string {
	n := d.Len(width, split)
	from, to = max(0, from), min(to, n)
	if width <= 0 || from >= to {
		return nil
	}
	out := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		if split && width >= SplitWidth {
			out = append(out, d.drawPair(s, d.pairs[i], width))
			continue
		}
		d.colour(i)
		out = append(out, draw(s, d.rows[i], d.digits, width))
	}
	return out
}

func (d *Diff) all(s style.Sheet, width int, split bool) []string {
	d.limit = coloured
	return d.Draw(s, width, split, 0, len(d.rows))
}

// colour finds the syntax of the chunk that a row is in, once.
func (d *Diff) colour(i int) {
	if d.limit > 0 && i >= d.limit {
		return
	}
	first := i
	for first > 0 && d.rows[first].kind != hunk && first%chunk != 0 {
		first--
	}
	if d.lit[first] {
		return
	}
	d.lit[first] = true
	end := first + 1
	for end < len(d.rows) && d.rows[end].kind != hunk && end%chunk != 0 {
		end++
	}
	lang := code.Language(d.file(first))
	if lang == "" {
		return
	}
	d.side(lang, first, end, deleted)
	d.side(lang, first, end, added)
}

// file is that of the hunk that a row is in.
func (d *Diff) file(i int) string {
	for ; i >= 0; i-- {
		if d.rows[i].kind == hunk {
			return d.rows[i].text
		}
	}
	return ""
}

// side colours what stood, or stands, in some rows. Colours that do not say the same text are dropped.
func (d *Diff) side(lang string, from, to int, which kind) {
	var at []int
	var text []string
	for i := from; i < to; i++ {
		if k := d.rows[i].kind; k == which || k == context {
			at, text = append(at, i), append(text, style.Untab(d.rows[i].text))
		}
	}
	if len(at) == 0 {
		return
	}
	for n, spans := range d.lexers.Highlight(lang, strings.Join(text, "\n")) {
		if n < len(at) && joined(spans) == text[n] {
			d.rows[at[n]].syntax = spans
		}
	}
}

func joined(spans []style.Span) string {
	var b strings.Builder
	for _, sp := range spans {
		b.WriteString(sp.Text)
	}
	return b.String()
}

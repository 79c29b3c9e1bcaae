package transcript

import (
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
)

// spot is a cell of the conversation: a column of a row of a block. It stays with its text when anything moves.
type spot struct{ block, row, col int }

func (a spot) before(b spot) bool {
	if a.block != b.block {
		return a.block < b.block
	}
	return a.row < b.row || a.row == b.row && a.col < b.col
}

// mark is what the reader marked, from one cell to another, both included, at a width.
type mark struct {
	from, to spot
	width    int
	on       bool
}

func (m mark) ordered() (a, b spot) {
	if m.to.before(m.from) {
		return m.to, m.from
	}
	return m.from, m.to
}

// spotAt is the cell at column x of row y of the view; ok is false where there is nothing.
func (t *Transcript) spotAt(x, y int) (_ spot, ok bool) {
	p, short, ok := t.top()
	if !ok || t.view.height <= 0 {
		return spot{}, false
	}
	if t.view.following {
		y -= short
	}
	q, _ := t.down(p, max(0, min(y, t.view.height-1)))
	return spot{q.block, q.row, max(0, min(x, t.layout.width-1))}, y >= 0
}

// Mark begins to mark at a cell of the view; MarkTo marks from there to another. They report whether there is text.
func (t *Transcript) Mark(x, y int) bool {
	s, ok := t.spotAt(x, y)
	t.mark = mark{from: s, to: s, width: t.layout.width}
	return ok
}

// MarkTo marks up to a cell of the view.
func (t *Transcript) MarkTo(x, y int) {
	if s, ok := t.spotAt(x, y); ok {
		t.mark.to, t.mark.on = s, true
	}
}

// MarkWord marks the word at a cell of the view: what stands between blanks.
func (t *Transcript) MarkWord(x, y int) bool {
	s, ok := t.spotAt(x, y)
	if !ok || s.row < 0 {
		return false
	}
	var cells []rune
	for _, r := range ansi.Strip(t.rows(s.block)[s.row]) {
		for range style.Width(string(r)) {
			cells = append(cells, r)
		}
	}
	if s.col >= len(cells) || cells[s.col] == ' ' {
		return false
	}
	a, b := s, s
	for a.col > 0 && cells[a.col-1] != ' ' {
		a.col--
	}
	for b.col < len(cells)-1 && cells[b.col+1] != ' ' {
		b.col++
	}
	t.mark = mark{from: a, to: b, width: t.layout.width, on: true}
	return true
}

// Unmark forgets what is marked; it reports whether there was something.
func (t *Transcript) Unmark() bool {
	was := t.Marked()
	t.mark = mark{}
	return was
}

// Marked reports whether something is marked. A new width lays the text out anew, and ends it.
func (t *Transcript) Marked() bool { return t.mark.on && t.mark.width == t.layout.width }

// span is the marked cells of a row, from and to (not included); none: to is 0.
func (t *Transcript) span(p place) (from, to int) {
	a, b := t.mark.ordered()
	at := spot{p.block, p.row, 0}
	if end := (spot{p.block, p.row, t.layout.width}); !t.Marked() || p.row < 0 || end.before(a) || b.before(at) {
		return 0, 0
	}
	to = t.layout.width
	if a.block == p.block && a.row == p.row {
		from = a.col
	}
	if b.block == p.block && b.row == p.row {
		to = b.col + 1
	}
	return from, to
}

// Shade draws what is marked in lines of the view.
func (t *Transcript) Shade(lines []string) []string {
	p, short, ok := t.top()
	if !ok || !t.Marked() {
		return lines
	}
	y := 0
	if t.view.following {
		y = short
	}
	s := t.feed.Sheet()
	look := s.On(themes.SelFg, themes.SelBg).Reverse(s.Colour(themes.SelBg) == nil)
	for over := 0; y < len(lines) && over == 0; y++ {
		if from, to := t.span(p); to > from {
			lines[y] = lipgloss.StyleRanges(lines[y], lipgloss.NewRange(from, min(to, style.Width(lines[y])), look))
		}
		p, over = t.down(p, 1)
	}
	return lines
}

// MarkedText is what is marked as it was written: lines that were too long are whole, and what only frames them is left
// out, where the text of the block says so.
func (t *Transcript) MarkedText() string {
	if !t.Marked() {
		return ""
	}
	a, b := t.mark.ordered()
	var out []string
	for i := a.block; i <= b.block && i < len(t.feed.Entries); i++ {
		var rows []string
		for r, line := range t.rows(i) {
			if from, to := t.span(place{block: i, row: r}); to > from {
				rows = append(rows, strings.TrimRight(ansi.Cut(ansi.Strip(line), from, to), " "))
			}
		}
		if len(rows) > 0 {
			out = append(out, t.logical(i, strings.Join(rows, "\n")))
		}
	}
	return strings.Join(out, "\n\n")
}

// mostWords is up to how many words the text of a block is looked for.
const mostWords = 2000

// logical finds what is shown in the text of block i, whatever the breaks of lines; shown itself where it is not there.
func (t *Transcript) logical(i int, shown string) string {
	item, ok := t.feed.Entries[i].Item()
	words := strings.Fields(shown)
	for range 2 { // once more without what stands before the first word
		if !ok || len(words) == 0 || len(words) > mostWords {
			break
		}
		for k := range words {
			words[k] = regexp.QuoteMeta(words[k])
		}
		if found := regexp.MustCompile(strings.Join(words, `\s+`)).FindString(item.Text); found != "" {
			return found
		}
		words = strings.Fields(shown)[1:]
	}
	return shown
}

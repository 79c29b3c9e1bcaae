package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Span is a run of text in one look. A "\n" in it is a line break.
type Span struct {
	Text string
	Look Look
}

// Wrap lays plain text out in lines of at most w cells: at blanks, between wide characters, and inside a word only when
// the word alone is wider than w. Blanks at the start of a line stay.
func Wrap(text string, w int) []string {
	return Sheet{}.WrapSpans([]Span{{Text: text}}, w)
}

// WrapSpans lays spans out as Wrap does and draws each in its look. Every line stands alone: it begins and ends in the
// default look.
func (s Sheet) WrapSpans(spans []Span, w int) []string {
	f := flow{sheet: s, width: max(1, w)}
	for _, sp := range spans {
		f.add(sp)
	}
	f.endWord()
	f.endLine()
	return f.lines
}

// flow fills lines. word is what may not be broken, gap the blanks before it, line what is already placed.
type flow struct {
	sheet            Sheet
	width            int
	lines            []string
	line, gap, word  []Span
	lineW, gapW, wdW int
	glued            bool // the word so far ends in a wide character, after which a break is allowed
}

func (f *flow) add(sp Span) {
	for rest := sp.Text; rest != ""; {
		if n := plainWord(rest); n > 0 {
			if f.glued {
				f.endWord()
			}
			f.word = join(f.word, Span{rest[:n], sp.Look})
			f.wdW += n
			rest = rest[n:]
			continue
		}
		if rest[0] == ' ' && (len(rest) == 1 || rest[1] < utf8.RuneSelf) {
			f.cluster(Span{" ", sp.Look}, 1)
			rest = rest[1:]
			continue
		}
		cluster, w := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		rest = rest[len(cluster):]
		f.cluster(Span{cluster, sp.Look}, w)
	}
}

// plainWord is the length of the printable ASCII at the start of s, blanks excluded. Its last byte is left out when
// something may join it to a cluster.
func plainWord(s string) int {
	i := 0
	for i < len(s) && s[i] > ' ' && s[i] < del {
		i++
	}
	if i > 0 && i < len(s) && s[i] >= utf8.RuneSelf {
		i--
	}
	return i
}

func (f *flow) cluster(c Span, w int) {
	if f.wdW > 4*f.width {
		f.endWord() // a monster of a word is laid out in steps, so that its cost stays linear
	}
	switch {
	case c.Text == "\n" || c.Text == "\r\n":
		f.endWord()
		f.endLine()
	case c.Text == " " || c.Text == "\t":
		f.endWord()
		f.gap, f.gapW = join(f.gap, Span{" ", c.Look}), f.gapW+1
	case w > 1:
		if f.wdW > 0 && !sticksLeft(c.Text) && !sticksRight(f.word) {
			f.endWord()
		}
		f.word, f.wdW, f.glued = join(f.word, c), f.wdW+w, true
	default:
		if f.glued && !sticksLeft(c.Text) {
			f.endWord()
		}
		f.word, f.wdW = join(f.word, c), f.wdW+w
	}
}

// endWord places the word, on a new line when it does not fit. A word wider than a whole line is cut into lines.
func (f *flow) endWord() {
	defer func() { f.word, f.wdW, f.glued = nil, 0, false }()
	if len(f.word) == 0 {
		return
	}
	if f.lineW+f.gapW+f.wdW > f.width && f.lineW > 0 {
		f.endLine()
	}
	if f.lineW == 0 && f.gapW+f.wdW > f.width {
		f.gap, f.gapW = nil, 0
	}
	for _, g := range f.gap {
		f.line = join(f.line, g)
	}
	f.lineW, f.gap, f.gapW = f.lineW+f.gapW, nil, 0
	if f.wdW <= f.width-f.lineW {
		for _, sp := range f.word {
			f.line = join(f.line, sp)
		}
		f.lineW += f.wdW
		return
	}
	f.breakWord()
}

func (f *flow) breakWord() {
	for _, sp := range f.word {
		for rest := sp.Text; rest != ""; {
			cluster, w := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
			rest = rest[len(cluster):]
			if f.lineW+w > f.width && f.lineW > 0 {
				f.endLine()
			}
			if w > f.width {
				cluster, w = "?", 1 // a wide character in a column of one cell
			}
			f.line, f.lineW = join(f.line, Span{cluster, sp.Look}), f.lineW+w
		}
	}
}

func (f *flow) endLine() {
	var b strings.Builder
	for _, sp := range f.line {
		b.WriteString(f.sheet.Paint(sp.Look, sp.Text))
	}
	f.lines = append(f.lines, b.String())
	f.line, f.lineW, f.gap, f.gapW = nil, 0, nil, 0
}

// join appends sp, to the last span where the look is the same.
func join(spans []Span, sp Span) []Span {
	if n := len(spans); n > 0 && spans[n-1].Look == sp.Look {
		spans[n-1].Text += sp.Text
		return spans
	}
	return append(spans, sp)
}

// sticksLeft reports whether a line may not begin with c: closing punctuation, and marks that follow a word.
func sticksLeft(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return strings.ContainsRune("、。，．：；！？）」』】〕〉》〗’”…ー々,.;:!?)]}%", r) || unicode.Is(unicode.Mn, r)
}

// sticksRight reports whether a line may not end with the word so far: opening punctuation.
func sticksRight(word []Span) bool {
	if len(word) == 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(word[len(word)-1].Text)
	return strings.ContainsRune("（「『【〔〈《〖‘“([{", r)
}

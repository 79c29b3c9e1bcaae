package diffview

import (
	"unicode/utf8"

	"talaria/themes"
	"talaria/ui/style"
)

// common is how many bytes two texts have in common at their beginning.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n < len(a) && n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// spans are the text of a row: the sign, then the code in the colours of its language, with what was changed marked on
// top. The code begins at offset; only the first kept bytes are the row's own, what follows cuts or fills the line. Base
// is the look of all that has no other.
func (r row) spans(s style.Sheet, text string, offset, kept int, base style.Look) []style.Span {
	kept = min(kept, len(text))
	if offset >= kept {
		return []style.Span{{Text: text, Look: base}}
	}
	var out []style.Span
	add := func(from, to int, look style.Look) {
		if n := len(out); from < to && n > 0 && out[n-1].Look == look {
			out[n-1].Text += text[from:to] // every change of colour is bytes on the wire
		} else if from < to {
			out = append(out, style.Span{Text: text[from:to], Look: look})
		}
	}
	from, to := min(r.mark.from+offset, kept), min(r.mark.to+offset, kept)
	if r.mark.from >= r.mark.to || from >= to || !utf8.ValidString(text[:from]) || !utf8.ValidString(text[from:to]) {
		from, to = kept, kept
	}
	// piece draws a part in one colour, what is marked of it in bold and underlined
	piece := func(a, b int, look style.Look) {
		b = min(b, kept)
		strong := look
		strong.Bold, strong.Underline = true, true
		add(a, min(b, max(a, from)), look)
		add(max(a, from), min(b, to), strong)
		add(max(a, to), b, look)
	}
	add(0, offset, base)
	at := offset
	for _, sp := range r.syntax {
		look := base
		if legible(s, sp.Look.Fg, base) {
			look.Fg = sp.Look.Fg
		}
		piece(min(at, kept), at+len(sp.Text), look)
		at += len(sp.Text)
	}
	piece(min(at, kept), kept, base)
	add(kept, len(text), base)
	return out
}

// legible reports whether a colour of code can be read where base is, and says more than that does.
func legible(s style.Sheet, fg themes.Role, base style.Look) bool {
	if fg == "" || fg == themes.Fg {
		return false
	}
	bg := base.Bg
	if bg == "" {
		bg = themes.Bg
	}
	t := s.Theme
	ratio := themes.Contrast(t.Roles[fg], t.Roles[bg])
	return ratio >= t.MinContrast // 0 where the terminal's own colours are used: those are legible on its own background
}

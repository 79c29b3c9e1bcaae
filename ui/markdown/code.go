package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
)

// maxWholeCode is the size, in bytes, above which code is coloured line by line: colour is not worth a pause.
const maxWholeCode = 64 << 10

// code lays a code block out: from column 1, without frame or margin, one row a line; what is cut shows as such.
func (r *Renderer) code(lang, text string, c column) []string {
	text = strings.TrimRight(style.Untab(text), "\n")
	if text == "" {
		return nil
	}
	if len(text) > maxWholeCode {
		var out []string
		for line := range strings.SplitSeq(text, "\n") {
			out = append(out, r.codeLine(lang, line, c))
		}
		return out
	}
	var out []string
	for _, spans := range r.highlight(lang, text) {
		out = append(out, r.cut(spans, c))
	}
	return out
}

// codeLine lays one line of code out by itself; what depends on earlier lines (a long comment) is not seen.
func (r *Renderer) codeLine(lang, line string, c column) string {
	return r.cut(r.highlight(lang, style.Untab(line))[0], c)
}

// highlight splits code into lines of coloured spans; there is at least one line.
func (r *Renderer) highlight(lang, text string) [][]style.Span { return r.lexers.Highlight(lang, text) }

// cut draws one line of code, at most c.width cells; a sign marks what is cut off.
func (r *Renderer) cut(spans []style.Span, c column) string {
	total := -r.shift
	for _, sp := range spans {
		total += style.Width(sp.Text)
	}
	skip, room, over := r.shift, c.width, total > c.width
	if over {
		room -= style.Width(r.sheet.Glyphs.Cut)
	}
	var b strings.Builder
	for _, sp := range spans {
		text := style.Safe(sp.Text)
		if w := style.Width(text); w <= skip {
			skip -= w
			continue
		}
		text, skip = ansi.TruncateLeft(text, skip, ""), 0
		if w := style.Width(text); w > room {
			text = ansi.Truncate(text, room, "")
		}
		room -= style.Width(text)
		b.WriteString(r.sheet.Paint(sp.Look, text))
		if room <= 0 {
			break
		}
	}
	if over {
		b.WriteString(r.sheet.Ink(themes.FgFaint, r.sheet.Glyphs.Cut))
		return b.String()
	}
	return strings.TrimRight(b.String(), " ")
}

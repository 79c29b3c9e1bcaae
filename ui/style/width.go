package style

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells s takes; SGR takes none, a wide character two.
func Width(s string) int { return ansi.StringWidth(s) }

// Truncate cuts s to w cells; what was cut shows as an ellipsis. SGR in s stays.
func (s Sheet) Truncate(text string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(text) <= w {
		return text
	}
	return ansi.Truncate(text, w, s.Glyphs.Ellipsis)
}

// PadLeft puts blanks before text until it is w cells wide.
func PadLeft(text string, w int) string { return Blank(w-Width(text)) + text }

// PadRight fills text with blanks to w cells. A longer text stays as it is.
func PadRight(text string, w int) string {
	return text + Blank(w-Width(text))
}

// Blank is n blanks; none when n is negative, which a very small window can ask for (U07).
func Blank(n int) string { return strings.Repeat(" ", max(0, n)) }

// Rule is a line of w cells.
func (s Sheet) Rule(w int) string { return strings.Repeat(s.Glyphs.Rule, max(0, w)) }

// Middle cuts a path to w cells in its middle, keeping its last element whole where it fits. text has no SGR.
func (s Sheet) Middle(text string, w int) string {
	total := Width(text)
	if w <= 0 {
		return ""
	}
	if total <= w {
		return text
	}
	dots := Width(s.Glyphs.Ellipsis)
	tail := Width(text[strings.LastIndexAny(text, `/\`)+1:]) + 1
	if tail > w-dots-1 || tail > total {
		tail = (w - dots + 1) / 2
	}
	head := w - dots - tail
	if head < 0 || tail < 0 {
		return ansi.Truncate(text, w, "")
	}
	return ansi.Truncate(text, head, "") + s.Glyphs.Ellipsis + ansi.TruncateLeft(text, total-tail, "")
}

// Spread puts left at the start and right at the end of w cells. When both do not fit, right goes and left is cut.
func (s Sheet) Spread(left, right string, w int) string {
	gap := w - Width(left) - Width(right)
	if right == "" || gap < 1 {
		return s.Truncate(left, w)
	}
	return left + Blank(gap) + right
}

// Untab replaces each tab by blanks up to the next multiple of 4 cells. Lines are told apart; s has no SGR.
func Untab(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	start, col := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\t':
			col += Width(s[start:i])
			b.WriteString(s[start:i])
			b.WriteString(Blank(4 - col%4))
			col, start = col+4-col%4, i+1
		case '\n':
			b.WriteString(s[start : i+1])
			col, start = 0, i+1
		}
	}
	b.WriteString(s[start:])
	return b.String()
}

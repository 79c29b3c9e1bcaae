package feed

import (
	"strings"
	"time"

	"talaria/themes"
	"talaria/ui/style"
)

// A thought shows its last rollRows rows while it is open; only the last rollBytes of it are ever laid out then, so a
// thought of any length costs the same.
const (
	rollRows  = 3
	rollBytes = 4 << 10
	leastText = 8 // less of a thought than this many cells is not worth its place beside the title
)

// thought is the model's reasoning: rolling while it is open, a line with its beginning afterwards, all of it when expanded.
type thought struct {
	face
	text       strings.Builder
	began, now time.Time // zero in a replay, which does not know
	open       bool
	more       bool // the last layout left something out
	sealed     bool // a signature ended this piece; what follows is another
}

func (t *thought) append(text string, sealed bool) {
	if t.sealed && text != "" {
		t.text.WriteString("\n\n")
		t.sealed = false
	}
	t.text.WriteString(text)
	t.sealed = t.sealed || sealed
	if t.open {
		t.changed()
	}
}

// set makes text the whole thought and closes it.
func (t *thought) set(text string) {
	t.text.Reset()
	t.text.WriteString(style.Safe(text))
	t.close()
}

func (t *thought) close() {
	t.open = false
	t.changed()
}

// Running reports whether the thought goes on.
func (t *thought) Running() bool { return t.open && !t.hidden }

// Tick moves the clock; only a new second is a change.
func (t *thought) Tick(now time.Time) {
	if t.Running() {
		if now.Sub(t.began)/time.Second != t.now.Sub(t.began)/time.Second {
			t.changed()
		}
		t.now = now
	}
}

// Toggle shows the whole thought, or its line; false when the line is the whole.
func (t *thought) Toggle() bool { return (t.more || t.expanded) && t.flip() }

func (t *thought) Render(width int) []string {
	wide, look := min(width, 102), style.Look{Fg: themes.Thinking}
	switch {
	case t.whole():
		text := strings.Trim(style.Safe(t.text.String()), "\n")
		return append([]string{t.head("", false, wide)}, t.indented(look, text, wide)...)
	case t.open:
		rows, all := t.rolling(look, wide)
		t.more = !all
		return append([]string{t.head("", t.more, min(width, 68))}, rows...)
	}
	text := strings.TrimSpace(style.Safe(t.text.String()))
	first := firstLine(text)
	t.more = strings.Contains(text, "\n") || style.Width(t.title()+t.sheet.Words(" · ")+first) > wide
	return []string{t.head(first, t.more, wide)}
}

// title says that the model thinks, or thought, and for how long where that is known.
func (t *thought) title() string {
	long := ""
	if d := t.now.Sub(t.began); !t.began.IsZero() && d >= time.Second {
		long = seconds(d)
	}
	switch sign := t.sheet.Glyphs.Thinking; {
	case t.open && long != "":
		return sign + " Thinking" + t.sheet.Words(" · ") + long
	case t.open:
		return sign + " Thinking"
	case long != "":
		return sign + " Thought for " + long
	default:
		return sign + " Thought"
	}
}

// head is the title, what fits of text, and at the right edge how to see more.
func (t *thought) head(text string, more bool, width int) string {
	line, hint := t.title(), ""
	if more {
		if hint = "Ctrl+O show all"; width < narrowWidth {
			hint = "Ctrl+O all"
		}
	}
	room := width
	if hint != "" {
		room -= len(hint) + 2
	}
	if dot := t.sheet.Words(" · "); text != "" && room-style.Width(line+dot) >= leastText {
		line += dot + text
	}
	look := style.Look{Fg: themes.Thinking}
	if room < style.Width(t.title()) { // the title matters more than the hint
		return t.sheet.Paint(look, t.sheet.Truncate(line, width))
	}
	line = t.sheet.Truncate(line, room)
	painted := t.sheet.Paint(look, line)
	if hint == "" {
		return painted
	}
	return painted + style.Blank(width-style.Width(line)-len(hint)) + t.sheet.Ink(themes.FgMuted, hint)
}

// rolling is the end of an open thought. It starts at the beginning of a line, so that what is shown does not wrap
// anew with every word. All is false when something stands before it.
func (t *thought) rolling(look style.Look, width int) (rows []string, all bool) {
	text := t.text.String()
	all = len(text) <= rollBytes
	if len(text) > rollBytes {
		start := len(text) - rollBytes
		start -= start % (rollBytes / 2)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 && i < len(text)-start-1 {
			start += i + 1
		}
		text = text[start:]
	}
	var kept []string
	for line := range strings.SplitSeq(style.Safe(text), "\n") {
		if strings.TrimSpace(line) != "" {
			kept = append(kept, line)
		}
	}
	all = all && len(kept) <= rollRows
	kept = kept[max(0, len(kept)-rollRows):]
	if len(kept) == 0 {
		return nil, all
	}
	rows = t.indented(look, strings.Join(kept, "\n"), width)
	return rows[max(0, len(rows)-rollRows):], all && len(rows) <= rollRows
}

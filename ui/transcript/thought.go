package transcript

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
)

// thought is the model's reasoning: rolling while it is open, one line afterwards, all of it when expanded.
type thought struct {
	face
	text       strings.Builder
	began, now time.Time // zero in a replay, which does not know
	open       bool
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

// Toggle shows the whole thought, or its line.
func (t *thought) Toggle() bool { return t.flip() }

func (t *thought) Render(width int) []string {
	head := t.sheet.Glyphs.Thinking + " Thinking"
	if d := t.now.Sub(t.began); !t.began.IsZero() && d >= time.Second {
		head += t.sheet.Words(" · ") + seconds(d)
	}
	look := style.Look{Fg: themes.Thinking}
	hint := ""
	if t.open && !t.expanded {
		if hint = "Ctrl+O show all"; width < 60 {
			hint = "Ctrl+O all"
		}
	}
	lines := []string{t.sheet.Paint(look, t.sheet.Truncate(head, width))}
	if gap := min(width, 68) - style.Width(head) - len(hint); hint != "" && gap > 1 {
		lines[0] += style.Blank(gap) + t.sheet.Ink(themes.FgMuted, hint)
	}
	switch {
	case t.expanded:
		lines = append(lines, t.indented(look, strings.Trim(style.Safe(t.text.String()), "\n"), min(width, 102))...)
	case t.open:
		lines = append(lines, t.rolling(look, min(width, 102))...)
	}
	return lines
}

// rolling is the end of an open thought. It starts at the beginning of a line, so that what is shown does not wrap
// anew with every word.
func (t *thought) rolling(look style.Look, width int) []string {
	text := t.text.String()
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
	kept = kept[max(0, len(kept)-rollRows):]
	if len(kept) == 0 {
		return nil
	}
	lines := t.indented(look, strings.Join(kept, "\n"), width)
	return lines[max(0, len(lines)-rollRows):]
}

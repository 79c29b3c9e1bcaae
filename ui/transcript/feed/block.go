package feed

import (
	"fmt"
	"strings"
	"time"

	"talaria/themes"
	"talaria/ui/markdown"
	"talaria/ui/style"
)

// Block is one thing in the conversation. Render is pure in (version, width); a hidden block takes no row.
type Block interface {
	Render(width int) []string
	Version() int
	Hidden() bool
}

// toggler is a block that can show more. Toggle returns false when there is nothing more to show.
type toggler interface{ Toggle() bool }

// ticker is a block with a clock. Tick moves it; Running reports whether it still needs that.
type ticker interface {
	Tick(now time.Time)
	Running() bool
}

// forgetter is a block that keeps layouts of its own, which can be made again.
type forgetter interface{ Forget() }

// kit is what blocks draw with.
type kit struct {
	sheet   style.Sheet
	md      *markdown.Renderer
	reading Reading
	paths   *Paths
}

// face is what all blocks share.
type face struct {
	*kit
	id       string // of the message it shows, "" for what is none
	version  int
	hidden   bool
	expanded bool
}

// Version changes whenever Render would give something else at the same width.
func (f *face) Version() int { return f.version }

// Hidden reports whether the block shows nothing.
func (f *face) Hidden() bool { return f.hidden }

func (f *face) changed() { f.version++ }

func (f *face) hide() { f.hidden, f.version = true, f.version+1 }

// flip is Toggle for a block that can always show more.
func (f *face) flip() bool {
	f.expanded = !f.expanded
	f.changed()
	return true
}

// more is the row that stands for n lines that are not shown.
func (k *kit) more(n, width int) string {
	noun := "lines"
	if n == 1 {
		noun = "line"
	}
	return k.sheet.Ink(themes.FgMuted, k.sheet.Truncate(k.sheet.Words(fmt.Sprintf("  … %d more %s · Ctrl+O", n, noun)), width))
}

// indented wraps plain text two cells in.
func (k *kit) indented(look style.Look, text string, width int) []string {
	lines := k.sheet.WrapSpans([]style.Span{{Text: style.Untab(text), Look: look}}, width-2)
	for i, line := range lines {
		if line != "" {
			lines[i] = "  " + line
		}
	}
	return lines
}

// Entry is a block in its place. Packed: it stands directly under a block that is packed too (tool lines). Memo is the
// layout that the owner made last.
type Entry struct {
	Block
	Packed bool
	Memo   Memo
}

// Memo is a layout, and what it was made for. The zero value is none.
type Memo struct {
	Version, Width, Shift int
	Lines                 []string
	Laid                  bool
}

// Toggle expands or collapses the block; false when it has nothing more.
func (e *Entry) Toggle() bool {
	b, ok := e.Block.(toggler)
	return ok && b.Toggle()
}

// Forget drops what can be laid out again.
func (e *Entry) Forget() {
	e.Memo = Memo{}
	if b, ok := e.Block.(forgetter); ok {
		b.Forget()
	}
}

// clock writes a duration as 0:09, 12:31 or 1:02:03.
func clock(d time.Duration) string {
	s := int(d / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// seconds writes a short duration as 14s, a longer one as clock does.
func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%ds", int(d/time.Second))
	}
	return clock(d)
}

// flat cleans text that stands inside a line: a name, a model.
func flat(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(style.Safe(s))
}

// firstLine is the first line of s that is not blank, cleaned.
func firstLine(s string) string {
	for line := range strings.Lines(style.Safe(s)) {
		if line = strings.TrimSpace(flat(line)); line != "" {
			return line
		}
	}
	return ""
}

// Package replay is the bar of talaria replay: what is played is on screen as it was, and these are the keys to play it
// with. It refuses everything that would do something.
package replay

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// Feature is the bar; nothing when p is nil.
func Feature(s *screen.State, p engine.Player) screen.Feature {
	if p == nil {
		return screen.Feature{}
	}
	return screen.Feature{On: func(e engine.Event) tea.Cmd {
		if _, ok := e.(engine.Opened); ok {
			return s.Open(overlay.Overlay{ID: "replay", Key: "Esc leave", Quiet: true, Box: &bar{s.Sheet, p}})
		}
		return nil
	}}
}

type bar struct {
	sheet style.Sheet
	p     engine.Player
}

// Keys are what the bar knows.
func (b *bar) Keys() []keys.Binding { return nil }

// SetSheet wears another theme.
func (b *bar) SetSheet(s style.Sheet) { b.sheet = s }

// WantsText keeps what is typed from the prompt.
func (b *bar) WantsText() bool { return true }

// WantsPaste takes every paste, and drops it.
func (b *bar) WantsPaste(string) bool { return true }

// scrolls are the keys that are left to the transcript.
const scrolls = " pgup pgdown home end ctrl+home ctrl+end shift+up shift+down ctrl+o ctrl+u ctrl+d "

// Wants leaves scrolling to the transcript.
func (b *bar) Wants(k tea.KeyPressMsg) bool { return !strings.Contains(scrolls, " "+k.String()+" ") }

// Update plays.
func (b *bar) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	switch k.String() {
	case "space":
		b.p.Pause(!b.p.Playing().Paused)
	case "+", "=", "up":
		b.p.Faster(true)
	case "-", "down":
		b.p.Faster(false)
	case "right", "enter", "n":
		b.p.Skip()
	case "esc", "q":
		return tea.Quit, false
	}
	return nil, false
}

// View is one row: how far, how fast, and the keys.
func (b *bar) View(w, _ int) (string, *tea.Cursor) {
	now := b.p.Playing()
	state := "replay"
	switch {
	case now.Over:
		state = "end"
	case now.Paused:
		state = "paused"
	}
	text := fmt.Sprintf(" %s  %s of %s  %gx   ", state, clock(now.At), clock(now.Total), now.Speed)
	text += dialog.Hints(b.sheet, []string{"Space pause", "+ - speed", "Enter next", "Esc leave"}, max(0, w-len(text)))
	text = b.sheet.Truncate(text, w)
	return b.sheet.Ink(themes.Accent, text+strings.Repeat(" ", max(0, w-ansi.StringWidth(text)))), nil
}

func clock(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

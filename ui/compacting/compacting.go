// Package compacting shows that older turns are being summarised: how far it is, what stays and what does not, and the
// key that ends it. It refuses to stop anything else: the turn goes on as it is, and the prompt stays usable.
package compacting

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/command"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
	"talaria/ui/turn"
)

const id = "compacting"

// New returns the feature.
func New(s *screen.State) screen.Feature {
	f := &feature{s: s}
	return screen.Feature{On: f.on, Update: f.update, Commands: []command.Command{{Name: "compact", Args: "[focus]", Help: "summarise older turns to make room",
		Group: command.Turn, Can: s.WhyRunning, Do: func(focus string) tea.Cmd { s.Do(engine.Compact{Focus: focus}); return nil }}}}
}

type feature struct {
	s   *screen.State
	box *box
}

// second ticks while the box is open.
type second struct{}

func (f *feature) on(e engine.Event) tea.Cmd {
	c, ok := e.(engine.Compacted)
	if _, ended := e.(engine.Ended); ended {
		f.close()
	}
	switch {
	case !ok:
		return nil
	case !c.Running:
		f.close()
		return nil
	case f.box != nil:
		f.box.now = c
		return nil
	}
	f.box = &box{f: f, now: c, began: f.s.Now(), share: share(c.Before, f.s.Session.Window)}
	return tea.Batch(f.s.Open(overlay.Overlay{ID: id, Key: "Esc cancel", Box: f.box}), tick())
}

func (f *feature) close() {
	f.box = nil
	f.s.Overlays.Close(id)
}

func tick() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} }) }

func (f *feature) update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(second); !ok || f.box == nil || !f.s.Overlays.Has(id) {
		return nil
	}
	return tick()
}

func share(tokens, window int) int {
	if window <= 0 {
		return 0
	}
	return tokens * 100 / window
}

// box is what stands above the prompt meanwhile.
type box struct {
	f     *feature
	now   engine.Compacted
	began time.Time
	share int // of the window, in percent; 0 when it is not known
}

// Low puts the box right above the prompt.
func (b *box) Low() bool { return true }

// Wants nothing but Esc: the prompt stays usable.
func (b *box) Wants(k tea.KeyPressMsg) bool { return k.String() == "esc" }

// WantsText leaves what is typed to the prompt.
func (b *box) WantsText() bool { return false }

// Update ends the compressing on Esc; the engine says what became of it.
func (b *box) Update(msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "esc" {
		b.f.box = nil
		b.f.s.Do(engine.Interrupt{Graceful: true})
		return nil, true
	}
	return nil, false
}

// Keys are those of the box.
func (b *box) Keys() []dialog.Binding {
	return []keys.Binding{{Keys: []string{"esc"}, Name: "cancel and continue as is"}}
}

// View draws it in at most w by h cells.
func (b *box) View(w, h int) (string, *tea.Cursor) {
	s := b.f.s.Sheet
	title := "Older turns are being summarised "
	if b.share > 0 {
		title = fmt.Sprintf("Context is %d%% full, so older turns are being summarised ", b.share)
	}
	if w < 60 {
		title = "Compacting "
		if b.share > 0 {
			title = fmt.Sprintf("Context %d%% full: compacting ", b.share)
		}
	}
	head := s.Truncate(s.Glyphs.Rule+s.Glyphs.Rule+" "+title, w)
	rows := []string{s.Ink(themes.Accent, head) + s.Ink(themes.Border, s.Rule(max(0, w-style.Width(head))))}
	part := 0.0
	if b.now.Parts > 0 {
		part = (float64(b.now.Part) + 0.5) / float64(b.now.Parts)
	}
	clock := turn.Clock(b.f.s.Now().Sub(b.began))
	rows = append(rows, "", fmt.Sprintf("  %s tokens  %s  %s", thousands(b.now.Before), s.Meter(part, 20), clock))
	if h >= 8 {
		rows = append(rows, "", "  Kept word for word   "+count(b.now.Kept, "message"), "  Summarised           "+count(b.now.Old, "message"),
			"  Still on disk        everything, in the session before this one")
	}
	rows = append(rows, "", "  "+s.Ink(themes.FgMuted, "Esc cancel and continue as is"))
	for i, r := range rows {
		rows[i] = s.Truncate(r, w)
	}
	return strings.Join(rows[:min(len(rows), h)], "\n"), nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%dk", n/1000)
}

package feed

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// head is the line of a call: sign, what it does, the note, the time. In a narrow window the time goes first, then the
// name is cut (a path in its middle, a command at its end), then the note moves to a row of its own.
func (t *tool) head(width int) []string {
	sign, role := t.sign()
	name, rest, multi := strings.Cut(t.line, "\n")
	if multi {
		name += fmt.Sprintf(" %s +%d lines", t.sheet.Glyphs.Ellipsis, strings.Count(rest, "\n")+1)
	}
	took, note := t.time(), t.remarked(name)
	room := width - style.Width(sign) - 1
	used, noteW := style.Width(name), style.Width(note)
	if noteW > 0 {
		used += 2 + noteW
	}
	left := t.sheet.Ink(role, sign) + " "
	if used <= room {
		left += t.name(name, room) + t.noted(note)
		return []string{t.timed(left, took, width)}
	}
	if noteW > 0 && noteW <= room/3 {
		return []string{left + t.name(name, room-noteW-2) + t.noted(note)}
	}
	lines := []string{left + t.name(name, room)}
	if noteW > 0 {
		lines = append(lines, "  "+t.sheet.Ink(themes.FgMuted, t.sheet.Truncate(note, width-2)))
	}
	return lines
}

// remarked is the note beside name: what the call waits for, or how it went unless its name says that already.
func (t *tool) remarked(name string) string {
	switch {
	case t.waiting():
		return "waiting for you"
	case t.note != "" && strings.HasSuffix(" "+name, " "+t.note):
		return ""
	}
	return t.note
}

func (t *tool) noted(note string) string {
	switch {
	case note == "":
		return ""
	case t.waiting():
		return "  " + t.sheet.Ink(themes.Warning, note)
	}
	return "  " + t.sheet.Ink(themes.FgMuted, note)
}

// timed puts took at the clock column when it fits there, else behind left, else nowhere.
func (t *tool) timed(left, took string, width int) string {
	if took == "" {
		return left
	}
	gap := min(width, clockEdge) - style.Width(left) - len(took)
	if gap < 2 {
		gap = 2
	}
	if style.Width(left)+gap+len(took) > width {
		return left
	}
	return left + style.Blank(gap) + t.sheet.Ink(themes.FgMuted, took)
}

// time is how long the call runs or ran; "" under a second, where the note says it already,
// and where the user was waited for.
func (t *tool) time() string {
	d := t.took
	if t.Running() {
		d = t.now.Sub(t.began)
	}
	if d < time.Second || t.status == engine.StatusStopped || t.waiting() || t.unclocked && !t.Running() {
		return ""
	}
	return clock(d)
}

// name draws the action, its verb in the colour of tools, cut to room cells.
func (t *tool) name(name string, room int) string {
	verb, object, ok := strings.Cut(name, " ")
	if !ok || style.Width(verb) >= room-1 {
		return t.sheet.Ink(themes.Tool, t.sheet.Truncate(name, room))
	}
	room -= style.Width(verb) + 1
	if verb == "$" {
		object = t.sheet.Truncate(object, room)
	} else {
		object = t.sheet.Middle(object, room)
	}
	return t.sheet.Ink(themes.Tool, verb) + " " + t.sheet.Ink(themes.Fg, object)
}

// sign is the glyph of the call's state and its colour.
func (t *tool) sign() (string, themes.Role) {
	g := t.sheet.Glyphs
	switch t.status {
	case engine.StatusDone:
		return g.Done, themes.Success
	case engine.StatusFailed, engine.StatusRefused, engine.StatusTimeout:
		return g.Failed, themes.Error
	case engine.StatusDenied:
		return g.Denied, themes.Warning
	case engine.StatusStopped:
		return g.Stopped, themes.Warning
	}
	if t.waiting() {
		return g.Waiting, themes.Warning
	}
	return g.Running, themes.Tool
}

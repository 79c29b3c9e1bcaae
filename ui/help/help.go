// Package help is what Help says beyond the tables of keys and commands: the modes that are on, what this terminal can do,
// what a key that is pressed really is, and what this program is. It refuses to promise: each line is what was found out.
package help

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// Box is the overlay, with keys as they are now.
func Box(s *screen.State, m *keys.Map, commands []dialog.Command) *dialog.Helper {
	h := dialog.Help(s.Sheet, m.All(), commands)
	v := &view{s: s, keys: m}
	h.Note = "This terminal: " + strings.Join(v.terminal(), " · ")
	h.More = []dialog.HelpPage{{Name: "Modes", Rows: v.modes, Key: v.press}, {Name: "About", Rows: v.about}}
	for _, b := range m.All() {
		if b.ID == "keys" && b.Do != nil {
			h.Change = b.Do
		}
	}
	return h
}

// view is the further pages. Pressed is what the last key was and what it would do.
type view struct {
	s       *screen.State
	keys    *keys.Map
	pressed string
}

// press notes a key without doing it.
func (v *view) press(k tea.KeyPressMsg) {
	name := k.String()
	v.pressed = keys.Name(name) + ": "
	b, ok := v.keys.Find(name)
	if !ok {
		if b = v.keys.Prompting(name, v.s.Turn.Active); b.ID != "" {
			ok = true
		}
	}
	switch {
	case ok && b.Name != "":
		v.pressed += b.Name
		if why := b.Why(); why != "" {
			v.pressed += " (" + why + ")"
		}
	case name == v.keys.Lead():
		v.pressed += "the leader; a second key follows"
	case k.Text != "":
		v.pressed += "types " + k.Text
	default:
		v.pressed += "nothing is bound to it"
	}
}

// terminal are the facts of the terminal in a few words each.
func (v *view) terminal() []string {
	o, s := v.keys.Options(), v.s
	words := []string{"kitty keys no (Ctrl+J for a new line)", "mouse " + yes(s.Options.Mouse != "off"), "OSC 52 clipboard " + yes(s.Options.Terminal.Clipboard)}
	if o.Modern {
		words[0] = "kitty keys yes"
	}
	if w := s.Options.Terminal.Writer; w != nil {
		words[2] = "clipboard by " + w.Name
	}
	if depth := map[int]string{themes.TrueColours: "24-bit colour", themes.Indexed: "256 colours", themes.Few: "16 colours", themes.Two: "no colours"}[s.Colours]; depth != "" {
		words = append(words, depth)
	}
	if s.Options.Terminal.Progress {
		words = append(words, "progress in the tab")
	}
	switch {
	case o.Inside != "":
		words = append(words, "inside "+o.Inside+": the leader's forms are shown")
	case s.Options.Terminal.Tmux:
		words = append(words, "inside tmux: its prefix Ctrl+B is untouched")
	}
	return words
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// approvals say what each approval mode does.
var approvals = [][2]string{
	{"ask", "asks before edits and commands"},
	{"edit", "edits in the workspace go through; commands ask"},
	{"plan", "looks and plans; nothing is written or run"},
	{"auto", "asks nothing; what is never allowed stays so. Only by /mode auto"},
}

func (v *view) modes(w int) []string {
	s, o := v.s.Sheet, v.s.Options
	p := page{s: s, w: w}
	p.head("Press any key to see what arrives here and what it would do.")
	said := v.pressed
	if said == "" {
		said = "–"
	}
	p.add(s.Paint(style.Look{Fg: themes.Accent, Bold: true}, s.Truncate(dialog.Plain(s, dialog.OneLine(said)), w)), "")
	p.head("Approval (" + v.s.Hint("mode") + ")")
	for _, a := range approvals {
		sign := "  "
		if a[0] == v.s.Session.Mode {
			sign = s.Glyphs.Focus + " "
		}
		p.row(sign+a[0], a[1])
	}
	p.add("")
	p.head("While the agent works")
	p.row("  Enter", map[string]string{"queue": "queues", "interrupt": "stops and sends"}[o.BusyEnter], "steers")
	p.row("  Esc", map[bool]string{true: "stops at once, tools too", false: "lets a running tool finish; again: stops now"}[o.EscNow])
	p.row("  Follow", map[bool]string{true: "a long answer stops at its first line", false: "the end of what comes stays in view"}[o.Reading.Head])
	p.add("")
	p.head("This terminal")
	for _, t := range v.terminal() {
		p.row("  " + t)
	}
	return p.lines
}

func (v *view) about(w int) []string {
	s, o := v.s.Sheet, v.s.Options
	p := page{s: s, w: w}
	p.row("Program", "talaria "+o.Version)
	p.row("Directory", v.s.HomePath(o.Dir))
	if v.s.Connected() {
		p.row("Model", v.s.Session.Route.Provider+"/"+v.s.Session.Route.Model)
	}
	p.row("Session", v.s.Session.Row.ID)
	p.row("Theme", v.s.Worn.Name)
	if o.Themes.Dir != "" {
		p.row("Your themes", v.s.HomePath(o.Themes.Dir))
	}
	p.row("Keys", "preset "+cmp.Or(o.Keys.Preset, "default"))
	p.add("")
	for _, line := range []string{
		"Only the model's provider gets what you send, and the tools that you allow. There is no telemetry and no update check.",
		"talaria doctor looks at everything and changes nothing. talaria sessions export takes a session out. talaria config path says where settings are.",
		"Everything here has a slash command: the page Commands lists them.",
	} {
		for _, l := range style.Wrap(dialog.Plain(s, line), w) {
			p.add(s.Ink(themes.FgMuted, l))
		}
	}
	return p.lines
}

// page collects lines of w columns.
type page struct {
	s     style.Sheet
	w     int
	lines []string
}

func (p *page) add(lines ...string) { p.lines = append(p.lines, lines...) }

func (p *page) head(text string) {
	p.add(p.s.Paint(style.Look{Fg: themes.Fg, Bold: true}, p.s.Truncate(dialog.Plain(p.s, text), p.w)))
}

// row is a name and the first of the words that says anything; a row with a name alone has the whole width for it.
func (p *page) row(name string, words ...string) {
	text := ""
	for _, w := range words {
		if text = w; text != "" {
			break
		}
	}
	if len(words) == 0 {
		p.add(p.s.Ink(themes.Fg, p.s.Truncate(dialog.Plain(p.s, name), p.w)))
		return
	}
	p.add(p.s.Truncate(p.s.Ink(themes.Fg, style.PadRight(dialog.Plain(p.s, name), 13))+" "+p.s.Ink(themes.FgMuted, dialog.Plain(p.s, dialog.OneLine(text))), p.w))
}

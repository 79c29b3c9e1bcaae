package feed

import (
	"fmt"
	"strings"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// notice is a word of the program itself: a head with a sign, then details. Hints tell which keys help now; they go
// when the turn they belong to is past.
type notice struct {
	face
	sign    string
	role    themes.Role
	head    string
	details []string
	hints   []string
	whole   string // what Ctrl+O adds
}

func (n *notice) Render(width int) []string {
	lines := n.sheet.WrapSpans([]style.Span{{Text: n.head, Look: style.Look{Fg: n.role, Bold: n.role == themes.Error}}}, width-2)
	for i := range lines { // all rows are wrapped beside the sign: none loses its end
		if i == 0 {
			lines[0] = n.sheet.Paint(style.Look{Fg: n.role}, n.sign+" ") + lines[0]
		} else {
			lines[i] = "  " + lines[i]
		}
		lines[i] = n.sheet.Truncate(lines[i], width)
	}
	for _, d := range n.details {
		lines = append(lines, n.indented(style.Look{Fg: themes.FgMuted}, d, width)...)
	}
	for _, h := range n.hints {
		lines = append(lines, n.indented(style.Look{Fg: themes.Fg}, h, width)...)
	}
	if n.expanded {
		lines = append(lines, n.indented(style.Look{Fg: themes.FgMuted}, n.whole, width)...)
	}
	return lines
}

// Toggle shows what was left out, if anything was.
func (n *notice) Toggle() bool { return n.whole != "" && n.flip() }

// retire takes the hints away.
func (n *notice) retire() {
	if len(n.hints) > 0 {
		n.hints = nil
		n.changed()
	}
}

// stopped is the notice for a turn that ended early. Nil for one that simply finished.
func (k *kit) stopped(why engine.Exit) *notice {
	end, ok := endings[why]
	if !ok {
		return nil
	}
	n := &notice{face: face{kit: k}, sign: k.sheet.Glyphs.Stopped, role: end.role, head: end.head}
	if end.hint != "" {
		n.hints = []string{k.sheet.Words(end.hint)}
	}
	return n
}

// failed is the notice for a turn that ended with an error: what happened, what was done about it, what the user can do.
func (k *kit) failed(o engine.Outcome, route engine.Route) *notice {
	err := o.Err
	if err == nil {
		err = &engine.Error{Reason: engine.ReasonUnknown}
	}
	n := &notice{face: face{kit: k}, sign: k.sheet.Glyphs.Failed, role: themes.Error, head: happened(err, route)}
	if said := strings.TrimSpace(style.Safe(err.Message)); said != "" && !strings.Contains(n.head, said) {
		n.details = append(n.details, k.sheet.Truncate(firstLine(said), 240))
		if strings.Contains(said, "\n") || style.Width(said) > 240 {
			n.whole = said
		}
	}
	n.details = append(n.details, done(o))
	can := style.Safe(err.Hint)
	if can == "" {
		can = remedy(err.Reason)
	}
	n.hints = []string{k.sheet.Words(can)}
	return n
}

// done says what the program did about a failure.
func done(o engine.Outcome) string {
	if n := len(o.Recoveries); n > 0 {
		times := "twice"
		if n > 1 {
			times = fmt.Sprintf("%d times", n+1)
		}
		if o.DurationMS >= 1000 {
			return fmt.Sprintf("Asked %s in %s, without an answer. Your message is kept.", times, seconds(millis(o.DurationMS)))
		}
		return fmt.Sprintf("Asked %s, without an answer. Your message is kept.", times)
	}
	return "It was not asked again, since the answer would be the same. Your message is kept."
}

// summarised is the line where older turns were replaced by a summary.
type summarised struct {
	face
	before, after int
	summary       string
}

func (s *summarised) Render(width int) []string {
	rule := s.sheet.Glyphs.Rule
	text := fmt.Sprintf("%s%s Older turns were summarised", rule, rule)
	if s.before > 0 {
		text += fmt.Sprintf(": %s to %s tokens", thousands(s.before), thousands(s.after))
	}
	text += " "
	text = s.sheet.Truncate(text, width)
	text += s.sheet.Rule(min(width, 100) - style.Width(text))
	lines := []string{s.sheet.Ink(themes.FgMuted, text)}
	if s.expanded {
		for _, line := range s.md.Render(s.summary, width-2) {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// Toggle shows the summary.
func (s *summarised) Toggle() bool { return s.summary != "" && s.flip() }

// thousands writes a count of tokens as 812, 12.4k or 104k.
func thousands(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 100_000:
		return strings.Replace(fmt.Sprintf("%.1fk", float64(n)/1000), ".0k", "k", 1)
	}
	return fmt.Sprintf("%dk", n/1000)
}

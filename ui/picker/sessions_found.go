package picker

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// found is what a search in the messages came to, by session.
type found struct {
	text string
	hits map[string]engine.Hit
	ids  []string // in the order of the search
}

// query is what is looked for.
func (p *Sessions) query() string { return strings.TrimSpace(p.list.filter.Value()) }

// search asks for the messages that hold the words, when no key was pressed for a moment. What an older text found stays
// until then where it still may fit.
func (p *Sessions) search() tea.Cmd {
	text := p.query()
	if text == "" || p.found.text != "" && !strings.HasPrefix(text, p.found.text) {
		p.found = found{}
	}
	p.merge()
	if text == "" || text == p.found.text || p.deps.Search == nil {
		return nil
	}
	return tea.Tick(searchAfter, func(time.Time) tea.Msg { return searchDue{text} })
}

// take shows what was found, unless something else is looked for by now.
func (p *Sessions) take(m SessionsFound) {
	if m.Text != p.query() || m.Scope != p.scope {
		return
	}
	if m.Err != nil {
		p.notice = "The messages could not be searched: " + m.Err.Error()
		return
	}
	p.found = found{text: m.Text, hits: map[string]engine.Hit{}}
	for _, h := range m.Hits {
		if p.found.hits[h.Tip].Tip == "" {
			p.found.hits[h.Tip] = h
			p.found.ids = append(p.found.ids, h.Tip)
		}
	}
	all := slices.Clone(p.list.all)
	for _, h := range m.Hits {
		if !slices.ContainsFunc(all, func(s engine.Session) bool { return s.ID == h.Tip }) {
			row := h.Session // older than those that are listed, or the older part of a lineage
			row.ID = h.Tip
			all = append(all, row)
		}
	}
	p.set(all)
}

// merge lists behind the sessions whose title fits those whose messages do. Titles that fit only with a slip of the
// finger go when there is anything better.
func (p *Sessions) merge() {
	if p.found.text == "" || len(p.found.ids) == 0 {
		return
	}
	old, had := p.list.current()
	words := strings.Fields(strings.ToLower(p.query()))
	shown := slices.DeleteFunc(slices.Clone(p.list.shown), func(i int) bool { return score(strings.ToLower(p.list.text(p.list.all[i])), words) == 0 })
	in := map[int]bool{}
	for _, i := range shown {
		in[i] = true
	}
	for _, id := range p.found.ids {
		i := slices.IndexFunc(p.list.all, func(s engine.Session) bool { return s.ID == id })
		if i >= 0 && !in[i] {
			shown = append(shown, i)
		}
	}
	p.list.shown = shown
	p.list.at = max(0, min(p.list.at, len(shown)-1))
	for at, i := range shown {
		if had && p.list.all[i].ID == old.ID {
			p.list.at = at
		}
	}
}

// matches draws where the words stand in the session's messages, at most n lines of w cells.
func (p *Sessions) matches(id string, w, n int) []string {
	h, ok := p.found.hits[id]
	if !ok || h.Seq == 0 {
		return nil
	}
	text, marks := safeMarks(h)
	lines := style.Wrap(text, w)
	out := make([]string, 0, n)
	at := 0 // where the line begins in text; wrapping leaves out spaces between lines
	for _, line := range lines[:min(n, len(lines))] {
		at += max(0, strings.Index(text[at:], line))
		out = append(out, p.paintMarks(line, marks, at))
		at += len(line)
	}
	return out
}

// safeMarks is the snippet as it may be shown, on one line, and where its marks are then.
func safeMarks(h engine.Hit) (string, [][2]int) {
	var b strings.Builder
	write := func(s string) { b.WriteString(strings.ReplaceAll(style.Safe(s), "\n", " ")) }
	var marks [][2]int
	at := 0
	for _, m := range h.Marks {
		if m[0] < at || m[1] > len(h.Snippet) || m[1] < m[0] {
			continue
		}
		write(h.Snippet[at:m[0]])
		from := b.Len()
		write(h.Snippet[m[0]:m[1]])
		marks, at = append(marks, [2]int{from, b.Len()}), m[1]
	}
	write(h.Snippet[at:])
	return b.String(), marks
}

// paintMarks draws a line of the text that begins at byte from of it.
func (p *Sessions) paintMarks(line string, marks [][2]int, from int) string {
	plain, hit := style.Look{Fg: themes.Fg}, style.Look{Fg: themes.Accent, Underline: true}
	var b strings.Builder
	at := 0
	for _, m := range marks {
		lo, hi := max(at, m[0]-from), min(len(line), m[1]-from)
		if lo >= hi {
			continue
		}
		b.WriteString(p.sheet.Paint(plain, line[at:lo]) + p.sheet.Paint(hit, line[lo:hi]))
		at = hi
	}
	return b.String() + p.sheet.Paint(plain, line[at:])
}

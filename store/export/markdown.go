package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// writeMarkdown writes a document as Markdown: headings for who speaks, thoughts as quotes, tools as folded parts.
func writeMarkdown(out io.Writer, d document) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# %s\n\n%s\n", escapeLine(d.Head.Title), d.Head.line())
	last := ""
	for _, b := range d.Blocks {
		if name := string(b.Kind) + b.Name; b.Kind != thoughtBlock && b.Kind != toolBlock && name != last {
			fmt.Fprintf(w, "\n## %s\n", escapeLine(b.Name))
			last = name
		}
		switch b.Kind {
		case thoughtBlock:
			fmt.Fprintf(w, "\n%s\n", quoted(b.Text))
			last = ""
		case toolBlock:
			fmt.Fprintf(w, "\n### %s\n", escapeLine(b.title()))
			lang := ""
			if json.Valid([]byte(b.Text)) {
				lang = "json"
			}
			fence(w, lang, b.Text)
			fence(w, "diff", b.Diff)
			if b.Diff == "" {
				fence(w, "", b.Result)
			}
			last = ""
		case userBlock, agentBlock, asideBlock, summaryBlock:
			fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(b.Text))
		}
	}
	return w.Flush()
}

// line is what is known of the session, in one line.
func (h head) line() string {
	parts := []string{"session " + h.ID}
	if !h.Created.IsZero() {
		parts = append(parts, h.Created.Local().Format("2006-01-02 15:04"))
	}
	if h.Model != "" {
		parts = append(parts, h.Model)
	}
	if h.Turns == 1 {
		parts = append(parts, "1 turn")
	} else if h.Turns > 1 {
		parts = append(parts, fmt.Sprintf("%d turns", h.Turns))
	}
	if h.Tokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", h.Tokens))
	}
	if h.Cost != "" {
		parts = append(parts, h.Cost)
	}
	return strings.Join(parts, " · ")
}

// title is the line of a tool: what it did or its name, how it ended, and its note.
func (b block) title() string {
	t := b.Line
	if t == "" {
		t = b.Name
	}
	if b.Status != "" {
		t += " (" + b.Status + ")"
	}
	if b.Note != "" && !strings.HasSuffix(t, " "+b.Note) {
		t += ": " + oneLine(b.Note)
	}
	return t
}

// escapeLine keeps a heading a heading.
func escapeLine(s string) string {
	return strings.NewReplacer("<", "&lt;", "`", "\\`", "*", "\\*", "[", "\\[").Replace(oneLine(s))
}

func quoted(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n> ")
}

// fence writes text as code; the fence is longer than any run of backticks in it.
func fence(w io.Writer, lang, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	run, longest := 0, 2
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	mark := strings.Repeat("`", longest+1)
	fmt.Fprintf(w, "\n%s%s\n%s\n%s\n", mark, lang, strings.TrimRight(text, "\n"), mark)
}

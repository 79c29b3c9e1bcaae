package style

import (
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// address is a web address as it stands in a row: what is shown is where it leads, so nothing said can pass for another.
// What ends a sentence is none of it.
var (
	address = regexp.MustCompile(`https?://[!-~]*[0-9A-Za-z/#&=~_+-]`)
	rest    = regexp.MustCompile(`^[!-~]*[0-9A-Za-z/#&=~_+-]`)
)

// Linked makes the web addresses in rows links of the terminal's (OSC 8). An address that was broken because it is too
// long, over rows of width cells, is one link with its whole target in each of them. The rows are otherwise as they were,
// cell by cell. It is for rows that are drawn, the last thing before the terminal: nothing may wrap or clean them later.
// File gives the address of the file that a word names, "" for other words; nil knows none.
func Linked(rows []string, width int, file func(word string) string) []string {
	plain := make([]string, len(rows))
	for i, r := range rows {
		if file != nil || strings.Contains(r, "://") || i > 0 && full(plain[i-1], width) {
			plain[i] = ansi.Strip(r)
		}
	}
	goes := 0 // bytes of the row that belong to an address of the row before
	target := ""
	for i, line := range plain {
		var links []stretch
		if goes > 0 {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			links = append(links, stretch{indent, indent + goes, target})
		}
		skip := 0
		if goes > 0 {
			skip = links[0].to
		}
		goes = max(0, goes-len(line))
		for _, at := range address.FindAllStringIndex(line[skip:], -1) {
			links = append(links, stretch{skip + at[0], skip + at[1], line[skip+at[0] : skip+at[1]]})
		}
		if n := len(links); n > 0 && links[n-1].to == len(line) && full(line, width) && i+1 < len(plain) {
			last := &links[n-1]
			if more := rest.FindString(strings.TrimLeft(plain[i+1], " ")); more != "" {
				if skip == 0 || n > 1 {
					last.target = whole(plain[i+1:], last.target, width)
				}
				goes, target = len(more), last.target
			}
		} else {
			goes = 0
		}
		if file != nil {
			links = among(links, files(line, file))
		}
		if len(links) > 0 {
			rows[i] = withLinks(rows[i], links)
		}
	}
	return rows
}

// stretch is a part of a row, in bytes of its plain text, that leads to a target.
type stretch struct {
	from, to int
	target   string
}

// word is what may name a file: no blank, and nothing that stands round one.
var word = regexp.MustCompile("[^\\s\"'`()<>\\[\\]{}|,;\u2500-\u257f]+")

// position is the line that follows a path, and what ends a sentence.
var position = regexp.MustCompile(`(:\d+([-:–]\d+)?)?[.:!?]*$`)

// files are the words of a row that name a file. The object of an action ("✓ Read my notes.md  12 lines") may have blanks.
func files(line string, file func(string) string) (links []stretch) {
	if at := object(line); at > 0 {
		text, _, _ := strings.Cut(line[at:], "  ")
		if target := file(text); target != "" {
			return []stretch{{at, at + len(text), target}}
		}
	}
	for _, at := range word.FindAllStringIndex(line, -1) {
		text := line[at[0]:at[1]]
		target := file(text)
		if target == "" && strings.ContainsAny(text, ":.!?") {
			text = text[:position.FindStringIndex(text)[0]]
			target = file(text)
		}
		if target != "" {
			links = append(links, stretch{at[0], at[0] + len(text), target})
		}
	}
	return links
}

// object is where what follows the sign and the verb of an action begins, 0 for a row that is none.
func object(line string) int {
	text := strings.TrimLeft(line, " ")
	sign, rest, ok := strings.Cut(text, " ")
	verb, _, more := strings.Cut(rest, " ")
	if !ok || !more || Width(sign) > 4 {
		return 0
	}
	return len(line) - len(text) + len(sign) + len(verb) + 2
}

// among adds links to others, in their order in the row; one that overlaps a link is dropped.
func among(links, more []stretch) []stretch {
	for _, one := range more {
		if !slices.ContainsFunc(links, func(l stretch) bool { return l.from < one.to && one.from < l.to }) {
			links = append(links, one)
		}
	}
	slices.SortFunc(links, func(a, b stretch) int { return a.from - b.from })
	return links
}

// prose is where running text wraps in a wider window (UX 4.0).
const prose = 100

// full reports whether a row has no cell left, so that what stands at its end may go on in the next.
func full(row string, width int) bool {
	w := Width(row)
	return width > 0 && (w >= width || w == prose)
}

// whole is an address with what the next rows hold of it.
func whole(next []string, target string, width int) string {
	for _, row := range next {
		text := strings.TrimLeft(row, " ")
		part := rest.FindString(text)
		target += part
		if part != text || !full(row, width) {
			break
		}
	}
	return target
}

// withLinks puts the stretches of a row, from left to right, between the sequences of a link; every byte of the row stays.
func withLinks(row string, links []stretch) string {
	var b strings.Builder
	at, state := 0, byte(0) // at counts bytes of the plain text
	for row != "" {
		part, _, n, next := ansi.DecodeSequence(row, state, nil)
		if n == 0 {
			break
		}
		text := part[0] != '\x1b'
		if text && len(links) > 0 && at == links[0].from {
			b.WriteString(ansi.SetHyperlink(links[0].target))
		}
		b.WriteString(part)
		if text {
			at += n
		}
		if text && len(links) > 0 && at >= links[0].to {
			b.WriteString(ansi.ResetHyperlink())
			links = links[1:]
		}
		row, state = row[n:], next
	}
	b.WriteString(row)
	return b.String()
}

// Local reports whether the terminal of an environment shows the files of this machine: not over ssh, where the address of
// a file would name one of the other side.
func Local(getenv func(string) string) bool {
	return getenv("SSH_CONNECTION") == "" && getenv("SSH_TTY") == "" && getenv("SSH_CLIENT") == ""
}

// Links reports whether the terminal that an environment names is known to take links. Inside tmux and screen it is not:
// they pass them through only where they were told to.
func Links(getenv func(string) string) bool {
	has := func(name string) bool { return getenv(name) != "" }
	term, program := getenv("TERM"), strings.ToLower(getenv("TERM_PROGRAM"))
	switch {
	case has("TMUX"), has("STY"), term == "dumb", term == "linux", strings.HasPrefix(term, "screen"):
		return false
	case has("KITTY_WINDOW_ID"), has("GHOSTTY_RESOURCES_DIR"), has("WEZTERM_PANE"), has("WT_SESSION"), has("KONSOLE_VERSION"), has("ALACRITTY_WINDOW_ID"):
		return true
	case getenv("VTE_VERSION") >= "5000" && len(getenv("VTE_VERSION")) >= 4:
		return true
	case strings.Contains(term, "kitty"), strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "alacritty"), strings.Contains(term, "ghostty"):
		return true
	}
	return program == "iterm.app" || program == "vscode" || program == "wezterm" || program == "ghostty"
}

// Package envelope reads a patch of several files: the format that begins with "*** Begin Patch", or a unified diff. It
// says what the patch wants done and where, by the text around each place; line numbers of a unified diff are not believed.
//
// It refuses what it does not understand, with the line, and knows no file: whoever applies the patch finds the places.
package envelope

import (
	"fmt"
	"regexp"
	"strings"
)

// Kind says what is done with a file.
type Kind uint8

// The kinds.
const (
	Update Kind = iota
	Add
	Delete
)

// File is what a patch does to one file. To is its new path, "" when it stays. Content is that of a file that is added.
type File struct {
	Kind    Kind
	Path    string
	To      string
	Hunks   []Hunk
	Content string
}

// Hunk is one place: New takes the place of Old, after the lines that Anchors name, one after the other. AtEnd says that
// Old is the end of the file. Line is where the hunk begins in the patch, from 1.
type Hunk struct {
	Anchors  []string
	Old, New string
	AtEnd    bool
	Line     int
}

// Parse reads a patch. The error says which line is wrong, in words for a model.
func Parse(text string) ([]File, error) {
	p := &parser{lines: strings.Split(strings.TrimSuffix(unfenced(strings.ReplaceAll(text, "\r\n", "\n")), "\n"), "\n")}
	var err error
	if strings.Contains(text, "*** ") {
		err = p.envelope()
	} else {
		err = p.unified()
	}
	if err != nil {
		return nil, err
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("the patch names no file: it begins with \"*** Begin Patch\", then a line such as \"*** Update File: path\"")
	}
	return p.files, nil
}

// unfenced takes a code fence around the patch away.
func unfenced(s string) string {
	s = strings.TrimLeft(s, "\n")
	if !strings.HasPrefix(s, "```") {
		return s
	}
	_, s, _ = strings.Cut(s, "\n")
	return strings.TrimSuffix(strings.TrimRight(s, "\n"), "```")
}

type parser struct {
	lines []string
	at    int // the present line, from 0
	files []File
}

func (p *parser) wrong(format string, args ...any) error {
	return fmt.Errorf("line %d of the patch: %s", p.at+1, fmt.Sprintf(format, args...))
}

var header = regexp.MustCompile(`^\*\*\* (Update|Add|Delete) File: *(.+?) *$`)

// envelope reads the format of "*** Begin Patch".
func (p *parser) envelope() error {
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		switch m := header.FindStringSubmatch(line); {
		case strings.TrimSpace(line) == "*** End Patch":
			return nil
		case strings.TrimSpace(line) == "*** Begin Patch":
		case m != nil:
			p.files = append(p.files, File{Kind: map[string]Kind{"Update": Update, "Add": Add, "Delete": Delete}[m[1]], Path: m[2]})
		case strings.HasPrefix(line, "*** Move to:") && len(p.files) > 0:
			p.last().To = strings.TrimSpace(strings.TrimPrefix(line, "*** Move to:"))
		case strings.TrimSpace(line) == "" && (len(p.files) == 0 || p.last().Kind != Update || len(p.last().Hunks) == 0):
		case len(p.files) == 0:
			return p.wrong("%q stands before any file", line)
		default:
			if err := p.body(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *parser) last() *File { return &p.files[len(p.files)-1] }

// body reads one line of what a file becomes.
func (p *parser) body() error {
	f, line := p.last(), p.lines[p.at]
	switch f.Kind {
	case Delete:
		return p.wrong("a file that is deleted has no lines")
	case Add:
		if !strings.HasPrefix(line, "+") {
			return p.wrong("every line of a new file begins with +")
		}
		f.Content += line[1:] + "\n"
		return nil
	case Update:
	}
	if anchor, ok := strings.CutPrefix(line, "@@"); ok {
		p.anchor(f, strings.TrimSpace(anchor))
		return nil
	}
	return p.change(f, line)
}

// anchor begins a hunk; several anchors in a row lead to one place.
func (p *parser) anchor(f *File, text string) {
	if n := len(f.Hunks); n == 0 || f.Hunks[n-1].Old != "" || f.Hunks[n-1].New != "" {
		f.Hunks = append(f.Hunks, Hunk{Line: p.at + 1})
	}
	if text != "" {
		h := &f.Hunks[len(f.Hunks)-1]
		h.Anchors = append(h.Anchors, text)
	}
}

// change takes a line of a hunk: kept, taken away or added.
func (p *parser) change(f *File, line string) error {
	if len(f.Hunks) == 0 {
		f.Hunks = append(f.Hunks, Hunk{Line: p.at + 1})
	}
	h := &f.Hunks[len(f.Hunks)-1]
	if strings.TrimSpace(line) == "*** End of File" {
		h.AtEnd = true
		return nil
	}
	if line == "" { // a blank line whose space got lost
		line = " "
	}
	switch rest := line[1:] + "\n"; line[0] {
	case ' ':
		h.Old, h.New = h.Old+rest, h.New+rest
	case '-':
		h.Old += rest
	case '+':
		h.New += rest
	case '\\': // "\ No newline at end of file"
	default:
		return p.wrong("%q begins with neither a space, + nor -", line)
	}
	return nil
}

var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// unified reads a unified diff, of git or of diff.
func (p *parser) unified() error {
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		switch {
		case strings.HasPrefix(line, "--- ") && p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at+1], "+++ "):
			p.pair(pathOf(line[4:]), pathOf(p.lines[p.at+1][4:]))
			p.at++
		case strings.HasPrefix(line, "@@"):
			if len(p.files) == 0 {
				return p.wrong("a hunk stands before any file")
			}
			if err := p.hunk(hunkHead.FindStringSubmatch(line)); err != nil {
				return err
			}
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "), strings.Contains(line, " mode "),
			strings.HasPrefix(line, "similarity "), strings.HasPrefix(line, "rename "), strings.HasPrefix(line, "\\"):
		default:
			return p.wrong("%q is neither of a unified diff nor of the format that begins with \"*** Begin Patch\"", line)
		}
	}
	return nil
}

// pathOf is a path of a header: without the prefix of git and the time of diff.
func pathOf(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return strings.TrimSpace(s)
}

func (p *parser) pair(from, to string) {
	if strings.HasPrefix(from, "a/") && (strings.HasPrefix(to, "b/") || to == "/dev/null") || from == "/dev/null" && strings.HasPrefix(to, "b/") {
		from, to = strings.TrimPrefix(from, "a/"), strings.TrimPrefix(to, "b/")
	}
	switch {
	case from == "/dev/null":
		p.files = append(p.files, File{Kind: Add, Path: to})
	case to == "/dev/null":
		p.files = append(p.files, File{Kind: Delete, Path: from})
	case from != to:
		p.files = append(p.files, File{Path: from, To: to})
	default:
		p.files = append(p.files, File{Path: from})
	}
}

// hunk reads the lines of a hunk. A line count in its head is believed as far as it goes: it tells a removed line that
// looks like a header from a header.
func (p *parser) hunk(head []string) error {
	f := p.last()
	f.Hunks = append(f.Hunks, Hunk{Line: p.at + 1})
	for p.at+1 < len(p.lines) {
		next := p.lines[p.at+1]
		if strings.HasPrefix(next, "@@") || strings.HasPrefix(next, "diff ") ||
			strings.HasPrefix(next, "--- ") && p.at+2 < len(p.lines) && strings.HasPrefix(p.lines[p.at+2], "+++ ") {
			break
		}
		p.at++
		if err := p.change(f, next); err != nil {
			return err
		}
	}
	h := &f.Hunks[len(f.Hunks)-1]
	for head != nil && strings.HasSuffix(h.Old, "\n\n") && strings.HasSuffix(h.New, "\n\n") && lineCount(h.Old) > size(head[1]) { // blank lines between files
		h.Old, h.New = h.Old[:len(h.Old)-1], h.New[:len(h.New)-1]
	}
	if f.Kind == Add {
		f.Content, f.Hunks = f.Content+h.New, nil
	}
	return nil
}

func lineCount(s string) int { return strings.Count(s, "\n") }

func size(s string) int {
	n := 0
	if _, err := fmt.Sscan(s, &n); err != nil {
		return 1 // "-3" is one line
	}
	return n
}

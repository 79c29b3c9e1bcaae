package clip

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/dialog"
	"talaria/ui/markdown"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// openCode lets the user choose among the code blocks of the last answer; a single one is copied at once.
func openCode(s *screen.State) tea.Cmd {
	blocks := markdown.New(s.Sheet).Fences(s.Session.Answer)
	switch len(blocks) {
	case 0:
		s.Say(engine.NoteInfo, "The last answer has no code block.")
		return nil
	case 1:
		return Copy(s, blocks[0].Code)
	}
	return s.Open(overlay.Overlay{ID: "copy", Key: "Esc back", Quiet: true, Box: &picker{s: s, blocks: blocks}})
}

// picker is the list of code blocks.
type picker struct {
	s      *screen.State
	blocks []markdown.Fence
	at     int
}

// Update moves, copies, and writes.
func (p *picker) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	switch key := k.Keystroke(); key {
	case "esc", "q":
		return nil, true
	case "up", "k", "ctrl+p":
		p.at = (p.at + len(p.blocks) - 1) % len(p.blocks)
	case "down", "j", "ctrl+n":
		p.at = (p.at + 1) % len(p.blocks)
	case "enter", "y":
		return Copy(p.s, p.blocks[p.at].Code), true
	case "w":
		return write(p.s.Options.Dir, p.blocks[p.at]), true
	default:
		if n := int(k.Code - '1'); len(key) == 1 && n >= 0 && n < min(9, len(p.blocks)) {
			return Copy(p.s, p.blocks[n].Code), true
		}
	}
	return nil, false
}

// write puts a block into a new file of dir.
func write(dir string, f markdown.Fence) tea.Cmd {
	return func() tea.Msg {
		for n := 1; n < 1000; n++ {
			path := filepath.Join(dir, fmt.Sprintf("snippet-%d%s", n, suffix(f.Lang)))
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if os.IsExist(err) {
				continue
			}
			if err == nil {
				_, err = file.WriteString(f.Code)
				if e := file.Close(); err == nil {
					err = e
				}
			}
			return wrote{text: "Wrote ", path: path, err: err}
		}
		return wrote{err: fmt.Errorf("find a name in %s that is free", dir)}
	}
}

// suffixes are how files of a language end where its name is not that.
var suffixes = map[string]string{"bash": "sh", "shell": "sh", "console": "txt", "text": "txt", "": "txt", "python": "py", "javascript": "js", "typescript": "ts",
	"golang": "go", "rust": "rs", "ruby": "rb", "markdown": "md", "yml": "yaml", "c++": "cpp", "csharp": "cs", "kotlin": "kt"}

func suffix(lang string) string {
	lang = strings.ToLower(lang)
	if s, ok := suffixes[lang]; ok {
		lang = s
	}
	for _, r := range lang {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return ".txt"
		}
	}
	return "." + lang
}

// View draws the blocks by number, and the beginning of the one in use.
func (p *picker) View(w, h int) (string, *tea.Cursor) {
	s := p.s.Sheet
	f := dialog.Frame{Sheet: s, Title: "Copy a code block", Max: 84, Hints: []string{"Enter copy", "w write a file", "Esc back"}}
	inner := f.Inner(w)
	var page dialog.Page
	rows := max(1, min(len(p.blocks), h/2-2, 9))
	top := max(0, min(p.at-rows/2, len(p.blocks)-rows))
	for i := top; i < top+rows; i++ {
		page.Head = append(page.Head, p.row(i, inner))
	}
	page.Row, page.Col, page.OnHead = p.at-top, 0, true
	page.Head = append(page.Head, dialog.RuleLine)
	code := strings.Split(strings.TrimRight(p.blocks[p.at].Code, "\n"), "\n")
	for _, line := range code[:min(len(code), max(1, h-rows-5))] {
		page.Body = append(page.Body, s.Ink(themes.Fg, s.Truncate(style.Untab(style.Safe(line)), inner)))
	}
	return f.Draw(w, h, page)
}

func (p *picker) row(i, w int) string {
	s, sign, look := p.s.Sheet, "  ", style.Look{Fg: themes.Fg}
	if i == p.at {
		sign, look.Bold = s.Glyphs.Focus+" ", true
	}
	number := "   "
	if i < 9 {
		number = fmt.Sprintf("%d  ", i+1)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(p.blocks[i].Code), "\n")
	note := strings.TrimSpace(p.blocks[i].Lang + "  " + lines(p.blocks[i].Code))
	left := s.Truncate(sign+number+style.Untab(style.Safe(first)), max(1, w-style.Width(note)-2))
	return s.Spread(s.Paint(look, left), s.Ink(themes.FgMuted, s.Truncate(note, w)), w)
}

// Keys lists what can be pressed.
func (p *picker) Keys() []dialog.Binding {
	return []dialog.Binding{{Keys: []string{"enter"}, Name: "copy"}, {Keys: []string{"w"}, Name: "write a file"}, {Keys: []string{"esc"}, Name: "back"}}
}

// Package pictures brings pictures into the prompt: Ctrl+V takes one from the clipboard (or the text that is there), and
// a path or a file:// address that is pasted, which is what a terminal makes of a file that is dropped on it, becomes one
// too. In the prompt a picture is a chip; what is sent names its file, so that drafts and queued messages keep it. It
// refuses to look at a file in Update, and to take what is no picture by its content.
package pictures

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif"  // for the size of a picture
	_ "image/jpeg" // as above
	_ "image/png"  // as above
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	_ "golang.org/x/image/webp" // as above

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// kept is how long a picture of the clipboard stays on disk; what was sent is in the session.
const kept = 30 * 24 * time.Hour

type pictures struct {
	s       *screen.State
	changed func() tea.Cmd
	reading bool
	count   int // pictures of this draft
}

// The messages of its commands: what the clipboard held, and what a path that was pasted leads to.
type (
	got struct {
		text, path, size string
		err              error
	}
	looked struct {
		id         int
		path, size string
		err        error
	}
)

// New returns the feature. Changed saves the draft.
func New(s *screen.State, changed func() tea.Cmd) screen.Feature {
	p := &pictures{s: s, changed: changed}
	if s.Options.Terminal.Reads == nil {
		return screen.Feature{Update: p.update, Pastes: p.dropped}
	}
	return screen.Feature{
		Keys: []keys.Binding{{ID: "paste", Keys: []string{"ctrl+v"}, Name: "Paste", Help: "a picture or text of the clipboard", Scope: keys.Prompt, Do: p.paste}},
		Commands: []command.Command{{Name: "paste", Help: "a picture or text of the clipboard", Group: command.Turn, Busy: true,
			Do: func(string) tea.Cmd { return p.paste() }}},
		Update: p.update,
		Pastes: p.dropped,
	}
}

// paste asks for the clipboard.
func (p *pictures) paste() tea.Cmd {
	if p.reading {
		return nil
	}
	p.reading = true
	read, dir, now, ctx := p.s.Options.Terminal.Reads, p.s.Options.PasteDir, p.s.Now(), p.s.Context
	return func() tea.Msg {
		c, err := read(ctx)
		if err != nil || len(c.Picture) == 0 {
			return got{text: c.Text, err: err}
		}
		size := sizeOf(c.Picture)
		if size == "" {
			return got{err: fmt.Errorf("what it holds is no picture that is known")}
		}
		path, err := keep(dir, now, c.Picture)
		return got{path: path, size: size, err: err}
	}
}

// keep writes a picture into a folder that only the user reads, and takes old ones away.
func keep(dir string, now time.Time, data []byte) (string, error) {
	if dir == "" {
		return "", fmt.Errorf("there is no folder for it")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if old, err := os.ReadDir(dir); err == nil {
		for _, e := range old {
			if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), "pasted-") && now.Sub(info.ModTime()) > kept {
				_ = os.Remove(filepath.Join(dir, e.Name())) // the next paste tries again
			}
		}
	}
	f, err := os.CreateTemp(dir, "pasted-"+now.Format("20060102-150405")+"-*.png") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if shut := f.Close(); err == nil {
		err = shut
	}
	return f.Name(), err
}

// sizeOf is "1280x720", "" for what is no picture.
func sizeOf(data []byte) string {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%dx%d", c.Width, c.Height)
}

// sizeIn is the size of the picture in a file.
func sizeIn(path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	c, _, err := image.DecodeConfig(f)
	return fmt.Sprintf("%dx%d", c.Width, c.Height), err
}

func (p *pictures) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case got:
		p.reading = false
		switch {
		case msg.err != nil:
			p.s.Say(engine.NoteWarning, "Nothing was pasted: "+msg.err.Error()+".")
			return nil
		case msg.path != "":
			text, label := reference(msg.path), p.label(msg.size)
			p.s.Prompt.Become(p.s.Prompt.Piece(text, label), text, label)
		case msg.text == "":
			p.s.Say(engine.NoteInfo, "The clipboard is empty.")
			return nil
		default:
			_, cmd := p.s.Prompt.Update(tea.PasteMsg{Content: msg.text})
			return tea.Batch(cmd, p.changed())
		}
		return p.changed()
	case looked:
		if msg.err != nil {
			p.s.Prompt.Unfold(msg.id) // it is the text that it was
		} else {
			p.s.Prompt.Become(msg.id, reference(msg.path), p.label(msg.size))
		}
		return p.changed()
	}
	return nil
}

// label is "[image 1 1280x720]"; the count begins anew with an empty prompt.
func (p *pictures) label(size string) string {
	if !strings.Contains(p.s.Prompt.Value(), "@") {
		p.count = 0
	}
	p.count++
	return fmt.Sprintf("[image %d %s]", p.count, size)
}

// reference is how a message names a file.
func reference(path string) string {
	if strings.ContainsAny(path, " \t,;:!?)") {
		return `@"` + path + `"`
	}
	return "@" + path
}

// dropped takes a paste that is the path of a picture. It stands in the prompt as it was pasted until the file was
// looked at.
func (p *pictures) dropped(text string) (tea.Cmd, bool) {
	path, ok := pathOf(text, p.s.Options.Home)
	if !ok {
		return nil, false
	}
	id := p.s.Prompt.Piece(text, style.Visible(strings.TrimSpace(text)))
	return tea.Batch(p.changed(), func() tea.Msg {
		size, err := sizeIn(path)
		return looked{id, path, size, err}
	}), true
}

// pathOf is the absolute path that a pasted text is: as terminals write one that is dropped on them, in quotes, with
// backslashes before blanks, or as a file:// address. Only what ends as pictures do is one.
func pathOf(text, home string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 4096 || strings.ContainsAny(text, "\n\r\x00\"") && text[0] != '"' {
		return "", false
	}
	if rest, ok := strings.CutPrefix(text, "file://"); ok {
		path, err := url.PathUnescape(strings.TrimPrefix(rest, "localhost"))
		return path, err == nil && strings.HasPrefix(path, "/") && picture(path)
	}
	if q := text[0]; (q == '\'' || q == '"') && len(text) > 2 && text[len(text)-1] == q {
		text = text[1 : len(text)-1]
	} else {
		text = unescape(text)
	}
	if rest, ok := strings.CutPrefix(text, "~/"); ok && home != "" {
		text = filepath.Join(home, rest)
	}
	return text, filepath.IsAbs(text) && picture(text) && !strings.ContainsAny(text, "\"\n")
}

// unescape takes the backslashes away that a shell would.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && filepath.Separator == '/' {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func picture(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

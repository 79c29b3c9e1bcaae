// Package links lists the addresses of the conversation, newest first: one is opened in the browser or copied. It refuses
// to open anything but http and https, and without being asked.
package links

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/board"
	"talaria/ui/clip"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// most is how many addresses are listed.
const most = 200

// openedMsg is how opening one ended.
type openedMsg struct {
	url string
	err error
}

// Feature is its key.
func Feature(s *screen.State) screen.Feature {
	open := func() tea.Cmd {
		found := Find(s)
		if len(found) == 0 {
			s.Say(engine.NoteInfo, "There is no link in the conversation.")
			return nil
		}
		return s.Open(overlay.Overlay{ID: "links", Key: "Esc close", Quiet: true, Box: list(s, found)})
	}
	return screen.Feature{
		Keys: []keys.Binding{{ID: "links", Keys: []string{"ctrl+x l"}, Name: "Open a link", Do: open}},
		Update: func(msg tea.Msg) tea.Cmd {
			if m, ok := msg.(openedMsg); ok && m.err != nil {
				s.Say(engine.NoteWarning, fmt.Sprintf("%s was not opened: %v. %s, then y copies it.", m.url, m.err, s.Hint("links")))
			}
			return nil
		},
	}
}

var address = regexp.MustCompile(`https?://[^\s<>"'\x60\\^{}|]+`)

// Find is the addresses of the conversation, the newest first, each once.
func Find(s *screen.State) []string {
	var all []string
	items := s.Log.Items()
	for _, item := range slices.Backward(items) {
		found := address.FindAllString(style.Safe(cmp.Or(item.Source, item.Text)), -1)
		for _, u := range slices.Backward(found) {
			if u = trim(u); !slices.Contains(all, u) && len(all) < most {
				all = append(all, u)
			}
		}
	}
	return all
}

// trim leaves out what ends a sentence or closes a bracket that the address did not open.
func trim(u string) string {
	for {
		last := u[len(u)-1]
		open := map[byte]string{')': "(", ']': "["}[last]
		if strings.IndexByte(".,;:!?*_", last) < 0 && (open == "" || strings.Count(u, open) >= strings.Count(u, string(last))) {
			return u
		}
		u = u[:len(u)-1]
	}
}

func list(s *screen.State, found []string) *board.Board {
	b := board.New(s.Sheet, board.Words{Title: "Links", Note: fmt.Sprint(len(found)), Max: 108, Hints: []string{"Enter open", "y copy", "Esc close"}})
	var rows []board.Row
	for _, u := range found {
		rows = append(rows, board.Row{Key: u, Text: u})
	}
	b.Fill(rows)
	b.Press = func(key string, at int) (tea.Cmd, bool) {
		if n := int(key[0] - '1'); len(key) == 1 && n >= 0 && n < min(9, len(found)) {
			at, key = n, "enter"
		}
		switch {
		case key == "esc" || key == "q":
			return nil, true
		case key == "enter" && remote():
			b.Say = "This is a remote machine: y copies the address for your own browser."
		case key == "enter":
			return open(found[at]), true
		case key == "y":
			return clip.Copy(s, found[at]), true
		}
		return nil, false
	}
	return b
}

// remote reports that a browser started here would not be seen.
func remote() bool { return os.Getenv("SSH_CONNECTION") != "" }

// open starts the program that the system opens addresses with.
func open(url string) tea.Cmd {
	return func() tea.Msg {
		name := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
		cmd := exec.Command(cmp.Or(os.Getenv("BROWSER"), name, "xdg-open"), url)
		return openedMsg{url, cmd.Run()}
	}
}

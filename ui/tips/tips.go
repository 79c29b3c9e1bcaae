// Package tips is /tips: a few things that are good to know, with the keys as they are in this terminal. It refuses to
// turn up by itself.
package tips

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/command"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// Feature is the command.
func Feature(s *screen.State) screen.Feature {
	open := func(string) tea.Cmd {
		return s.Open(overlay.Overlay{ID: "tips", Key: "Esc close", Quiet: true, Box: box(s)})
	}
	return screen.Feature{Commands: []command.Command{{Name: "tips", Help: "good to know", Group: command.Help, Busy: true, Do: open}}}
}

// all are the tips; a word in braces stands for the key of that action.
var all = []string{
	"Type while the agent works: Enter gives it a word with its next step, Tab keeps it for after the turn.",
	"Esc stops after the running tool, and once more at once. What was written stays; Enter on an empty prompt goes on.",
	"Nothing typed is lost: Up brings back what was cleared, stopped or not sent, also after a crash.",
	"Esc twice on an empty prompt opens the timeline: back to any turn with or without files, a fork there, or a summary from there.",
	"A longer yes shows its exact rule before it is kept; Tab makes it wider. /permissions revokes it, /why says what decided.",
	"@ attaches files, !command runs one and tells the model, !!command does not tell, #text remembers.",
	"/context says what fills the window; Space keeps an item word for word, Del leaves it out.",
	"{browse} walks through what was said; y copies a block, / searches, * pins it.",
	"{palette} finds everything that can be done; {keys} changes its keys.",
	"A session that was compacted is still whole: scroll up, and its older messages are read.",
}

func box(s *screen.State) *board.Board {
	b := board.New(s.Sheet, board.Words{Title: "Tips", Max: 90, Hints: []string{"PgUp/PgDn scroll", "Esc close"}})
	b.Wide = true
	b.Detail = func(_, w int) (out []string) {
		key := s.Sheet.Words("· ")
		for _, tip := range all {
			for _, id := range []string{"browse", "palette", "keys"} {
				hint := s.Hint(id)
				if hint == "" {
					hint = "/" + id
				}
				tip = strings.ReplaceAll(tip, "{"+id+"}", hint)
			}
			for i, l := range style.Wrap(tip, max(1, w-2)) {
				lead := key
				if i > 0 {
					lead = "  "
				}
				out = append(out, b.Sheet().Ink(themes.FgMuted, lead)+l)
			}
		}
		return out
	}
	b.Press = func(k string, _ int) (tea.Cmd, bool) { return nil, k == "esc" || k == "q" }
	return b
}

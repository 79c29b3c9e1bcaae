// Package inline is the screen that is none of its own (--inline): what is finished is printed once into the terminal's
// own scrollback, and only the last rows are drawn again. A view that needs the whole screen gets one, and gives it back.
// It refuses to print while something is open over the conversation, and to touch what was printed.
package inline

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/ui/browse"
	"talaria/ui/layout"
	"talaria/ui/screen"
	"talaria/ui/style"
)

// drawn is after how long a frame is on screen for certain: the toolkit draws sixty times a second.
const drawn = 100 * time.Millisecond

// Inline is the feature over a screen.
type Inline struct {
	s        *screen.State
	pending  []string
	begun    bool // the first frame is on screen
	printing bool
	reopened bool // a session came on screen, and is not printed yet
	flying   int  // rows that are being printed
	tall     int  // rows of the highest frame that may still be on screen
	since    time.Time
}

// printed says that the terminal has what was printed; begun that it has the first frame.
type (
	printed struct{}
	begun   struct{}
)

// New returns the feature; it does nothing unless the settings ask for it.
func New(s *screen.State) *Inline { return &Inline{s: s} }

// Feature is its events and messages.
func (n *Inline) Feature() screen.Feature {
	return screen.Feature{
		On: func(e engine.Event) tea.Cmd {
			if _, ok := e.(engine.Opened); ok {
				n.reopened = true
			}
			return nil
		},
		Update: func(msg tea.Msg) tea.Cmd {
			if _, ok := msg.(printed); ok {
				n.printing, n.flying = false, 0
			}
			if _, ok := msg.(begun); ok {
				n.begun = true
			}
			return nil
		},
		Init: func() tea.Cmd {
			if !n.s.Options.Inline {
				return nil
			}
			return tea.Tick(drawn, func(time.Time) tea.Msg { return begun{} }) // before, the toolkit thinks that the frame fills the window
		},
	}
}

// Now reports whether the frame stands below the scrollback: not while something needs the whole screen.
func (n *Inline) Now() bool {
	if !n.s.Options.Inline {
		return false
	}
	for _, o := range n.s.Overlays {
		if o.Full || o.ID == browse.ID {
			return false
		}
	}
	return true
}

// Pump prints what can no longer change, in order and a piece at a time: a piece and the frame must fit the window, or
// the terminal would scroll the frame away.
func (n *Inline) Pump() tea.Cmd {
	if !n.s.Options.Inline || !n.begun || n.printing || n.s.W <= 0 || n.s.H <= 0 || len(n.s.Overlays) > 0 || n.s.Popup != nil {
		return nil
	}
	n.take()
	return n.print()
}

// take moves what is settled to what is to be printed.
func (n *Inline) take() {
	n.s.Log.SetSize(n.s.W, n.s.H)
	if n.reopened {
		n.reopened = false
		if n.s.Log.Respool(2 * n.s.H) {
			n.pending = append(n.pending, n.s.Sheet.Words("· What was said before is in browse mode (Ctrl+X [)."), "")
		}
	}
	rows := n.s.Log.Unspool(n.s.Turn.Active)
	if n.s.Options.Terminal.Links {
		rows = style.Linked(rows, n.s.W, n.s.FileLinks())
	}
	n.pending = append(n.pending, rows...)
}

func (n *Inline) print() tea.Cmd {
	if len(n.pending) == 0 {
		return nil
	}
	k := n.piece()
	text := strings.Join(n.pending[:k], "\n")
	if text == "" { // nothing is printed for that; a blank is a row
		text = " "
	}
	n.pending, n.printing, n.flying = n.pending[k:], true, k
	return tea.Sequence(tea.Println(text), func() tea.Msg { return printed{} })
}

// piece is how many rows are printed at once. The frame may have grown by the time they are.
func (n *Inline) piece() int {
	frame := n.tall + n.Room() + layout.Of(n.s.W, n.s.H).Strip
	return min(len(n.pending), max(1, n.s.H-frame-2))
}

// Rest prints all that is left, also what was not finished, and then does next. It is for the end.
func (n *Inline) Rest(next tea.Cmd) tea.Cmd {
	if !n.s.Options.Inline || n.s.W <= 0 || n.s.H <= 0 {
		return next
	}
	n.s.Overlays, n.s.Popup = nil, nil
	n.take()
	n.pending = append(n.pending, n.s.Log.Live(n.s.H)...)
	var all []tea.Cmd
	for len(n.pending) > 0 {
		n.printing = false
		k := n.piece()
		all, n.pending = append(all, tea.Println(strings.Join(n.pending[:k], "\n"))), n.pending[k:]
	}
	return tea.Sequence(append(all, next)...)
}

// Room is how many rows of the conversation are drawn again: few, since a terminal that is resized leaves what it had of
// them above.
func (n *Inline) Room() int { return max(3, min(8, n.s.H/3)) }

// Fit makes the frame: no row wider than the window, none with blanks at its end, which a terminal would wrap when it
// gets narrower, and fewer rows than the window has. It returns how many rows went from the top.
func (n *Inline) Fit(rows []string) (_ []string, cut int) {
	if cut = max(0, len(rows)-max(1, n.s.H-1-n.flying)); cut > 0 { // what is printed meanwhile needs room beside it
		rows = rows[cut:]
	}
	for i, r := range rows {
		if ansi.StringWidth(r) > n.s.W {
			rows[i] = ansi.Truncate(r, n.s.W, "")
		}
	}
	if now := n.s.Now(); len(rows) >= n.tall || now.Sub(n.since) > drawn {
		n.tall, n.since = len(rows), now
	}
	return rows, cut
}

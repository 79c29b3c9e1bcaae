// Package limit is what a turn may take: /budget sets it, and a turn that reached it says what was done and offers to go
// on. It refuses to spend more than was said: going on is one more turn under the same limit.
package limit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/board"
	"talaria/ui/chrome"
	"talaria/ui/command"
	"talaria/ui/dialog"
	"talaria/ui/overlay"
	"talaria/ui/screen"
	"talaria/ui/turn"
)

// guard is how long keys are not taken after the dialog opened: they may be typed words (UX).
const guard = 400 * time.Millisecond

// Feature is /budget and the dialog. Models opens the list of models.
func Feature(s *screen.State, models func() tea.Cmd) screen.Feature {
	f := &feature{s, models}
	s.Session.Budget = s.Options.Budget
	return screen.Feature{
		Commands: []command.Command{{Name: "budget", Args: "[$|turns|off]", Help: "what a turn may cost (5) or take (40 turns)", Group: command.Turn, Busy: true, Values: func() []string { return []string{"off"} }, Do: f.command}},
		On: func(e engine.Event) tea.Cmd {
			ended, ok := e.(engine.Ended)
			if !ok || ended.Why != engine.ExitBudget && ended.Why != engine.ExitIterations || s.Overlays.Top() != nil || !s.Prompt.Empty() {
				return nil
			}
			return s.Open(overlay.Overlay{ID: "limit", Key: "Esc stop here", Box: f.box(ended)})
		},
	}
}

type feature struct {
	s      *screen.State
	models func() tea.Cmd
}

// command is /budget.
func (f *feature) command(arg string) tea.Cmd {
	s := f.s
	set, ok := Read(arg)
	switch {
	case strings.TrimSpace(arg) == "":
		now := "A turn may cost any amount."
		if s.Session.Budget > 0 {
			now = fmt.Sprintf("A turn may cost $%.2f.", s.Session.Budget)
		}
		s.Say(engine.NoteInfo, now+" /budget 5 caps it at $5, /budget 40 turns at 40 rounds, /budget off takes both away.")
	case !ok:
		s.Say(engine.NoteInfo, "/budget takes an amount in dollars (5 or $0.50), a number of rounds (40 turns), or off.")
	default:
		f.set(set)
	}
	return nil
}

func (f *feature) set(op engine.Set) {
	if op.Budget != nil {
		f.s.Session.Budget = *op.Budget
	}
	f.s.Do(op)
}

// Read reads what follows /budget; false when it is none of its forms.
func Read(arg string) (engine.Set, bool) {
	words := strings.Fields(strings.ToLower(arg))
	switch {
	case len(words) == 1 && words[0] == "off":
		return engine.Set{Budget: new(float64), Turns: new(int)}, true
	case len(words) == 2 && (words[1] == "turns" || words[1] == "rounds"):
		n, err := strconv.Atoi(words[0])
		return engine.Set{Turns: &n}, err == nil && n > 0
	case len(words) == 1:
		x, err := strconv.ParseFloat(strings.TrimPrefix(words[0], "$"), 64)
		return engine.Set{Budget: &x}, err == nil && x > 0 && !math.IsInf(x, 0)
	}
	return engine.Set{}, false
}

// box is the dialog after a turn that reached its limit.
func (f *feature) box(e engine.Ended) *board.Board {
	s := f.s
	b := board.New(s.Sheet, board.Words{Max: 100, Title: "Limit reached", Hints: []string{"1–4", "Enter choose", "Esc stop here"}})
	more := "Continue for as many rounds again"
	if e.Why == engine.ExitBudget && s.Session.Budget > 0 {
		more = fmt.Sprintf("Add $%.2f and continue", s.Session.Budget)
	}
	b.Choices = []board.Choice{{Label: more, Short: "Continue"}, {Label: "Add another amount…", Short: "Other amount"},
		{Label: "Choose another model…", Short: "Model"}, {Label: "Stop here (work is saved; /continue any time)", Short: "Stop"}}
	opened := s.Now()
	b.Press = func(key string, _ int) (tea.Cmd, bool) {
		if key == "enter" {
			key = strconv.Itoa(b.Pick() + 1)
		}
		if key == "esc" || key == "4" {
			return nil, true
		}
		if s.Now().Sub(opened) < guard {
			return nil, false
		}
		switch key {
		case "1":
			s.Do(engine.Continue{})
			return nil, true
		case "2":
			f.ask(b)
		case "3":
			return f.models(), true
		}
		return nil, false
	}
	b.Detail = func(_, w int) []string { return f.told(b, e, w) }
	return b
}

// ask takes another amount; the turn goes on when it is one.
func (f *feature) ask(b *board.Board) {
	b.Edit("Dollars a turn, or rounds (40 turns)", "", func(text string) tea.Cmd {
		op, ok := Read(text)
		if !ok {
			b.Say = "That is no amount. Nothing was changed."
			return nil
		}
		f.set(op)
		f.s.Do(engine.Continue{})
		f.s.Overlays.Drop(func(o overlay.Overlay) bool { return o.Box == b })
		return nil
	})
}

// told is what the turn came to.
func (f *feature) told(b *board.Board, e engine.Ended, w int) []string {
	s, o := b.Sheet(), e.Outcome
	head := fmt.Sprintf("This turn reached its limit of %d rounds.", o.Iterations)
	if e.Why == engine.ExitBudget {
		head = "This turn reached its budget."
		if f.s.Session.Budget > 0 {
			head = fmt.Sprintf("This turn reached its $%.2f budget.", f.s.Session.Budget)
		}
	}
	out := []string{s.Truncate(s.Ink(themes.Warning, s.Glyphs.Stopped)+" "+head, w)}
	out = append(out, board.Pairs(s, [][2]string{{"", "The agent stopped between two steps, so no edit or command was cut off."}}, w)...)
	var done []string
	finished := 0
	for _, t := range f.s.Session.Tasks {
		if t.Status == "completed" {
			finished++
		}
	}
	if n := len(f.s.Session.Tasks); n > 0 {
		done = append(done, fmt.Sprintf("%d of %s", finished, chrome.Plural(n, "task", "tasks")))
	}
	done = append(done, chrome.Plural(len(o.FilesChanged), "file", "files")+" changed")
	read := o.Usage.Input + o.Usage.CacheRead + o.Usage.CacheWrite
	spent := chrome.Cost(o.Route, o.Cost) + " · in " + turn.Count(read)
	if read > 0 {
		spent += fmt.Sprintf(" (%d%% cached)", 100*o.Usage.CacheRead/read)
	}
	spent += " · out " + turn.Count(o.Usage.Output) + " · " + chrome.Plural(o.Iterations, "round", "rounds") + " · " + turn.Clock(time.Duration(o.DurationMS)*time.Millisecond)
	pairs := [][2]string{{"Done", strings.Join(done, " · ")}, {"Spent", dialog.Plain(s, spent)}}
	return append(append(out, ""), board.Pairs(s, pairs, w)...)
}

// Package models is what the screen can do with models: connect a provider, pick a model, use what was picked. It refuses
// to switch while the agent works, but for a turn that waits to be asked again, and to hold a key: those go from the connect screen to engine.Connections alone.
package models

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/dialog"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/screen"
)

// Models is the feature over a screen. Connected sends what waited for a connection.
type Models struct {
	s         *screen.State
	connected func() tea.Cmd
}

// New returns the feature.
func New(s *screen.State, connected func() tea.Cmd) *Models { return &Models{s, connected} }

// overlayID is the name of the model picker.
const overlayID = "models"

type (
	pickedMsg  struct{ model picker.Model }
	connectMsg struct{ c engine.Connection } // a connection works and is to be used
	settledMsg struct{ err error }           // the default of new sessions was changed
)

// Feature is its keys, commands and messages.
func (f *Models) Feature() screen.Feature {
	return screen.Feature{
		Keys: []keys.Binding{{ID: "model", Keys: []string{"ctrl+x m"}, Name: "Model", Can: f.s.WhyRunning, Do: f.Open}},
		Commands: []command.Command{
			{Name: "model", Args: "[name]", Help: "choose the model; with a name: use it", Group: command.Set, Ask: f.names, Do: f.choose},
			{Name: "effort", Args: "[" + strings.Join(efforts, "|") + "]", Help: "how much the model thinks", Group: command.Set, Do: f.effort},
			{Name: "connect", Help: "connect a provider", Group: command.Set, Busy: true, Do: func(string) tea.Cmd { return f.Connect() }},
		},
		Update: func(msg tea.Msg) tea.Cmd {
			switch msg := msg.(type) {
			case connectMsg:
				return f.use(msg.c)
			case pickedMsg:
				return f.picked(msg.model)
			case settledMsg:
				if msg.err != nil {
					f.s.Say(engine.NoteWarning, "The default could not be kept: "+msg.err.Error()+". Nothing was changed.")
				}
			}
			return nil
		},
	}
}

func (f *Models) choose(arg string) tea.Cmd {
	if arg == "" {
		return f.Open()
	}
	f.s.Do(engine.Switch{Model: arg})
	return nil
}

// efforts are how much a model may think, the least first (CONTRACT 4, model.effort).
var efforts = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}

// effort is /effort WORD; without a word it says which is in use.
func (f *Models) effort(word string) tea.Cmd {
	r := f.s.Session.Route
	switch {
	case r.Model == "":
		f.s.Say(engine.NoteInfo, "No model is connected. /connect adds one.")
	case word == "":
		f.s.Say(engine.NoteInfo, "The effort is "+cmp.Or(r.Effort, "the model's own")+". /effort takes "+strings.Join(efforts, ", ")+".")
	case !slices.Contains(efforts, word):
		f.s.Say(engine.NoteWarning, "There is no effort "+word+"; it takes "+strings.Join(efforts, ", ")+". Nothing was changed.")
	default:
		f.s.Do(engine.Switch{Model: r.Provider + "/" + r.Model + ":" + word})
		f.s.Session.Route.Effort = word
	}
	return nil
}

// Open opens the model picker.
func (f *Models) Open() tea.Cmd {
	s := f.s
	deps := picker.ModelsWith(s.Context, s.Deps.Connect, s.Views.Models, func(c picker.Model) tea.Cmd {
		return func() tea.Msg { return pickedMsg{c} }
	})
	deps.Current = s.Session.Route.Provider + "/" + s.Session.Route.Model
	for _, r := range s.Session.Recent {
		if ref := r.Route.Provider + "/" + r.Route.Model; r.Route.Model != "" && !slices.Contains(deps.Recent, ref) {
			deps.Recent = append(deps.Recent, ref)
		}
	}
	deps.Effort, deps.Efforts, deps.Shelf, deps.Settle = s.Session.Route.Effort, efforts, s.Views.Shelf, f.settle
	deps.Context = s.Session.Context
	return s.Open(overlay.Overlay{ID: overlayID, Key: "Esc back", Quiet: true, Box: picker.NewModels(s.Sheet, deps)})
}

// picked uses what was chosen; a model without a key opens the connect screen.
func (f *Models) picked(p picker.Model) tea.Cmd {
	if p.Ref == "" {
		return nil
	}
	f.s.ClosePickers()
	if !p.Ready && p.Connection != nil {
		return f.Connect()
	}
	running := f.s.Turn.Active
	if running { // from a wait: the turn goes on with the other model
		f.s.StopNow()
	}
	ref := p.Ref
	if p.Connection == nil && p.Effort != "" && p.Effort != f.s.Session.Route.Effort && !strings.Contains(ref, ":") {
		ref += ":" + p.Effort
	}
	f.s.Do(engine.Switch{Model: ref, Route: routeOf(p)})
	if running {
		f.s.Do(engine.Continue{})
	}
	return nil
}

// settle makes a model the one of new sessions.
func (f *Models) settle(p picker.Model) tea.Cmd {
	c, ctx, connect := *p.Connection, f.s.Context, f.s.Deps.Connect
	c.Route = *routeOf(p)
	return func() tea.Msg {
		_, err := connect.Save(ctx, c, "")
		return settledMsg{err}
	}
}

// routeOf is the exact route of a model that was found on a server; nil for one that was typed.
func routeOf(p picker.Model) *engine.Route {
	if p.Connection == nil {
		return nil
	}
	r := p.Connection.Route
	r.Model, r.Effort = p.Name, p.Effort
	return &r
}

// Connect opens the connect screen.
func (f *Models) Connect() tea.Cmd { return f.ConnectWhy("") }

// ConnectWhy opens it with what went wrong, "" when nothing did.
func (f *Models) ConnectWhy(why string) tea.Cmd {
	deps := dialog.ConnectWith(f.s.Context, f.s.Deps.Connect, func(c engine.Connection) tea.Cmd {
		return func() tea.Msg { return connectMsg{c} }
	})
	deps.Why = why
	return f.s.Open(overlay.Overlay{ID: screen.Connect, Key: "Esc skip", Box: dialog.Connect(f.s.Sheet, deps)})
}

// use takes a connection: the model is switched, and a message that waited for it is sent.
func (f *Models) use(c engine.Connection) tea.Cmd {
	r := c.Route
	f.s.Session.Route = r
	f.s.Do(engine.Switch{Model: r.Model, Route: &r})
	f.s.Overlays.Close(screen.Connect)
	f.s.Rewelcome()
	return f.connected()
}

package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/chrome"
	"talaria/ui/composer"
	"talaria/ui/listen"
	"talaria/ui/picker"
	"talaria/ui/style"
	"talaria/ui/transcript"
	"talaria/ui/turn"
)

// Engine is what the screen drives: ops go in and never block, events come out on one channel.
type Engine interface {
	Do(engine.Op)
	Events() <-chan engine.Event
}

// Deps is what the program gives the screen.
type Deps struct {
	Engine  Engine
	Library engine.Library
	Connect engine.Connections
	// Theme returns the colours for a dark or light background; known is false while the terminal has not told.
	Theme   func(dark, known bool) themes.Theme
	Options Options
	Now     func() time.Time // nil is time.Now
	Context context.Context  // ends what the screen asks the network; nil never does
}

// Options are the settings of one run of the screen.
type Options struct {
	Dir, Home string // absolute; Home is shortened to ~
	Version   string
	First     string // a prompt to send at once
	Mode      string // the approval mode at the start
	Mouse     bool
	ASCII     bool
	EscNow    bool // ui.esc: now; one Esc stops tools too
	Picker    bool // open the session picker first (talaria --resume)
	Connect   bool // open the connect screen first (talaria connect)
}

// Model is the screen. It is the only tea.Model of the program.
type Model struct {
	d Deps
	canvas
	log      *transcript.Transcript
	prompt   *composer.Composer
	overlays []overlay
	menu     *picker.Menu
	turn     turn.Turn
	strip    chrome.Strip
	session  sessionState
	drafts   drafts
	press    presses
	listen   *listen.Listener
	leaving  leaving
}

// canvas is what is drawn on: the size in cells, the colours, and whether a tick of the clock is under way.
type canvas struct {
	w, h   int
	sheet  style.Sheet
	chosen bool // the user chose the theme: the terminal's background does not change it any more
	armed  bool // a tick is under way; there is never a second
}

// sessionState is what the screen knows of the session that is open.
type sessionState struct {
	row     engine.Session
	stored  bool // something of it is on disk
	route   engine.Route
	mode    string
	context int
	window  int
	cost    *float64
	tasks   []engine.Task
	recent  []engine.Session // of this directory, for the welcome
	answer  string           // the newest
}

// leaving says how the program ends.
type leaving struct {
	asked bool // "the agent is still working"
	code  int
	crash *engine.Crash
	done  bool
	fail  func(engine.Crash) // tells the program of a panic where no command can; nil in tests
}

// New returns the screen over d.
func New(d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Context == nil {
		d.Context = context.Background()
	}
	m := &Model{d: d, listen: listen.New(d.Engine.Events()), drafts: drafts{order: &saving{done: map[string]uint64{}}}}
	m.sheet = style.New(d.Theme(true, false), d.Options.ASCII)
	m.log = transcript.New(m.sheet)
	m.log.SetClock(d.Now)
	m.prompt = composer.New(m.sheet)
	m.session.mode = d.Options.Mode
	if m.session.mode == "" {
		m.session.mode = "ask"
	}
	m.placeholder()
	return m
}

// Init asks for what the first frame does not need: colours, history, and the first events. The draft is asked for when
// the engine has told which session is open.
func (m *Model) Init() tea.Cmd {
	return safe(tea.Batch(tea.RequestBackgroundColor, m.listen.Next(), m.loadHistory()))
}

// connected reports whether a model can be asked.
func (m *Model) connected() bool { return m.session.route.Model != "" }

// now is the time by the program's clock.
func (m *Model) now() time.Time { return m.d.Now() }

// do gives the engine an op; it never blocks.
func (m *Model) do(op engine.Op) { m.d.Engine.Do(op) }

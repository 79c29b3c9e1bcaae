package ui

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/beacon"
	"talaria/ui/command"
	"talaria/ui/inline"
	"talaria/ui/keys"
	"talaria/ui/listen"
	"talaria/ui/models"
	"talaria/ui/mouse"
	"talaria/ui/older"
	"talaria/ui/outbox"
	"talaria/ui/panel"
	"talaria/ui/questions"
	"talaria/ui/screen"
	"talaria/ui/sessions"
	"talaria/ui/timeline"
	"talaria/ui/transcript/feed"
)

// What the program gives the screen is package screen's.
type (
	// Engine is what the screen drives.
	Engine = screen.Engine
	// Deps is what the program gives the screen.
	Deps = screen.Deps
	// Options are the settings of one run of the screen.
	Options = screen.Options
	// Settings are the ui section of the configuration.
	Settings = screen.Settings
	// Terminal is what the environment says about where the screen is drawn.
	Terminal = screen.Terminal
	// Reading is how much of the conversation is shown.
	Reading = feed.Reading
	// Views are what the overlays ask.
	Views = screen.Views
	// Keys are the user's settings of keys.
	Keys = keys.Options
)

// Model is the screen. It is the only tea.Model of the program.
type Model struct {
	*screen.State
	parts
	keys     *keys.Map
	commands *command.Table
	features []screen.Feature
	press    presses
	listen   *listen.Listener
	leaving  leaving
	armed    bool     // a tick is under way; there is never a second
	told     []string // what the user's keys changed, until it is said
}

// parts are the features that the root asks for something.
type parts struct {
	out      *outbox.Outbox
	sessions *sessions.Sessions
	models   *models.Models
	asks     *questions.Questions
	panel    *panel.Panel
	beacon   *beacon.Beacon
	timeline *timeline.Timeline
	older    *older.Older
	inline   *inline.Inline
	mouse    *mouse.Mouse
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
	m := &Model{State: screen.New(d), listen: listen.New(d.Engine.Events())}
	m.out = outbox.New(m.State)
	m.sessions = sessions.New(m.State, m.out.Save)
	m.models = models.New(m.State, m.out.Connected)
	m.asks = questions.New(m.State)
	m.timeline = timeline.New(m.State, m.sessions.Change)
	m.older = older.New(m.State)
	m.panel, m.beacon = panel.New(m.State), beacon.New(m.State)
	m.inline, m.mouse = inline.New(m.State), mouse.New(m.State, m.logTop)
	m.out.Connect, m.out.Later = m.models.Connect, m.asks.Later
	m.features = m.assemble()
	m.tables()
	m.told = append(m.told, m.Options.Warnings...)
	m.placeholder()
	return m
}

// Init asks for what the first frame does not need: colours, history, and the first events. The draft is asked for when
// the engine has told which session is open.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.listen.Next(), m.out.LoadHistory()}
	for _, f := range m.features {
		if f.Init != nil {
			cmds = append(cmds, f.Init())
		}
	}
	return safe(batch(cmds))
}

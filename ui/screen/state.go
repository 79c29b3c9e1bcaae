// Package screen is what the panes and features of the screen share: what the program gave it, the panes, and what is
// known of the session. A feature is keys, commands and what it does with events and messages, over a State; the root
// package ui puts them together. It refuses to draw, and to wait: whatever takes time is a tea.Cmd.
package screen

import (
	"context"
	"maps"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/chrome"
	"talaria/ui/clipboard"
	"talaria/ui/composer"
	"talaria/ui/keys"
	"talaria/ui/overlay"
	"talaria/ui/picker"
	"talaria/ui/style"
	"talaria/ui/transcript"
	"talaria/ui/transcript/feed"
	"talaria/ui/turn"
)

// LibraryTime bounds a call to the store, which another process may hold.
const LibraryTime = 5 * time.Second

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
	// Processes is the background; nil where there is none.
	Processes engine.Processes
	Skills    engine.Skills      // nil: there are none
	Rules     engine.Permissions // nil: there are none
	Player    engine.Player      // nil: this is no replay
	Exporter  engine.Exporter    // nil: sessions cannot be exported
	Forks     engine.Forks       // nil: sessions cannot be copied
	Save      engine.Settings    // nil: what is changed lasts until the program ends
	Views     Views
	// Theme returns the colours for a dark or light background; known is false while the terminal has not told.
	Theme   func(dark, known bool) themes.Theme
	Options Options
	Clock   func() time.Time // nil is time.Now
	Context context.Context  // ends what the screen asks the network; nil never does
}

// Views are what the overlays ask, each nil where there is none of it, and the past of the conversation.
type Views struct {
	Past     engine.Past
	Models   picker.ModelFacts
	Shelf    picker.Shelf
	Timeline engine.Timeline
	Lens     engine.Lens
	Memory   engine.Remembered
	Refs     engine.References // what "@" can name
	Agents   engine.Agents
	Ledger   engine.Ledger
	Reports  engine.Reports
}

// Options say how one run of the screen begins, and the settings that it follows.
type Options struct {
	Dir, Home string // absolute; Home is shortened to ~
	Version   string
	First     string   // a prompt to send at once
	Mode      string   // the approval mode at the start
	Budget    float64  // dollars a turn may cost, 0 for no cap
	Roots     []string // the worktrees of the repository that Dir is in, none outside one
	Owned     string   // the session that was asked for and that another window has, "" for none
	Picker    bool     // open the session picker first (talaria --resume)
	Connect   bool     // open the connect screen first (talaria connect)
	Themes    themes.Set
	Warnings  []string                // about the settings, to be said first
	Branch    func(dir string) string // reads the branch of the repository that dir is in, "" for none; nil: not known
	Settings
}

// Settings are the ui section of the configuration, as CONTRACT 4 has it; "" is the default of each.
type Settings struct {
	Mouse     string // all, buttons, wheel, off
	BusyEnter string // steer, queue, interrupt: what Enter does while the agent works
	Notify    string // auto, bell, off
	Status    []string
	Keys      keys.Options
	ASCII     bool
	EscNow    bool // esc: now; one Esc stops tools too
	Inline    bool // below the terminal's scrollback, not on a screen of its own
	Still     bool // reduced motion: nothing moves but what is news
	Terminal  Terminal
	Reading   feed.Reading // how much of the conversation is shown
	CopyFile  string       // where a copy goes that the terminal does not take
	PasteDir  string       // where pictures of the clipboard are kept
}

// Terminal is what the environment says about where the screen is drawn: how a notification is sent there (package
// beacon), whether it may be told of progress, and whether tmux stands between.
type Terminal struct {
	Notifies       string
	Progress, Tmux bool
	Clipboard      bool // it takes texts for its clipboard (OSC 52)
	Links          bool // it is known to take links (OSC 8)
	Local          bool // it shows the files of this machine
	// Reads asks the desktop for its clipboard; nil cannot. Writer puts texts on it, better than OSC 52; nil: there is none.
	Reads  func(context.Context) (clipboard.Content, error)
	Writer *clipboard.Writer
}

// Canvas is what is drawn on: the size in cells, and the colours. Worn is the theme that was asked for; Sheet has what the
// terminal can show of it. Chosen says that the user chose the theme: the terminal's background does not change it any
// more. Colours is how many the terminal has, 0 while it is not known; Back is its background, "" likewise.
type Canvas struct {
	W, H    int
	Sheet   style.Sheet
	Worn    themes.Theme
	Chosen  bool
	Colours int
	Back    themes.Kind
	Zen     bool // nothing stands round the conversation but the prompt and the status bar
}

// Session is what the screen knows of the session that is open.
type Session struct {
	Row        engine.Session
	Stored     bool // something of it is on disk
	Route      engine.Route
	Mode       string
	Context    int
	Window     int
	Cost       *float64
	Budget     float64 // dollars a turn may cost, 0 for no cap
	Tasks      []engine.Task
	Background []engine.Process // that run, oldest first
	Recent     []engine.Session // of this directory, for the welcome
	Answer     string           // the newest
	Branch     string           // of the repository that it runs in, "" while not known
}

// Popup is a short list over the prompt that what is typed opens: commands, files. Taken is false when a key is for the
// prompt; the popup goes when stays is false, also after a change of the text.
// One with a method Init() tea.Cmd is asked it when it opens.
type Popup interface {
	Key(k tea.KeyPressMsg) (cmd tea.Cmd, taken, stays bool)
	Refresh() (stays bool)
	View(w, most int) []string
	SetSheet(style.Sheet)
}

// State is the screen. It belongs to the loop of Update; a command must copy what it needs from it.
type State struct {
	Deps
	Canvas
	Log      *transcript.Transcript
	Prompt   *composer.Composer
	Overlays overlay.Stack
	Popup    Popup // nil when none is open
	Turn     turn.Turn
	Strip    chrome.Strip
	Session  Session
	Leader   keys.Leader
	Typed    time.Time // the last key that went to the prompt
	// Hint writes the best key of an action, "" when it has none.
	Hint func(id string) string
}

// New returns the state of a screen over d.
func New(d Deps) *State {
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Context == nil {
		d.Context = context.Background()
	}
	s := &State{Deps: d, Hint: func(string) string { return "" }}
	s.Worn = d.Theme(true, false)
	s.Sheet = style.New(s.Worn, d.Options.ASCII)
	s.Log = transcript.New(s.Sheet)
	s.Log.SetClock(d.Clock)
	s.Prompt = composer.New(s.Sheet)
	s.Session.Mode = d.Options.Mode
	if s.Session.Mode == "" {
		s.Session.Mode = "ask"
	}
	return s
}

// Connected reports whether a model can be asked.
func (s *State) Connected() bool { return s.Session.Route.Model != "" }

// Setup reports that the connect screen is open because no model is connected.
func (s *State) Setup() bool { return s.Overlays.Has(Connect) && !s.Connected() }

// Now is the time by the program's clock.
func (s *State) Now() time.Time { return s.Clock() }

// Do gives the engine an op; it never blocks.
func (s *State) Do(op engine.Op) { s.Engine.Do(op) }

// Say puts a note of the screen's own into the transcript.
func (s *State) Say(kind engine.NoteKind, text string) {
	s.Log.On(engine.Noted{Kind: kind, Text: s.Sheet.Words(text)}, false)
}

// StopNow ends the turn and its tools at once.
func (s *State) StopNow() {
	s.Turn.Stop(true, s.Now())
	s.Do(engine.Interrupt{})
}

// HomePath writes a path below the home directory with ~.
func (s *State) HomePath(path string) string {
	if rest, ok := strings.CutPrefix(path, s.Options.Home); ok && s.Options.Home != "" && (rest == "" || rest[0] == '/') {
		path = "~" + rest
	}
	return chrome.OneLine(path)
}

// Rewelcome draws the welcome of an empty session anew.
func (s *State) Rewelcome() {
	s.Log.SetWelcome(chrome.Welcome(s.Sheet, chrome.Place{Dir: s.HomePath(s.Options.Dir), Branch: s.Session.Branch, Version: s.Options.Version, Mode: s.Session.Mode,
		Route: s.Session.Route, Recent: s.Session.Recent, Now: s.Now()}, s.W))
}

// Wear changes the theme of every pane, to what the terminal can show of t.
func (s *State) Wear(t themes.Theme) {
	s.Worn = t
	t = t.In(s.Colours)
	if t.Name == s.Sheet.Theme.Name && maps.Equal(t.Roles, s.Sheet.Theme.Roles) {
		return
	}
	s.Sheet = style.New(t, s.Options.ASCII)
	s.Log.SetSheet(s.Sheet)
	s.Prompt.SetSheet(s.Sheet)
	s.Rewelcome()
	if s.Popup != nil {
		s.Popup.SetSheet(s.Sheet)
	}
	s.Overlays.SetSheet(s.Sheet)
}

// WhyRunning is the Can of what cannot be done while the agent works.
func (s *State) WhyRunning() string {
	if s.Turn.Active {
		return "not while the agent works"
	}
	return ""
}

// WhyIdle is the Can of what only a running turn has.
func (s *State) WhyIdle() string {
	if s.Turn.Active {
		return ""
	}
	return "nothing runs"
}

package dialog

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/style"
)

// ConnectDeps is what the connect screen can do. Known needs no network; the functions return commands whose messages
// are LocalFound, Tested, Saved and Offered. Use makes c the connection of this session. A key goes into these
// functions and nowhere else.
type ConnectDeps struct {
	Known  []engine.Connection
	Local  func() tea.Cmd
	Test   func(c engine.Connection, key string) tea.Cmd
	Save   func(c engine.Connection, key string) tea.Cmd
	Models func(c engine.Connection, key string) tea.Cmd
	Use    func(c engine.Connection) tea.Cmd
	Why    string // what went wrong before, "" when nothing is connected yet
}

// LocalFound brings the model servers that answered on this machine.
type LocalFound struct{ Connections []engine.Connection }

// Tested is how the one tiny request went.
type Tested struct{ Err error }

// Saved says where the key went.
type Saved struct {
	Where string
	Err   error
}

// Offered lists the models of a server.
type Offered struct {
	Models []string
	Err    error
}

// ConnectWith makes the commands out of c. The commands stop when ctx ends.
func ConnectWith(ctx context.Context, c engine.Connections, use func(engine.Connection) tea.Cmd) ConnectDeps {
	return ConnectDeps{
		Known: c.Known(),
		Local: func() tea.Cmd { return func() tea.Msg { return LocalFound{c.Local(ctx)} } },
		Test: func(one engine.Connection, key string) tea.Cmd {
			return func() tea.Msg { return Tested{c.Test(ctx, one, key)} }
		},
		Save: func(one engine.Connection, key string) tea.Cmd {
			return func() tea.Msg {
				where, err := c.Save(ctx, one, key)
				return Saved{where, err}
			}
		},
		Models: func(one engine.Connection, key string) tea.Cmd {
			return func() tea.Msg {
				models, err := c.Models(ctx, one, key)
				return Offered{models, err}
			}
		},
		Use: use,
	}
}

// answered is what a command brought, with the attempt it belongs to: a test that was given up must not speak later.
type answered struct {
	attempt int
	msg     tea.Msg
}

// stage is what the connect screen shows.
type stage int

const (
	stageList    stage = iota // what was found, and the other ways
	stageForm                 // a key, or a custom address
	stageModels               // the models of the chosen server
	stageWaiting              // a command is under way
	stageFailed
)

// Connector is the screen that connects a model.
type Connector struct {
	Guard
	sheet   style.Sheet
	deps    ConnectDeps
	found   []engine.Connection // with a key, or needing none
	other   []engine.Connection // known providers without a key
	stage   stage
	at      int
	form    form
	models  modelList
	try     attempt
	started bool
	note    string
}

// attempt is the connection that is being made.
type attempt struct {
	number  int
	conn    engine.Connection
	key     string
	doing   string // words for what is under way
	problem string // words for what went wrong
	back    stage  // where Esc leads
}

// Connect returns the connect screen.
func Connect(sheet style.Sheet, deps ConnectDeps) *Connector {
	c := &Connector{Guard: NewGuard(time.Now()), sheet: sheet, deps: deps}
	for _, one := range deps.Known {
		if one.Route.Provider == demoProvider {
			continue // it has a row of its own
		}
		switch {
		case one.Ready:
			c.found = append(c.found, one)
		case !one.Local:
			c.other = append(c.other, one)
		}
	}
	return c
}

// SetSheet changes the theme or the glyphs.
func (c *Connector) SetSheet(s style.Sheet) { c.sheet = s }

// Init starts the look for local servers; the owner runs it when it opens the screen.
func (c *Connector) Init() tea.Cmd {
	if c.started || c.deps.Local == nil {
		return nil
	}
	c.started = true
	return c.deps.Local()
}

// Note is what to tell when the screen closed after a success: where the key went. "" when there is nothing to tell.
func (c *Connector) Note() string { return c.note }

// The names of the built-in offline model, which needs no key and no network.
const (
	demoProvider = "demo"
	demoModel    = "offline"
)

func (c *Connector) demo() engine.Connection {
	for _, one := range c.deps.Known {
		if one.Route.Provider == demoProvider {
			return one
		}
	}
	return engine.Connection{Name: "Offline demo", Local: true, Ready: true, Route: engine.Route{Provider: demoProvider, Model: demoModel}}
}

// WantsText reports whether what is typed belongs to this screen: a form or a filter is open. Else, once the prompt
// holds text, letters and digits are the prompt's.
func (c *Connector) WantsText() bool { return c.stage == stageForm || c.stage == stageModels }

// Wants reports whether the screen takes this key. What it does not take may go to the prompt, which stays usable.
func (c *Connector) Wants(k tea.KeyPressMsg) bool {
	if c.WantsText() {
		return true
	}
	switch k.Keystroke() {
	case "up", "down", "enter", "esc", "ctrl+p", "ctrl+n":
		return true
	case "ctrl+v":
		return c.stage == stageList
	}
	l := Letter(k)
	return c.stage == stageList && len(l) == 1 && l >= "1" && l <= "9"
}

// WantsPaste reports whether the screen takes this paste. On the list it takes what looks like a key, which must not
// stand in the prompt for everybody to read.
func (c *Connector) WantsPaste(text string) bool {
	return c.WantsText() || c.stage == stageList && keyLike(text)
}

// Update takes keys, pastes, and the messages of the commands.
func (c *Connector) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case LocalFound:
		c.addLocal(msg.Connections)
		return nil, false
	case answered:
		if msg.attempt != c.try.number || c.stage != stageWaiting {
			return nil, false
		}
		return c.outcome(msg.msg)
	case tea.KeyPressMsg:
		return c.key(msg)
	case tea.PasteMsg:
		c.paste(msg)
	}
	return nil, false
}

func (c *Connector) paste(msg tea.PasteMsg) {
	switch c.stage {
	case stageForm:
		c.form.update(msg)
	case stageModels:
		c.models.update(msg)
	case stageList:
		if keyLike(msg.Content) {
			c.choose(len(c.found))
			c.form.update(msg)
		}
	case stageWaiting, stageFailed:
	}
}

// addLocal appends servers that are not listed yet; the row in use stays in use.
func (c *Connector) addLocal(more []engine.Connection) {
	before := len(c.found)
next:
	for _, one := range more {
		for i, have := range c.found {
			if have.Route.Provider == one.Route.Provider && have.Route.BaseURL == one.Route.BaseURL {
				c.found[i] = one
				continue next
			}
		}
		c.found = append(c.found, one)
	}
	if c.at >= before && c.stage == stageList && before > 0 {
		c.at += len(c.found) - before
	}
}

func (c *Connector) key(k tea.KeyPressMsg) (tea.Cmd, bool) {
	stroke := k.Keystroke()
	if stroke == "esc" {
		return nil, c.back()
	}
	switch c.stage {
	case stageForm:
		return c.formKey(k), false
	case stageModels:
		return c.modelKey(k), false
	case stageFailed:
		if stroke == "enter" {
			return c.again(), false
		}
		return nil, false
	case stageWaiting:
		return nil, false
	}
	if c.Blocks(k, time.Now()) {
		return nil, false
	}
	switch stroke {
	case "up", "ctrl+p":
		c.at = Step(c.at, -1, c.rows())
	case "down", "ctrl+n", "tab":
		c.at = Step(c.at, 1, c.rows())
	case "enter":
		return c.choose(c.at)
	case "ctrl+v":
		return c.choose(len(c.found))
	}
	if n, err := strconv.Atoi(Letter(k)); err == nil && n >= 1 && n <= min(c.rows(), 9) {
		return c.choose(n - 1)
	}
	return nil, false
}

// rows counts what can be chosen: what was found, a key, a custom address, the demo.
func (c *Connector) rows() int { return len(c.found) + 3 }

func (c *Connector) choose(i int) (tea.Cmd, bool) {
	c.at = i
	switch i - len(c.found) {
	case 0:
		c.form, c.stage = keyForm(c.providers()), stageForm
	case 1:
		c.form, c.stage = customForm(), stageForm
	case 2:
		return c.deps.Use(c.demo()), true
	default:
		c.try = attempt{number: c.try.number, conn: c.found[i], back: stageList}
		return c.proceed(), false
	}
	return nil, false
}

// providers are those a key can be pasted for: those without one first.
func (c *Connector) providers() []engine.Connection {
	out := append([]engine.Connection(nil), c.other...)
	for _, one := range c.found {
		if !one.Local {
			out = append(out, one)
		}
	}
	return out
}

// back leaves the stage and reports whether that closes the screen.
func (c *Connector) back() bool {
	c.try.number++ // what is under way is given up
	switch c.stage {
	case stageList:
		return true
	case stageWaiting, stageFailed:
		c.stage = c.try.back
	case stageModels:
		c.stage = c.try.back
	case stageForm:
		c.stage = stageList
	}
	return false
}

// Package panel is the Work panel beside the transcript: tasks, files that were changed, agents. It opens by itself when
// there is something in it for the first time, and stays closed when it was closed. It refuses to take anything from the
// transcript in a window that is less than layout.Wide.
package panel

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/command"
	"talaria/ui/keys"
	"talaria/ui/layout"
	"talaria/ui/screen"
)

// Panel is the feature over a screen.
type Panel struct {
	s      *screen.State
	want   want
	files  []file
	agents []agent
}

// want is what the user, or what happened, made of the panel.
type want uint8

const (
	unset want = iota
	opened
	closed
)

// file is a file that tools changed, with the lines they added and removed; known is false for changes without a diff.
// Older: it was changed where the chat was not read yet, too, so its lines cannot be counted.
type file struct {
	path        string
	plus, minus int
	known       bool
	older       bool
	added       bool // it was made here
}

// agent is a delegated agent.
type agent struct {
	name  string // the goal, once it is told
	id    string
	doing string // the line of the action that runs
	began time.Time
	took  time.Duration
	state engine.Exit // "" while it runs
}

// New returns the feature.
func New(s *screen.State) *Panel { return &Panel{s: s} }

// Feature is its keys, commands and events.
func (p *Panel) Feature() screen.Feature {
	return screen.Feature{
		Keys: []keys.Binding{{ID: "work-panel", Keys: []string{"ctrl+t", "ctrl+x w"}, Name: "Work panel", Can: p.why, Do: p.toggle}},
		Commands: []command.Command{
			{Name: "panel", Help: "show or hide the Work panel", Group: command.Look, Busy: true, Can: p.why, Do: func(string) tea.Cmd { return p.toggle() }},
			{Name: "tasks", Help: "the task list", Group: command.Look, Busy: true, Do: func(string) tea.Cmd { return p.tell() }},
		},
		On:     p.on,
		Init:   p.watch,
		Update: p.update,
	}
}

// Open reports whether the panel stands in a window of this plan.
func (p *Panel) Open(plan layout.Plan) bool { return plan.Panel > 0 && p.want == opened }

// Running is how many agents are at work.
func (p *Panel) Running() (n int) {
	for _, a := range p.agents {
		if a.state == "" {
			n++
		}
	}
	return n
}

type processesMsg []engine.Process

// watch asks for what runs in the background, now.
func (p *Panel) watch() tea.Cmd {
	list := p.s.Processes
	if list == nil {
		return nil
	}
	return func() tea.Msg { return processesMsg(list.List()) }
}

// update takes what runs in the background, and waits for the next change.
func (p *Panel) update(msg tea.Msg) tea.Cmd {
	all, ok := msg.(processesMsg)
	if !ok {
		return nil
	}
	before := len(p.s.Session.Background)
	p.s.Session.Background = slices.DeleteFunc(slices.Clone([]engine.Process(all)), func(one engine.Process) bool { return !one.Running })
	if len(p.s.Session.Background) > before {
		p.reveal()
	}
	list, ended := p.s.Processes, p.s.Context.Done()
	return func() tea.Msg {
		changed := list.Changed()
		if now := list.List(); !slices.Equal(now, all) {
			return processesMsg(now) // it changed between the two
		}
		select {
		case <-changed:
			return processesMsg(list.List())
		case <-ended:
			return nil
		}
	}
}

// Files are the paths of the files that were changed, in the order of the first change.
func (p *Panel) Files() []string {
	var out []string
	for _, f := range p.files {
		out = append(out, f.path)
	}
	return out
}

func (p *Panel) why() string {
	if layout.Of(p.s.W, p.s.H).Panel == 0 {
		return "it needs 110 columns"
	}
	return ""
}

func (p *Panel) toggle() tea.Cmd {
	if p.want == opened {
		p.want = closed
	} else {
		p.want = opened
	}
	return nil
}

// reveal opens the panel the first time that there is something to show.
func (p *Panel) reveal() {
	if p.want == unset {
		p.want = opened
	}
}

func (p *Panel) on(e engine.Event) tea.Cmd {
	if o, ok := e.(engine.Opened); ok {
		p.files, p.agents = nil, nil
		for _, path := range o.Session.Changed {
			p.files = append(p.files, file{path: path, older: o.Earlier != nil})
		}
		for _, r := range o.Past {
			p.past(r.Event)
		}
		if len(p.s.Session.Tasks) > 0 {
			p.reveal()
		}
		return nil
	}
	p.past(e)
	if t, ok := e.(engine.Planned); ok && len(t.Tasks) > 0 {
		p.reveal()
	}
	if c, ok := e.(engine.Child); ok {
		p.child(c)
	}
	return nil
}

// past counts what a call changed, as it happens and when a session is opened.
func (p *Panel) past(e engine.Event) {
	c, ok := e.(engine.CallEnded)
	if !ok {
		return
	}
	plus, minus := count(c.Result.Diff)
	for _, path := range c.Result.Changed {
		i := slices.IndexFunc(p.files, func(f file) bool { return f.path == path })
		if i < 0 {
			i = len(p.files)
			p.files = append(p.files, file{path: path, added: strings.HasPrefix(c.Result.Diff, "--- /dev/null\n")})
		}
		if f := &p.files[i]; !f.older && c.Result.Diff != "" && len(c.Result.Changed) == 1 {
			f.plus, f.minus, f.known = f.plus+plus, f.minus+minus, true
		}
	}
}

func (p *Panel) child(c engine.Child) {
	i := slices.IndexFunc(p.agents, func(a agent) bool { return a.id == c.Agent })
	if i < 0 {
		p.agents = append(p.agents, agent{name: c.Agent, id: c.Agent, began: p.s.Now()})
		i = len(p.agents) - 1
		p.reveal()
	}
	if e, ok := c.Event.(engine.Opened); ok && e.Session.Title != "" {
		p.agents[i].name = e.Session.Title
	}
	if e, ok := c.Event.(engine.CallBegan); ok {
		p.agents[i].doing = e.Line
	}
	if _, ok := c.Event.(engine.CallEnded); ok {
		p.agents[i].doing = ""
	}
	if e, ok := c.Event.(engine.Ended); ok {
		p.agents[i].state, p.agents[i].took = e.Why, p.s.Now().Sub(p.agents[i].began)
	}
}

// tell says the task list where there is no room for the panel, or opens it.
func (p *Panel) tell() tea.Cmd {
	if len(p.s.Session.Tasks) == 0 {
		p.s.Say(engine.NoteInfo, "No task list. The agent makes one for longer work.")
		return nil
	}
	if p.why() == "" {
		p.want = opened
		return nil
	}
	p.s.Say(engine.NoteInfo, p.plain())
	return nil
}

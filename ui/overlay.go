package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/dialog"
)

// overlayKind says what an overlay is for.
type overlayKind uint8

const (
	overlayHelp overlayKind = iota
	overlayModels
	overlayConnect
	overlayApproval
	overlayQuestion
	overlayTrust
	overlayPicker // takes the whole screen
)

// overlay is a dialog over the transcript. Key is what the status bar names.
type overlay struct {
	kind     overlayKind
	key      string
	box      dialog.Dialog
	question engine.Question // its ID is "" for what is no question
}

// top is the overlay that has the keys, nil without one.
func (m *Model) top() *overlay {
	if len(m.overlays) == 0 {
		return nil
	}
	return &m.overlays[len(m.overlays)-1]
}

// question is the open question that is on top of the others, nil without one.
func (m *Model) question() *overlay {
	for i := len(m.overlays) - 1; i >= 0; i-- {
		if m.overlays[i].question.ID != "" {
			return &m.overlays[i]
		}
	}
	return nil
}

func (m *Model) has(kind overlayKind) bool {
	return slices.ContainsFunc(m.overlays, func(o overlay) bool { return o.kind == kind })
}

// setup reports that the connect screen is open because no model is connected.
func (m *Model) setup() bool { return m.has(overlayConnect) && !m.connected() }

// push opens an overlay on top of the others.
func (m *Model) push(o overlay) {
	m.overlays = append(m.overlays, o)
	m.menu = nil
}

// asked opens the dialog of a question, and rings the bell if none was open.
func (m *Model) asked(q engine.Question) tea.Cmd {
	m.strip.Later = slices.DeleteFunc(m.strip.Later, func(p engine.Question) bool { return p.ID == q.ID })
	o := overlay{question: q}
	switch q.Kind {
	case engine.Approval:
		o.kind, o.key = overlayApproval, "n deny"
		o.box = dialog.Approval(m.sheet, q, m.now(), 1, m.answer(q))
	case engine.Trust:
		o.kind, o.key = overlayTrust, "Esc no"
		o.box = dialog.Trust(m.sheet, q, m.now(), m.answer(q))
	case engine.Clarify:
		o.kind, o.key = overlayQuestion, "Esc later"
		o.box = dialog.Clarify(m.sheet, q, m.now(), m.answer(q))
	default:
		return nil
	}
	if t, ok := o.box.(dialog.Typist); ok {
		t.Typed(m.press.typed)
	}
	m.press.leader.on = false
	// the first question asked is the first shown: later ones open below it
	at := slices.IndexFunc(m.overlays, func(o overlay) bool { return o.question.ID != "" })
	if at >= 0 {
		m.overlays = slices.Insert(m.overlays, at, o)
		m.countApprovals()
		return nil
	}
	m.push(o)
	return m.attention()
}

func (m *Model) answer(q engine.Question) func(engine.Answer) tea.Cmd {
	return func(a engine.Answer) tea.Cmd {
		a.ID = q.ID
		return func() tea.Msg { m.d.Engine.Do(a); return nil }
	}
}

// countApprovals tells each approval how many wait.
func (m *Model) countApprovals() {
	n := 0
	for _, o := range m.overlays {
		if o.kind == overlayApproval {
			n++
		}
	}
	for _, o := range m.overlays {
		if a, ok := o.box.(*dialog.Approver); ok {
			a.SetWaiting(n)
		}
	}
}

// withdrawn closes the dialog of a question that needs no answer any more.
func (m *Model) withdrawn(id string) {
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.question.ID == id && id != "" })
	m.strip.Later = slices.DeleteFunc(m.strip.Later, func(q engine.Question) bool { return q.ID == id })
	m.countApprovals()
	m.reveal()
}

// reveal guards a question that has just come to the top: the keys that were meant for the one before it must not
// answer it.
func (m *Model) reveal() {
	if o := m.top(); o != nil {
		if t, ok := o.box.(dialog.Typist); ok && o.question.ID != "" {
			t.Typed(m.now().Add(-revealGuard))
		}
	}
}

// revealGuard makes the guard after a key (700 ms in package dialog) last as long as the one after opening (400 ms).
const revealGuard = 300 * time.Millisecond

// overlayTakes reports whether the overlay has this key. The connect screen leaves the prompt usable.
func (m *Model) overlayTakes(o *overlay, k tea.KeyPressMsg) bool {
	w, ok := o.box.(interface {
		Wants(tea.KeyPressMsg) bool
		WantsText() bool
	})
	switch {
	case !ok || w.WantsText():
		return true
	case !m.prompt.Empty() && k.Text != "":
		return false // somebody is typing a message
	}
	return w.Wants(k)
}

// toOverlay gives a key or a paste to the top overlay; one that closes goes, and what it left is taken over.
func (m *Model) toOverlay(msg tea.Msg) tea.Cmd {
	if o := m.top(); o != nil {
		return m.tell(*o, msg)
	}
	return nil
}

// toOverlays gives every overlay what a command brought: the one that asked may not be on top any more.
func (m *Model) toOverlays(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.MouseMsg, tea.KeyReleaseMsg, tea.BlurMsg:
		return nil
	}
	var cmds []tea.Cmd
	for _, o := range slices.Clone(m.overlays) {
		cmds = append(cmds, m.tell(o, msg))
	}
	return tea.Batch(cmds...)
}

func (m *Model) tell(o overlay, msg tea.Msg) tea.Cmd {
	cmd, closed := o.box.Update(msg)
	if !closed {
		return cmd
	}
	m.overlays = slices.DeleteFunc(m.overlays, func(p overlay) bool { return p.box == o.box })
	if later, ok := o.box.(interface{ Later() bool }); ok && later.Later() {
		m.strip.Later = append(m.strip.Later, o.question)
	}
	if noted, ok := o.box.(interface{ Note() string }); ok && noted.Note() != "" {
		m.say(engine.NoteInfo, noted.Note())
	}
	m.countApprovals()
	m.reveal()
	return cmd
}

// openLater opens the oldest question that was left for later.
func (m *Model) openLater() tea.Cmd {
	if len(m.strip.Later) == 0 {
		return nil
	}
	return m.asked(m.strip.Later[0])
}

// openConnect opens the connect screen.
func (m *Model) openConnect() tea.Cmd { return m.openConnectWhy("") }

// openConnectWhy opens it with what went wrong, "" when nothing did.
func (m *Model) openConnectWhy(why string) tea.Cmd {
	if m.has(overlayConnect) {
		return nil
	}
	box := m.connectBox(why)
	m.push(overlay{kind: overlayConnect, key: "Esc skip", box: box})
	return box.Init()
}

func (m *Model) connectBox(why string) *dialog.Connector {
	deps := dialog.ConnectWith(m.d.Context, m.d.Connect, func(c engine.Connection) tea.Cmd {
		return func() tea.Msg { return connectMsg{c} }
	})
	deps.Why = why
	return dialog.Connect(m.sheet, deps)
}

// connectMsg says that a connection works and is to be used.
type connectMsg struct{ c engine.Connection }

// use takes a connection: the model is switched, and a message that waited for it is sent.
func (m *Model) use(c engine.Connection) tea.Cmd {
	r := c.Route
	m.session.route = r
	m.do(engine.Switch{Model: r.Model, Route: &r})
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.kind == overlayConnect })
	m.rewelcome()
	text := m.strip.Unsent
	m.strip.Unsent = ""
	if text == "" {
		return nil
	}
	return m.submit(text)
}

func (m *Model) openHelp() {
	if !m.has(overlayHelp) {
		m.push(overlay{kind: overlayHelp, key: "Esc close", box: dialog.Help(m.sheet, m.bindings(), m.helpCommands())})
	}
}

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
	overlayConnect
	overlayApproval
	overlayQuestion
	overlayTrust
	overlayPicker // takes the whole screen
)

// overlay is a dialog over the transcript. ID is the question's, key what the status bar names.
type overlay struct {
	kind     overlayKind
	id       string
	key      string
	box      dialog.Dialog
	question engine.Question
}

// top is the overlay that has the keys, nil without one.
func (m *Model) top() *overlay {
	if len(m.overlays) == 0 {
		return nil
	}
	return &m.overlays[len(m.overlays)-1]
}

// question is the open question, nil without one.
func (m *Model) question() *overlay {
	for i := len(m.overlays) - 1; i >= 0; i-- {
		if m.overlays[i].id != "" {
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

// drop closes the overlay with this dialog.
func (m *Model) drop(box dialog.Dialog) {
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.box == box })
}

// asked opens the dialog of a question.
func (m *Model) asked(q engine.Question) {
	m.strip.later = slices.DeleteFunc(m.strip.later, func(p engine.Question) bool { return p.ID == q.ID })
	answer := func(a engine.Answer) tea.Cmd {
		a.ID = q.ID
		return func() tea.Msg { m.d.Engine.Do(a); return nil }
	}
	o := overlay{id: q.ID, question: q}
	switch q.Kind {
	case engine.Approval:
		o.kind, o.key = overlayApproval, "n deny"
		o.box = dialog.Approval(m.sheet, q, m.now(), m.waitingApprovals()+1, answer)
	case engine.Trust:
		o.kind, o.key = overlayTrust, "Esc no"
		o.box = dialog.Trust(m.sheet, q, m.now(), answer)
	case engine.Clarify:
		o.kind, o.key = overlayQuestion, "Esc later"
		o.box = dialog.Clarify(m.sheet, q, m.now(), answer)
	default:
		return
	}
	if t, ok := o.box.(interface{ Typed(time.Time) }); ok {
		t.Typed(m.press.typed)
	}
	// the first question asked is the first shown: later ones open below it
	at := slices.IndexFunc(m.overlays, func(o overlay) bool { return o.id != "" })
	if at < 0 {
		m.push(o)
	} else {
		m.overlays = slices.Insert(m.overlays, at, o)
	}
}

func (m *Model) waitingApprovals() int {
	n := 0
	for _, o := range m.overlays {
		if o.kind == overlayApproval {
			n++
		}
	}
	return n
}

// withdrawn closes the dialog of a question that needs no answer any more.
func (m *Model) withdrawn(id string) {
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.id == id })
	m.strip.later = slices.DeleteFunc(m.strip.later, func(q engine.Question) bool { return q.ID == id })
}

// toOverlay gives a message to the top overlay; one that closes goes, and what it left is taken over.
func (m *Model) toOverlay(msg tea.Msg) tea.Cmd {
	o := m.top()
	if o == nil {
		return nil
	}
	box := o.box
	cmd, closed := box.Update(msg)
	if !closed {
		return cmd
	}
	question := o.question
	m.drop(box)
	if later, ok := box.(interface{ Later() bool }); ok && later.Later() {
		m.strip.later = append(m.strip.later, question)
	}
	if noted, ok := box.(interface{ Note() string }); ok && noted.Note() != "" {
		m.say(engine.NoteInfo, noted.Note())
	}
	return cmd
}

// openLater opens the oldest question that was left for later.
func (m *Model) openLater() {
	if len(m.strip.later) > 0 {
		m.asked(m.strip.later[0])
	}
}

// openConnect opens the connect screen.
func (m *Model) openConnect() tea.Cmd {
	if m.has(overlayConnect) {
		return nil
	}
	deps := dialog.ConnectWith(m.d.Context, m.d.Connect, func(c engine.Connection) tea.Cmd {
		return func() tea.Msg { return connectMsg{c} }
	})
	box := dialog.Connect(m.sheet, deps)
	m.push(overlay{kind: overlayConnect, key: "Esc skip", box: box})
	return box.Init()
}

// connectMsg says that a connection works and is to be used.
type connectMsg struct{ c engine.Connection }

// use takes a connection: the model is switched, and a message that waited for it is sent.
func (m *Model) use(c engine.Connection) tea.Cmd {
	r := c.Route
	m.session.route = r
	m.do(engine.Switch{Model: r.Model, Route: &r})
	m.overlays = slices.DeleteFunc(m.overlays, func(o overlay) bool { return o.kind == overlayConnect })
	if m.strip.unsent == "" {
		return nil
	}
	text := m.strip.unsent
	m.strip.unsent = ""
	return m.send(text)
}

func (m *Model) openHelp() {
	m.push(overlay{kind: overlayHelp, key: "Esc close", box: dialog.Help(m.sheet, m.bindings(), m.helpCommands())})
}

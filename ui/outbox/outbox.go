// Package outbox is what the user wrote until the engine has it: messages that wait for a connection, for a stop or for
// the end of a turn, and the draft in the prompt, which is saved within half a second. It refuses to lose anything: what
// was sent stays in the draft until the engine told that it is stored.
package outbox

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/screen"
	"talaria/ui/turn"
)

// Outbox sends what stands in the prompt. Connect opens the connect screen and Later the question that was left, for
// an Enter that needs them.
type Outbox struct {
	s              *screen.State
	drafts         drafts
	Connect, Later func() tea.Cmd
}

// New returns the outbox of a screen.
func New(s *screen.State) *Outbox {
	return &Outbox{s: s, drafts: drafts{order: &saving{done: map[string]uint64{}}}}
}

// Send takes what stands in the prompt as a message. Without a model it is kept until one is connected; nothing typed is
// ever lost.
func (o *Outbox) Send(text string) tea.Cmd {
	o.s.Popup = nil
	o.s.Prompt.Reset()
	return o.Deliver(text)
}

// Deliver gives the engine a message, or keeps it until a model is connected; the prompt is left alone.
func (o *Outbox) Deliver(text string) tea.Cmd {
	o.s.Log.Bottom()
	o.s.Prompt.Remember(text)
	if o.s.Connected() {
		return o.submit(text)
	}
	o.keep(text)
	return tea.Batch(o.Save(), o.Connect())
}

// keep puts a message aside until a model is connected.
func (o *Outbox) keep(text string) {
	if o.s.Strip.Unsent != "" {
		text = o.s.Strip.Unsent + "\n\n" + text
	}
	o.s.Strip.Unsent = text
}

// Keep puts what stands in the prompt aside until a model is connected; ok is false when there is nothing.
func (o *Outbox) Keep() (_ tea.Cmd, ok bool) {
	text, ok := o.s.Prompt.Submit()
	if !ok {
		return nil, false
	}
	o.s.Prompt.Remember(text)
	o.s.Prompt.Reset()
	o.keep(text)
	return o.Save(), true
}

// Connected sends what waited for a connection.
func (o *Outbox) Connected() tea.Cmd {
	text := o.s.Strip.Unsent
	o.s.Strip.Unsent = ""
	if text == "" {
		return nil
	}
	return o.submit(text)
}

// Ended sends what was to follow a stop.
func (o *Outbox) Ended() (_ tea.Cmd, ok bool) {
	next := o.s.Strip.Next
	o.s.Strip.Next = ""
	if next == "" {
		return nil, false
	}
	return o.submit(next), true
}

// submit gives the engine a message: a steer while it works, else the next turn.
func (o *Outbox) submit(text string) tea.Cmd {
	o.drafts.sent = append(o.drafts.sent, text)
	if o.s.Turn.Active {
		o.s.Do(engine.Steer{Text: text})
	} else {
		o.s.Turn.Submitted(o.s.Now())
		o.s.Do(engine.Submit{Text: text})
	}
	return o.AddHistory(text)
}

// Queue keeps what stands in the prompt for the end of the turn.
func (o *Outbox) Queue() tea.Cmd {
	text, ok := o.s.Prompt.Submit()
	if !ok {
		return nil
	}
	o.s.Prompt.Remember(text)
	o.s.Prompt.Reset()
	return o.Put(text)
}

// Put gives the engine a message for after the turn.
func (o *Outbox) Put(text string) tea.Cmd {
	o.drafts.sent = append(o.drafts.sent, text)
	o.s.Do(engine.Queue{Text: text})
	return o.AddHistory(text)
}

// StopAndSend stops the turn and sends the message as soon as it has ended.
func (o *Outbox) StopAndSend() tea.Cmd {
	text, ok := o.s.Prompt.Submit()
	switch {
	case !ok:
		return nil
	case !o.s.Turn.Active:
		return o.Send(text)
	}
	return o.Next(text)
}

// Next stops the turn and sends text as soon as it has ended.
func (o *Outbox) Next(text string) tea.Cmd {
	o.s.Prompt.Remember(text)
	o.s.Prompt.Reset()
	if o.s.Strip.Next != "" {
		text = o.s.Strip.Next + "\n\n" + text
	}
	o.s.Strip.Next = text
	o.s.StopNow()
	return o.Save()
}

// Enter is Enter on an empty prompt: it cuts a wait short, opens what was left for later, or continues.
func (o *Outbox) Enter() tea.Cmd {
	t := &o.s.Turn
	switch {
	case t.State == turn.Retrying:
		o.s.Do(engine.RetryNow{})
	case len(o.s.Strip.Later) > 0:
		return o.Later()
	case t.Active:
	case !o.s.Connected():
		return o.Connect()
	case t.State == turn.Stopped, t.State == turn.Failed, o.s.Strip.Waits():
		o.s.Do(engine.Continue{})
	}
	return nil
}

// TakeBack moves the newest waiting message into the prompt, to be changed.
func (o *Outbox) TakeBack() bool {
	p := &o.s.Strip
	switch {
	case p.Next != "":
		o.s.Prompt.SetValue(p.Next)
		p.Next = ""
	case len(p.Queued) > 0:
		w := p.Queued[len(p.Queued)-1]
		o.s.Do(engine.Queue{ID: w.ID})
		o.s.Prompt.SetValue(w.Text)
	case len(p.Steers) > 0:
		w := p.Steers[len(p.Steers)-1]
		o.s.Do(engine.Steer{ID: w.ID})
		o.s.Prompt.SetValue(w.Text)
	case p.Unsent != "":
		o.s.Prompt.SetValue(p.Unsent)
		p.Unsent = ""
	default:
		return false
	}
	return true
}

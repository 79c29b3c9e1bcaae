package outbox

import (
	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// Update takes what the outbox's own commands brought.
func (o *Outbox) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case dueMsg:
		return o.due()
	case loadedMsg:
		return o.loaded(msg)
	case savedMsg:
		o.saved(msg)
	case historyMsg:
		o.s.Prompt.SetHistory(msg)
	}
	return nil
}

// Opened forgets what belonged to another session, and asks for this one's draft. First, when not "", goes out when the
// draft is back.
func (o *Outbox) Opened(first string) tea.Cmd {
	o.drafts.sent = nil
	if first != "" {
		o.drafts.first = first
	}
	return o.Load()
}

// Stored notes that a message of the user's is on disk; its draft may go. First says that nothing of the session was
// before it.
func (o *Outbox) Stored(text string, first bool) tea.Cmd {
	if !o.storedText(text) && len(o.drafts.sent) > 0 {
		o.drafts.sent = o.drafts.sent[1:] // the engine cleaned its text: messages are stored in the order they were sent
	}
	if first {
		return tea.Batch(o.Save(), o.store("", "")) // the draft was the directory's until now
	}
	return o.Save()
}

// Waits notes that messages wait in the engine, where they are stored.
func (o *Outbox) Waits(list []engine.Waiting) tea.Cmd {
	var texts []string
	for _, w := range list {
		texts = append(texts, w.Text)
	}
	if !o.storedText(texts...) {
		return nil
	}
	return o.Save()
}

// Saved reports whether the text of the prompt is the saved one.
func (o *Outbox) Saved() bool { return o.s.Prompt.Version() == o.drafts.version }

package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// drafts keeps what stands in the prompt safe: every change is saved within half a second.
type drafts struct {
	version uint64 // of the prompt, when it was saved
	due     bool   // a save is on its way
	lost    bool   // the last save failed; said once
}

// draftDelay is how long a change may wait (UX A: debounced 500 ms).
const draftDelay = 500 * time.Millisecond

// libraryTime bounds a call to the store, which another process may hold.
const libraryTime = 5 * time.Second

// historyLines is how many sent messages Up can reach.
const historyLines = 200

type (
	draftDueMsg   struct{}
	draftMsg      struct{ text string }
	historyMsg    []string
	draftSavedMsg struct{ err error }
)

// draftKey is the session that the draft belongs to; a session without a message shares the directory's.
func (m *Model) draftKey() string {
	if m.session.stored {
		return m.session.row.ID
	}
	return ""
}

func (m *Model) draftChanged() tea.Cmd {
	if m.drafts.due {
		return nil
	}
	m.drafts.due = true
	return tea.Tick(draftDelay, func(time.Time) tea.Msg { return draftDueMsg{} })
}

// saveDraft stores the prompt as it stands now.
func (m *Model) saveDraft() tea.Cmd {
	dir, key, text := m.d.Options.Dir, m.draftKey(), m.prompt.Value()
	if m.strip.unsent != "" && text == "" {
		text = m.strip.unsent
	}
	m.drafts.version, m.drafts.due = m.prompt.Version(), false
	lib := m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		return draftSavedMsg{lib.SaveDraft(ctx, dir, key, text)}
	}
}

func (m *Model) loadDraft() tea.Cmd {
	dir, key, lib := m.d.Options.Dir, m.draftKey(), m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		text, err := lib.Draft(ctx, dir, key)
		if err != nil {
			return draftSavedMsg{err}
		}
		return draftMsg{text}
	}
}

func (m *Model) loadHistory() tea.Cmd {
	dir, lib := m.d.Options.Dir, m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		lines, err := lib.History(ctx, dir, historyLines)
		if err != nil {
			return nil // the history is a convenience; the store's own trouble is told by the engine
		}
		return historyMsg(lines)
	}
}

func (m *Model) addHistory(text string) tea.Cmd {
	dir, lib := m.d.Options.Dir, m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		return draftSavedMsg{lib.AddHistory(ctx, dir, text)}
	}
}

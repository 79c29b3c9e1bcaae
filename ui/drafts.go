package ui

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

// drafts keeps what stands in the prompt safe: every change is saved within half a second. A message that was sent stays
// in the draft until the engine told that it is stored, so no crash between the two can lose it.
type drafts struct {
	version uint64   // of the prompt, when it was saved
	due     bool     // a save is on its way
	lost    bool     // the last save failed; said once
	sent    []string // sent, and not yet told to be stored
	first   string   // a prompt of the command line: it goes out when the draft is back, so that neither overwrites the other
	order   *saving
}

// saving puts the saves of each draft in order: commands run side by side, and an older text must never overwrite a
// newer one.
type saving struct {
	mu   sync.Mutex
	next uint64            // of the newest save that was asked for
	done map[string]uint64 // of the newest one that was made, by the draft's key
}

// begin numbers a save.
func (s *saving) begin() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	return s.next
}

// make makes save n of the draft, unless a newer one was made already.
func (s *saving) make(key string, n uint64, save func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < s.done[key] {
		return nil
	}
	s.done[key] = n
	return save()
}

// draftDelay is how long a change may wait (UX A: debounced 500 ms).
const draftDelay = 500 * time.Millisecond

// libraryTime bounds a call to the store, which another process may hold.
const libraryTime = 5 * time.Second

// historyLines is how many sent messages Up can reach.
const historyLines = 200

type (
	draftDueMsg   struct{}
	draftMsg      struct{ key, text string }
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
	if m.drafts.due || m.prompt.Version() == m.drafts.version {
		return nil
	}
	m.drafts.due = true
	return tea.Tick(draftDelay, func(time.Time) tea.Msg { return draftDueMsg{} })
}

func (m *Model) draftDue() tea.Cmd {
	m.drafts.due = false
	if m.prompt.Version() == m.drafts.version {
		return nil
	}
	return m.saveDraft()
}

// saveDraft stores the prompt as it stands now, behind what was sent and is not safe yet.
func (m *Model) saveDraft() tea.Cmd {
	parts := append(slices.Clone(m.drafts.sent), m.strip.Unsent, m.strip.Next, m.prompt.Value())
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	m.drafts.version = m.prompt.Version()
	return m.storeDraft(m.draftKey(), strings.Join(parts, "\n\n"))
}

func (m *Model) storeDraft(key, text string) tea.Cmd {
	dir, lib, order := m.d.Options.Dir, m.d.Library, m.drafts.order
	n := order.begin()
	return func() tea.Msg {
		return draftSavedMsg{order.make(key, n, func() error {
			ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
			defer cancel()
			return lib.SaveDraft(ctx, dir, key, text)
		})}
	}
}

func (m *Model) draftSaved(msg draftSavedMsg) {
	if msg.err != nil && !m.drafts.lost {
		m.say(engine.NoteWarning, "The draft could not be saved: "+msg.err.Error()+". It stays in the prompt.")
	}
	m.drafts.lost = msg.err != nil
}

// storedText notes that messages are on disk, as part of the session or of what waits: their drafts may go. It reports
// whether there was one.
func (m *Model) storedText(texts ...string) bool {
	n := len(m.drafts.sent)
	for _, text := range texts {
		if i := slices.Index(m.drafts.sent, text); i >= 0 {
			m.drafts.sent = slices.Delete(m.drafts.sent, i, i+1)
		}
	}
	return len(m.drafts.sent) < n
}

// loadDraft asks for what stood in the prompt of this session when it was left.
func (m *Model) loadDraft() tea.Cmd {
	dir, key, lib := m.d.Options.Dir, m.draftKey(), m.d.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), libraryTime)
		defer cancel()
		text, err := lib.Draft(ctx, dir, key)
		if err != nil {
			text = "" // what cannot be read cannot be shown; a failing store is told by the engine
		}
		return draftMsg{key, text}
	}
}

// drafted puts a draft back, unless something was typed meanwhile or another session was opened. A prompt of the command
// line goes out after it.
func (m *Model) drafted(msg draftMsg) tea.Cmd {
	if msg.text != "" && msg.key == m.draftKey() && m.prompt.Empty() {
		m.prompt.SetValue(msg.text)
		m.drafts.version = m.prompt.Version()
	}
	first := m.drafts.first
	m.drafts.first = ""
	if first == "" {
		return nil
	}
	return m.deliver(first)
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
		_ = lib.AddHistory(ctx, dir, text) // as above: the message itself is in the session
		return nil
	}
}

package outbox

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/screen"
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

// historyLines is how many sent messages Up can reach.
const historyLines = 200

type (
	dueMsg     struct{}
	loadedMsg  struct{ key, text string }
	historyMsg []string
	savedMsg   struct{ err error }
)

// key is the session that the draft belongs to; a session without a message shares the directory's.
func (o *Outbox) key() string {
	if o.s.Session.Stored {
		return o.s.Session.Row.ID
	}
	return ""
}

// Changed asks for a save when the text of the prompt is another than the saved one.
func (o *Outbox) Changed() tea.Cmd {
	if o.drafts.due || o.s.Prompt.Version() == o.drafts.version {
		return nil
	}
	o.drafts.due = true
	return tea.Tick(draftDelay, func(time.Time) tea.Msg { return dueMsg{} })
}

func (o *Outbox) due() tea.Cmd {
	o.drafts.due = false
	if o.s.Prompt.Version() == o.drafts.version {
		return nil
	}
	return o.Save()
}

// Save stores the prompt as it stands now, behind what was sent and is not safe yet.
func (o *Outbox) Save() tea.Cmd {
	parts := append(slices.Clone(o.drafts.sent), o.s.Strip.Unsent, o.s.Strip.Next, o.s.Prompt.Value())
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	o.drafts.version = o.s.Prompt.Version()
	return o.store(o.key(), strings.Join(parts, "\n\n"))
}

func (o *Outbox) store(key, text string) tea.Cmd {
	dir, lib, order := o.s.Options.Dir, o.s.Library, o.drafts.order
	n := order.begin()
	return func() tea.Msg {
		return savedMsg{order.make(key, n, func() error {
			ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
			defer cancel()
			return lib.SaveDraft(ctx, dir, key, text)
		})}
	}
}

func (o *Outbox) saved(msg savedMsg) {
	if msg.err != nil && !o.drafts.lost {
		o.s.Say(engine.NoteWarning, "The draft could not be saved: "+msg.err.Error()+". It stays in the prompt.")
	}
	o.drafts.lost = msg.err != nil
}

// storedText notes that messages are on disk, as part of the session or of what waits: their drafts may go. It reports
// whether there was one.
func (o *Outbox) storedText(texts ...string) bool {
	n := len(o.drafts.sent)
	for _, text := range texts {
		if i := slices.Index(o.drafts.sent, text); i >= 0 {
			o.drafts.sent = slices.Delete(o.drafts.sent, i, i+1)
		}
	}
	return len(o.drafts.sent) < n
}

// Load asks for what stood in the prompt of this session when it was left.
func (o *Outbox) Load() tea.Cmd {
	dir, key, lib := o.s.Options.Dir, o.key(), o.s.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		text, err := lib.Draft(ctx, dir, key)
		if err != nil {
			text = "" // what cannot be read cannot be shown; a failing store is told by the engine
		}
		return loadedMsg{key, text}
	}
}

// loaded puts a draft back, unless something was typed meanwhile or another session was opened. A prompt of the command
// line goes out after it.
func (o *Outbox) loaded(msg loadedMsg) tea.Cmd {
	if msg.text != "" && msg.key == o.key() && o.s.Prompt.Empty() {
		o.s.Prompt.SetValue(msg.text)
		o.drafts.version = o.s.Prompt.Version()
	}
	first := o.drafts.first
	o.drafts.first = ""
	if first == "" {
		return nil
	}
	return o.Deliver(first)
}

// LoadHistory asks for the messages that were sent from this directory.
func (o *Outbox) LoadHistory() tea.Cmd {
	dir, lib := o.s.Options.Dir, o.s.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		lines, err := lib.History(ctx, dir, historyLines)
		if err != nil {
			return nil // the history is a convenience; the store's own trouble is told by the engine
		}
		return historyMsg(lines)
	}
}

// AddHistory keeps a line for Up and Ctrl+R.
func (o *Outbox) AddHistory(text string) tea.Cmd {
	dir, lib := o.s.Options.Dir, o.s.Library
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.LibraryTime)
		defer cancel()
		_ = lib.AddHistory(ctx, dir, text) // as above: the message itself is in the session
		return nil
	}
}

// Package typed is what the user types beside words: "@" names files for the message, "#" adds to the memory. It refuses
// to decide what may be attached or remembered: packages attach and memory do.
package typed

import (
	"context"
	"errors"
	"strings"

	"talaria/engine"
	"talaria/engine/attach"
	"talaria/engine/memory"
)

// Typed answers for both. Notes is nil where nothing is remembered; Note tells the user.
type Typed struct {
	*attach.Files
	Notes *memory.Files
	Note  func(engine.NoteKind, string)
}

// Context is what the requests of a turn say behind the user's message, and the session does not keep: the files that it
// names, then what others said. Room is how many bytes the files may take, 0 for the
// usual cap.
func (t *Typed) Context(ctx context.Context, text, said string, room int) string {
	told := t.Expand(ctx, text, room)
	if told.Line != "" {
		t.Note(engine.NoteInfo, told.Line)
	}
	return strings.TrimSpace(told.Text + "\n\n" + said)
}

// Remember adds an entry to the notes, or to what is known of the user.
func (t *Typed) Remember(_ context.Context, user bool, text string) (string, error) {
	if t.Notes == nil {
		return "", errors.New("the memory is switched off (memory.enabled)")
	}
	target := memory.Notes
	if user {
		target = memory.User
	}
	entries, added, err := t.Notes.Add(target, text)
	switch {
	case err != nil:
		return "", err
	case !added:
		return "That stands in " + t.Notes.Path(target) + " already.", nil
	}
	return "Remembered in " + t.Notes.Path(target) + " (" + t.Notes.Usage(target, entries) + "). New sessions know it; this one keeps what it began with.", nil
}

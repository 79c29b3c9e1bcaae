// Package typed is what the user types beside words: "@" names files for the message. It refuses to decide what may be
// attached: package attach does.
package typed

import (
	"context"
	"strings"

	"talaria/engine"
	"talaria/engine/attach"
)

// Typed reads what is named. Note tells the user.
type Typed struct {
	*attach.Files
	Note func(engine.NoteKind, string)
}

// Context is what the requests of a turn say behind the user's message, and the session does not keep: the files that it
// names, then what others said. Room is how many bytes the files may take, 0 for the usual cap.
func (t *Typed) Context(ctx context.Context, text, said string, room int) string {
	told := t.Expand(ctx, text, room)
	if told.Line != "" {
		t.Note(engine.NoteInfo, told.Line)
	}
	return strings.TrimSpace(told.Text + "\n\n" + said)
}

package core

import (
	"context"
	"errors"
	"strings"

	"talaria/engine"
	"talaria/engine/memory"
)

// contextOf is what the requests of a turn say behind the user's message, and the session does not keep: the files that it
// names with "@", and what hooks add. Room is how many bytes the files may take, 0 for the usual cap. It runs in the goroutine
// of the turn.
func (c *Core) contextOf(ctx context.Context, text string, route engine.Route, room int) (string, error) {
	said, err := c.out.Context(ctx, text, route)
	if err != nil {
		return "", err
	}
	told := c.files.Expand(ctx, text, room)
	if told.Line != "" {
		c.note(context.WithoutCancel(ctx), engine.NoteInfo, "%s", told.Line)
	}
	return strings.TrimSpace(c.masker()(told.Text) + "\n\n" + said), nil
}

// References are what "@" in a message can name. It may be used from any goroutine.
func (c *Core) References() engine.References { return c.files }

// Notebook takes what the user types behind "#". It may be used from any goroutine.
func (c *Core) Notebook() engine.Notebook { return notebook{c.notes} }

type notebook struct{ files *memory.Files }

// Remember adds an entry.
func (n notebook) Remember(_ context.Context, user bool, text string) (string, error) {
	if n.files == nil {
		return "", errors.New("the memory is switched off (memory.enabled)")
	}
	t := memory.Notes
	if user {
		t = memory.User
	}
	entries, added, err := n.files.Add(t, text)
	switch {
	case err != nil:
		return "", err
	case !added:
		return "That stands in " + n.files.Path(t) + " already.", nil
	}
	return "Remembered in " + n.files.Path(t) + " (" + n.files.Usage(t, entries) + "). New sessions know it; this one keeps what it began with.", nil
}

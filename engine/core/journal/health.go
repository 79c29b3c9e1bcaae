package journal

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"talaria/engine"
)

// retryAfter is how long a failure to save is left alone when nothing else happens in the session.
const retryAfter = 5 * time.Second

// health is what of the session is not kept as it should be, and what the user was told of that. A record that the journal
// has is safe, whatever becomes of the database.
type health struct {
	unwritten error // why records are only in memory
	unfolded  error // why the database lacks what the journal has
	told      string
}

// failing reports whether something is to be tried again.
func (h *health) failing() bool { return h.unwritten != nil || h.unfolded != nil }

// tell pushes what changed for the user.
func (h *health) tell(push func(engine.Event)) {
	text := ""
	switch {
	case h.unwritten != nil:
		text = fmt.Sprintf("The conversation is not being saved: %s. It goes on in memory and is saved as soon as that works again.", cause(h.unwritten))
	case h.unfolded != nil:
		text = fmt.Sprintf("The list of sessions is not brought up: %s. The conversation itself is saved in its journal.", cause(h.unfolded))
	}
	switch {
	case text == h.told:
	case text == "":
		push(engine.Noted{Kind: engine.NoteSaved, Text: "Saving works again; everything is on disk."})
	default:
		push(engine.Noted{Kind: engine.NoteDegraded, Text: text})
	}
	h.told = text
}

// cause is what the system says, where it says something: there is one line for it, and that it is about a file of
// talaria's goes without saying.
func cause(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) && errno != syscall.EWOULDBLOCK {
		return errno.Error()
	}
	text := err.Error()
	if _, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "fold session ") {
		return rest
	}
	return text
}

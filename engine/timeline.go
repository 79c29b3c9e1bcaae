package engine

import (
	"context"
	"time"
)

// FileKind says what happened to a file.
type FileKind string

// The kinds, as they are shown.
const (
	FileAdded    FileKind = "A"
	FileModified FileKind = "M"
	FileDeleted  FileKind = "D"
)

// FileChange is what a turn, or going back, does to one file. Path is absolute, Name as people name it from the
// session's directory. Add and Del count lines; both are 0 for what is no text. Edited: it was changed by the user, or by
// a command, since. Undone: it was taken back already. Lost: why it cannot be brought back ("" when it can).
type FileChange struct {
	Path, Name string
	Kind       FileKind
	Add, Del   int
	Edited     bool
	Undone     bool
	Lost       string
}

// Turn is one row of the timeline. ID is that of the user's message, At when it was sent, Text what it said. Reads and
// Runs count the calls that read and that ran commands, Files what edit tools changed, Commands the files that commands
// changed. Cost is in US dollars, nil when unknown; Took is how long it ran. Here is false for a turn that an undo took
// out of the chat and a redo would bring back.
type Turn struct {
	Number      int
	ID          string
	At          time.Time
	Text        string
	Reads, Runs int
	Files       []FileChange
	Commands    []string
	Cost        *float64
	Took        time.Duration
	Why         Exit
	Here        bool
}

// Rewind is what going back to before a turn would do: how many turns leave the chat, which files are restored. Commands
// are files that commands changed in these turns: they stay as they are. Blind is why not all of those are known, "" when
// they are. Before is when the chat would stand where it stood.
type Rewind struct {
	Turn     int
	Text     string
	Turns    int
	Before   time.Time
	Files    []FileChange
	Commands []string
	Blind    string
}

// Timeline is what the timeline screen may ask of the running session; it is called in a tea.Cmd. What it shows is done
// by ops: Undo{Turn} for chat and files, with What for one of them alone, Open of what Fork returned, Undo{Redo}.
type Timeline interface {
	// Turns lists the turns of the session, oldest first.
	Turns(ctx context.Context) ([]Turn, error)
	// Rewind says what going back to before turn n would do. Nothing is changed.
	Rewind(ctx context.Context, n int) (Rewind, error)
	// Diff is the unified diff of what going back to before turn n would do to the file at path, "" for all files.
	Diff(ctx context.Context, n int, path string) (string, error)
	// Fork makes a copy of the session as it was before turn n, or with n 0 as it is, and returns its id.
	Fork(ctx context.Context, n int) (string, error)
}

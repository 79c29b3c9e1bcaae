package engine

import (
	"context"
	"time"
)

// Process is a command that runs, or ran, in the background: beside the conversation and across its turns.
type Process struct {
	ID      string // "bg_1"; what the model calls it too
	Command string
	Dir     string // where it was started, absolute
	PID     int    // of its shell
	Began   time.Time
	Ended   time.Time // zero while it runs
	Running bool
	Killed  bool   // ended by the user or the agent
	Exit    int    // the exit code, once it has ended
	Log     string // the file that takes what it prints, "" without
}

// Processes is what the screen knows of the background, and how it runs a command of the user's own. Methods are called
// in a tea.Cmd; all but List and Changed may take seconds.
type Processes interface {
	// List returns all that run and what ended in the last half hour, oldest first.
	List() []Process
	// Changed is closed with the next change of the list.
	Changed() <-chan struct{}
	// Tail returns the last lines that the process printed, at most n.
	Tail(id string, n int) (string, error)
	// End ends the process and everything it started, within two seconds. The error names what could not be ended.
	End(id string) error
	// Shell runs a command of the user in the session's shell, so that a cd or an export holds for the agent too, and
	// returns what it printed. It asks nobody: the user typed it. With tell the model reads command and output with
	// the next request (`!cmd`); without, the session keeps them as an aside that is never sent (`!!cmd`).
	Shell(ctx context.Context, command string, tell bool) (Result, error)
}

// Package checkpoint keeps files as they were before a tool changed them, so that turns can be taken back. Contents are
// kept once each, by their hash, compressed, below one directory; beside them each session has a log of what was changed
// in which turn. It is for the user's working tree: not a backup, and not a version control.
//
// It refuses to overwrite, unasked, what the user changed since: a plan names such files, and restoring leaves them alone
// unless told otherwise. It covers the changes that file tools make. What a command did is only noticed, by size and time
// of the files below the session's directory, and told; it cannot be brought back.
package checkpoint

// Package store keeps sessions so that nothing typed, answered or paid for is lost. It holds two records of
// everything: a journal for each session (journal/<id>.jsonl, one record a line with a checksum, durable when Append
// returns) and one database for all sessions (sessions.db, filled from the journals at every Fold, used for listing and
// finding). Each can rebuild what the other lost.
//
// Several processes share one directory. Who has a session open holds an exclusive flock on its journal, so the kernel
// frees it when the process dies. Nobody holds the database open: every use takes a flock on sessions.lock, opens,
// does one transaction and closes.
//
// Read line.go (what a journal line is), journal.go (how lines become durable), log.go (a session that is owned),
// fold.go (journal to database), database.go (one use of the database), sweep.go (what a killed process left behind),
// library.go (what the screen asks).
//
// The package refuses to wait without limit for another process, to call a record saved that is not, and to overwrite
// what it cannot read: damaged lines and damaged databases are moved aside and reported.
package store

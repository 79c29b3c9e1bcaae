// Package store keeps sessions so that nothing typed, answered or paid for is lost. It holds two records of
// everything: a journal for each session (journal/<id>.jsonl, one record a line with a checksum, durable when Append
// returns) and one database for all sessions (sessions.db, filled from the journals at every Fold, used for listing and
// finding). Each can rebuild what the other lost.
//
// Several processes share one directory. Who has a session open holds an exclusive flock on its journal, so the kernel
// frees it when the process dies. Nobody holds the database open: every use takes a flock on sessions.lock, opens,
// does one transaction and closes.
//
// The two records are packages of their own, journal and database, and so is what finds sessions in an index (find) and
// what somebody typed (typed). Here they are one store: log.go (a session that is owned), fold.go (journal to database),
// sweep.go (what a killed process left behind), index.go (what is where in the database), library.go and seek.go (what the
// screen asks), memory.go (the store that writes nothing).
//
// The package refuses to wait without limit for another process, to call a record saved that is not, and to overwrite
// what it cannot read: damaged lines and damaged databases are moved aside and reported.
package store

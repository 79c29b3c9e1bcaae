// Package database is sessions.db: one bbolt file for all sessions, shared by several processes. Every use passes a
// gate (a flock on sessions.lock), opens the file, runs one transaction and closes it, so nobody ever waits for a
// process that is merely running.
//
// It refuses to wait without limit, to write a file of a newer layout, and to delete a damaged one: that is moved aside
// as sessions.db.corrupt-<time>, and what can be read of it goes into the new one.
package database

// Package journal is the file of one session: append-only, one record a line, each line with a checksum, durable when
// Flush returns. Who has a session open holds an exclusive flock on its journal for as long.
//
// line.go says what a line is, row.go what is known of a session beside its records, file.go how lines become durable,
// rest.go how a journal that nobody has open is read and added to.
//
// It refuses to call a line written that is not synced, and to throw away what it cannot read: damaged lines and torn
// ends are kept in <id>.jsonl.bad.
package journal

// Package search is the full-text index of a store, and the one place that knows bleve. What it holds is derived: blocks of
// a session's records as words, nothing that can be read back. It is opened for one use at a time behind a lock of its own,
// and what cannot be opened is thrown away and made anew.
//
// Words are runs of letters and digits, lower-cased, and stemmed as English or Russian by their script; scripts that are
// written without spaces become pairs of letters. The same rules find the words again in a text, for the marks of a hit.
//
// The package refuses to know sessions, times or titles, to keep text, and to look for parts of words: that is a scan.
package search

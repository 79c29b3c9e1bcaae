// Package file holds the tools that read, write, change and search files.
//
// A write goes to the file that a link points to, in one step, or not at all; what a file has of its own (line ends,
// encoding, mark, mode) stays. A text to be replaced is found exactly or by small differences that only one place has; a
// text that is merely alike is never taken for the place. A file that changed since it was read is left alone. The
// package decides nothing about permission: that is the work of gates.
package file

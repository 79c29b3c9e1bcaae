// Package terminal is the tool that runs a shell command and tells the model what it printed.
//
// A command gets no terminal, no input and no editor, so it can neither wait for a key nor draw over the screen. Its
// whole tree of processes ends with a stop or a timeout. A process that it leaves behind on purpose is named, not
// waited for. Whatever it prints, memory stays small: the beginning and the end are kept, all of it goes to a file.
//
// The package decides nothing about permission (that is a gate's work) and knows no shell but the POSIX family. Between
// calls it keeps the directory; variables, functions and shell options end with the call.
package terminal

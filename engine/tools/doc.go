// Package tools holds what the model can do to files and to its own task list, the registry that finds a tool for a
// call, and the Workspace that the tools share: the session's directory, which file was read when, and where outputs
// go that are too big for a message.
//
// Arguments are repaired only by removing or escaping characters; a call that was cut off is refused, never guessed.
// A write goes to the file that a link points to, in one step, or not at all. The package decides nothing about
// permission: that is the work of gates.
package tools

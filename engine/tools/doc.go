// Package tools holds what tools have in common: the registry that finds a tool for a call, the Workspace that they share
// (the session's directory, which file was read when, where outputs go that are too big for a message), the line that
// names an action, and the two tools that need nothing else, todo and clarify.
//
// Arguments are repaired only by removing or escaping characters; a call that was cut off is refused, never guessed. The
// package decides nothing about permission: that is the work of gates.
package tools

// Package memory keeps what the agent should know in every conversation: MEMORY.md, its own notes, and USER.md, what it
// knows of the user. Both are plain files of short entries that people may edit, small enough to stand in the prompt.
//
// What is written goes to disk at once; the prompt of a running session keeps the snapshot it began with, and the tool's
// answer shows the live state. It refuses entries that would talk a later model out of its instructions, guesses about
// which entry was meant, and to overwrite what another program or the user wrote meanwhile.
package memory

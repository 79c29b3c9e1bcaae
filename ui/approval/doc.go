// Package approval is the dialog that asks whether a call may run. It shows exactly what will happen, with whatever cannot
// be seen made visible, and the very rule that a longer yes would make, which Tab widens and Shift+Tab narrows.
//
// It refuses to answer by accident: keys that answer are ignored for 400 ms and while somebody is typing, and for a command
// of the danger table the first focus is on the denial. The choices never leave the screen: the diff gives way.
package approval

// Package chrome draws what stands around the conversation: the title row, the welcome of an empty session, the strip of
// what waits, and the status bar. Each is a function of facts and a width. It refuses to know where the facts come from,
// and keeps nothing from one frame to the next.
package chrome

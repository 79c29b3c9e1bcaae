//go:build race

package terminal

// raceOn: the race detector multiplies the work; what is tested then is races, so the big numbers are smaller.
const raceOn = true

//go:build race

package textcalls

// raceOn: the race detector multiplies the work; what is tested then is races, so the big numbers are smaller.
const raceOn = true

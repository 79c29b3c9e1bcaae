//go:build !race

package textcalls

const raceOn = false

//go:build !race

package terminal

const raceOn = false

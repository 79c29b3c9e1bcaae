//go:build !race

package markdown

const raceOn = false

//go:build race

package markdown

import "flag"

// raceOn: the race detector multiplies the work; what is tested then is races, so the big numbers are smaller.
const raceOn = true

func init() {
	if err := flag.Set("rapid.checks", "20"); err != nil {
		panic(err)
	}
}

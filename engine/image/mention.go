package image

import (
	"regexp"
	"slices"
	"strings"
)

// mention is an @ at the start of a word and a path that ends as pictures do: @shot.png, @"my shot.png".
var mention = regexp.MustCompile(`(?i)(?:^|\s)@(?:"([^"\n]+\.(?:png|jpe?g|gif|webp))"|(\S+\.(?:png|jpe?g|gif|webp))(?:[\s,;:!?)]|\.?$|\.\s))`)

// Mentions are the paths of pictures that a message names with an @, in order, each once.
func Mentions(text string) []string {
	var paths []string
	for {
		m := mention.FindStringSubmatchIndex(text)
		if m == nil {
			return paths
		}
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		if path := strings.TrimSpace(text[from:to]); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
		text = text[to:] // what ends one name may begin the next
	}
}

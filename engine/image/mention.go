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
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		if path := strings.TrimSpace(m[1] + m[2]); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

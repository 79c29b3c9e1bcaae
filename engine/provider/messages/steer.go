package messages

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed steer.md
var steerText string

// steerBlock sets off a user's word that came while tools ran. It stands after their results (RULINGS 1).
func steerBlock(word string) block {
	return block{Type: "text", Text: fmt.Sprintf(strings.TrimSpace(steerText), word)}
}

// unmarked takes the lines that set off a user's word out of what a tool returned: a file that holds them must not pose
// as the user. The brackets become round.
func unmarked(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	for line := range strings.Lines(steerText) {
		mark, opens := strings.CutPrefix(strings.TrimSpace(line), "[")
		if mark, closes := strings.CutSuffix(mark, "]"); opens && closes {
			text = strings.ReplaceAll(text, "["+mark+"]", "("+mark+")")
		}
	}
	return text
}

package provider

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed steer.md
var steerText string

// Steer sets off a user's word that came while tools ran: the system prompt says to follow what stands between these
// lines (RULINGS 1).
func Steer(word string) string { return fmt.Sprintf(strings.TrimSpace(steerText), word) }

// Unmarked takes the lines of Steer out of what a tool returned: a file that holds them must not pose as the user. The
// brackets become round.
func Unmarked(text string) string {
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

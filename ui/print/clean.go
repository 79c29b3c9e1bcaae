package print

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// clean takes out of s what a terminal would act on: escape sequences, then every control character but tab and line
// feed. A carriage return goes too, since it lets later text cover what came before.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || c1(r) {
			return -1
		}
		return r
	}, ansi.Strip(strings.ToValidUTF8(s, "\uFFFD")))
}

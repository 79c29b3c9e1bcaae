package think

import "testing"

// BEHAVIOUR 7.4: a model that repeats what was recalled for it says that to nobody; a word about the tag stays.
func TestAnEchoOfWhatWasRecalledIsNoAnswer(t *testing.T) {
	for in, want := range map[string]string{
		"<memory-context>\nThe user likes tea.\n</memory-context>\nHello.": "Hello.",
		"<memory-context>\nThe user likes tea.":                            "",
		"Write `<memory-context>` in backticks.":                           "Write `<memory-context>` in backticks.",
	} {
		if got, _ := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

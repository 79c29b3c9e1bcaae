package style_test

import (
	"strings"
	"testing"

	"talaria/ui/style"
)

// What a model wrote is listed in a terminal, in pieces that cut its sequences: nothing of them comes through.
func TestAWriterLetsNoSequenceThroughHoweverItIsCut(t *testing.T) {
	text := "a \x1b]0;title\x07b \x1b[2Jc\u009b1md\r\ntwo\n" + strings.Repeat("x", 70<<10) + "\nend \x1b[31m"
	for size := 1; size < 12; size++ {
		var out strings.Builder
		w := &style.Writer{W: &out}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.ContainsAny(got, "\x1b\x07\r") || !strings.HasPrefix(got, "a b cd\ntwo\nxxx") || !strings.HasSuffix(got, "x\nend ") {
			t.Fatalf("in pieces of %d: %.60q ... %q", size, got, got[max(0, len(got)-20):])
		}
	}
}

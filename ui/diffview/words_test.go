package diffview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/ui/style"
)

func TestAChangedWordIsMarkedAndTheRestIsNot(t *testing.T) {
	one := "@@ -1 +1 @@\n-  return total * rate;\n+  return total * factor;\n"
	lines := Lines(sheet("dusk", false), one, 80)
	for i, word := range []string{"rate", "factor"} {
		line := lines[i+1]
		at := strings.Index(line, word)
		if at < 0 {
			t.Fatalf("%q has no %q of its own", line, word)
		}
		pen := line[strings.LastIndex(line[:at], "\x1b["):at]
		if !strings.Contains(pen, "4") || !strings.HasPrefix(ansi.Strip(line[at:]), word+";") {
			t.Errorf("%q stands in %q", word, pen)
		}
	}
	other := Lines(sheet("dusk", false), "@@ -1 +1 @@\n-alpha beta gamma\n+something else entirely\n", 80)
	for _, line := range other[1:] {
		if strings.Contains(line, "\x1b[1;4") {
			t.Errorf("a line that is another has a mark: %q", line)
		}
	}
}

func TestSideBySideHasWhatWasAndWhatIsInOneRow(t *testing.T) {
	lines := strings.Split(text(Split(sheet("mono", false), patch, 120)), "\n")
	if !strings.Contains(lines[2], "return inFlight;") || !strings.Contains(lines[2], "│ 42 +     const running") {
		t.Errorf("got:\n%s", strings.Join(lines, "\n"))
	}
	if got := text(Split(sheet("mono", false), patch, 80)); got != text(Lines(sheet("mono", false), patch, 80)) {
		t.Errorf("a narrow one is not unified:\n%s", got)
	}
}

func TestU09NoDiffIsWiderThanItsWidth(t *testing.T) {
	piece := rapid.SampledFrom([]string{"x", " ", "\t", "漢", "👩‍👩‍👧", "e\u0301", "שלום", "\u202e", "return", "(", "́", "\x1b[2J"})
	rapid.Check(t, func(t *rapid.T) {
		lineOf := func(name string) string { return strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, name), "") }
		diff := "@@ -1,2 +1,2 @@\n-" + lineOf("old") + "\n+" + lineOf("new") + "\n " + lineOf("same") + "\n"
		w := rapid.IntRange(1, 160).Draw(t, "width")
		for _, draw := range []func(style.Sheet, string, int) []string{Lines, Split} {
			for _, line := range draw(sheet("dusk", false), diff, w) {
				if style.Width(line) > w || style.OnlySGR(line) != line {
					t.Fatalf("at %d: %q is %d wide", w, line, style.Width(line))
				}
			}
		}
	})
}

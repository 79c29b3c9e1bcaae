package diffview

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"talaria/themes"
)

const goPatch = `--- a/cart.go
+++ b/cart.go
@@ -1,4 +1,5 @@ func total
 // the sum of a cart
-func total() float64 { return 3 * rate } // rounded
+func total() float64 { return 3 * factor } // rounded
+var name = "a string"
 /* a comment
    over two lines */
`

// ink is the colour that a text stands in, in a line with colours.
func ink(line, word string) string {
	at := strings.Index(line, word)
	if at < 0 {
		return "absent"
	}
	pens := regexp.MustCompile(`38;2;(\d+);(\d+);(\d+)`).FindAllStringSubmatch(line[:at], -1)
	if pens == nil {
		return ""
	}
	var n [3]int
	for i, p := range pens[len(pens)-1][1:] {
		n[i], _ = strconv.Atoi(p)
	}
	return fmt.Sprintf("#%02x%02x%02x", n[0], n[1], n[2])
}

func TestADiffHasTheColoursOfItsLanguageAndKeepsItsMarks(t *testing.T) {
	for _, draw := range []struct {
		width int
		split bool
	}{{100, false}, {140, true}} {
		s := sheet("dusk", false)
		lines := Read(goPatch).Draw(s, draw.width, draw.split, 0, 99)
		all := strings.Join(lines, "\n")
		for word, role := range map[string]themes.Role{"func": themes.SynKeyword, "\"a string\"": themes.SynString, "// the sum": themes.SynComment, "over two": themes.SynComment, "+ ": themes.DiffAdd} {
			if got, want := ink(all, word), s.Theme.Roles[role]; got != want {
				t.Errorf("at %d: %q stands in %s, %s is %s", draw.width, word, got, role, want)
			}
		}
		if marked := regexp.MustCompile(`;1;4m(rate|factor)\x1b`).FindAllString(all, -1); len(marked) < 2 {
			t.Errorf("at %d the changed words are marked as %q", draw.width, marked)
		}
	}
	if lines := Lines(sheet("dusk", false), strings.ReplaceAll(goPatch, "cart.go", "cart.nolanguage"), 100); strings.Contains(strings.Join(lines, ""), "192;153;255") {
		t.Error("a file of no language has colours of one")
	}
}

// Every colour of a changed line can be read on the background that it stands on.
func TestEveryColourOfADiffCanBeReadInEveryTheme(t *testing.T) {
	pen := regexp.MustCompile(`\x1b\[[0-9;]*38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)m`)
	for _, name := range themes.Names() {
		s := sheet(name, false)
		seen := 0
		for _, line := range append(Lines(s, goPatch, 100), Split(s, goPatch, 140)...) {
			for _, m := range pen.FindAllStringSubmatch(line, -1) {
				var n [6]int
				for i := range n {
					n[i], _ = strconv.Atoi(m[i+1])
				}
				fg, bg := fmt.Sprintf("#%02x%02x%02x", n[0], n[1], n[2]), fmt.Sprintf("#%02x%02x%02x", n[3], n[4], n[5])
				if seen++; themes.Contrast(fg, bg) < s.Theme.MinContrast {
					t.Errorf("%s: %s on %s has contrast %.2f", name, fg, bg, themes.Contrast(fg, bg))
				}
			}
		}
		if want := s.Theme.Kind == themes.Dark || s.Theme.Kind == themes.Light; want != (seen > 10) {
			t.Errorf("%s: %d pens with a background", name, seen)
		}
	}
}

func TestAPartOfALongDiffIsWhatTheWholeHasThereAndCostsLittle(t *testing.T) {
	var b strings.Builder
	b.WriteString("--- a/long.go\n+++ b/long.go\n@@ -1,500 +1,500 @@\n")
	for i := range 500 {
		fmt.Fprintf(&b, "-var a%d = %d\n+var b%d = \"%d\"\n", i, i, i, i)
	}
	s, unified := sheet("dusk", false), b.String()
	for _, split := range []bool{false, true} {
		d := Read(unified)
		part := d.Draw(s, 120, split, 390, 420)
		if len(part) != 30 || len(d.lit) > 2 {
			t.Fatalf("%d rows, %d chunks are coloured", len(part), len(d.lit))
		}
		if more := d.Draw(s, 120, split, 380, 430); !slices.Equal(more[10:40], part) {
			t.Error("a part is other than the whole")
		}
		if got := ink(strings.Join(part, "\n"), "var"); got != s.Theme.Roles[themes.SynKeyword] {
			t.Errorf("far below, a keyword stands in %s", got)
		}
	}
	if lines := Lines(s, unified, 120); len(lines) != 1001 || ink(lines[900], "var") == s.Theme.Roles[themes.SynKeyword] {
		t.Errorf("%d lines; the far ones have the colours of the language", len(lines))
	}
	if d := Read("nothing"); d.Draw(s, 80, true, 0, 10) != nil || Read(unified).Draw(s, 0, false, 0, 10) != nil {
		t.Error("nothing is drawn as something")
	}
}

func BenchmarkAScreenOfALongDiff(b *testing.B) {
	var text strings.Builder
	text.WriteString("--- a/long.go\n+++ b/long.go\n@@ -1,5000 +1,5000 @@\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "-var a%d = %d\n+var b%d = \"%d\"\n", i, i, i, i)
	}
	d, s := Read(text.String()), sheet("dusk", false)
	for i := 0; b.Loop(); i++ {
		d.Draw(s, 120, false, i*40%9000, i*40%9000+40)
	}
}

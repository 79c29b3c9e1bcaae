package diffview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
)

const patch = `--- a/src/auth/refresh.ts
+++ b/src/auth/refresh.ts
@@ -41,5 +41,6 @@ class Session
 async function refresh(id: SessionId) {
-	if (inFlight) return inFlight;
--- a list marker in the old text
+	const running = inFlight.get(id);
+	if (running) return running;
+// 漢字のコメント
 	return p;

\ No newline at end of file
`

func sheet(name string, ascii bool) style.Sheet {
	t, err := themes.Load(name)
	if err != nil {
		panic(err)
	}
	return style.New(t, ascii)
}

func text(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestADiffShowsNumbersSignsAndText(t *testing.T) {
	want := `@@ refresh.ts  41–46 @@
41 41   async function refresh(id: SessionId) {
42    −     if (inFlight) return inFlight;
43    − -- a list marker in the old text
   42 +     const running = inFlight.get(id);
   43 +     if (running) return running;
   44 + // 漢字のコメント
44 45       return p;
45 46
No newline at end of file`
	if got := text(Lines(sheet("mono", false), patch, 80)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestANarrowDiffHasOneColumnOfNumbers(t *testing.T) {
	got := strings.Split(text(Lines(sheet("mono", true), patch, 30)), "\n")
	if got[2] != "42 -     if (inFlight) return~" || got[4] != "42 +     const running = inFl~" {
		t.Errorf("narrow, in ASCII:\n%s", strings.Join(got, "\n"))
	}
}

func TestStatCountsOnlyWhatChanged(t *testing.T) {
	if add, del := Stat(patch); add != 3 || del != 2 {
		t.Errorf("Stat = +%d -%d", add, del)
	}
	if add, del := Stat("no diff at all\n+not in a hunk\n"); add+del != 0 {
		t.Errorf("Stat of no diff = +%d -%d", add, del)
	}
	if add, del := Stat("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+only line\n"); add != 1 || del != 0 {
		t.Errorf("Stat of a new file = +%d -%d", add, del)
	}
}

func TestAChangeStandsOnItsOwnBackground(t *testing.T) {
	s := sheet("dusk", false)
	for _, line := range Lines(s, patch, 70) {
		bg := strings.Contains(line, "48;2;")
		sign := strings.Contains(ansi.Strip(line), " + ") || strings.Contains(ansi.Strip(line), " − ")
		if bg != sign {
			t.Errorf("%q: background %v, sign %v", ansi.Strip(line), bg, sign)
		}
		if bg && style.Width(line) != 70 {
			t.Errorf("%q is %d wide", ansi.Strip(line), style.Width(line))
		}
	}
	for _, line := range Lines(sheet("mono", false), patch, 70) {
		if strings.Contains(line, "\x1b") {
			t.Errorf("mono: %q", line)
		}
	}
}

func TestU01ADiffCannotDriveTheTerminal(t *testing.T) {
	evil := "--- a/\x1b]0;pwn\a\n+++ b/\x1b]0;pwn\a\n@@ -1 +1 @@\n-\x1b]52;c;ZXZpbA==\a\u009b2Jold\n+\x1b[2J\x9b2Jnew\n"
	for _, line := range Lines(sheet("dusk", false), evil, 80) {
		if left := ansi.Strip(line); strings.Contains(line, "]52;") || strings.Contains(line, "]0;pwn") || style.OnlySGR(line) != line || left != style.Safe(left) {
			t.Errorf("%q", line)
		}
	}
}

func TestU07AnyWidthHolds(t *testing.T) {
	for _, broken := range []string{patch, "", "@@ -1,999999999999999999999 +1 @@\n-x", "@@ -5 +5 @@", patch[:len(patch)/2]} {
		for w := -1; w < 100; w += 1 + max(0, w)/20 {
			for _, line := range Lines(sheet("dusk", false), broken, w) {
				if style.Width(line) > w {
					t.Fatalf("at %d: %q is %d wide", w, ansi.Strip(line), style.Width(line))
				}
			}
		}
	}
}

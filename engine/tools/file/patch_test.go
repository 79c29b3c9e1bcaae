package file

import (
	"os"
	"strings"
	"testing"

	"talaria/engine"
)

func TestAPatchChangesThePlaceAndShowsTheDiff(t *testing.T) {
	d := newDesk(t)
	d.put("a.go", "package a\n\nfunc f() int {\n\treturn 1\n}\n")
	r := d.do("patch", m{"path": "a.go", "old_string": "\treturn 1", "new_string": "\tx := 2\n\treturn x"})
	expect(t, r, engine.StatusDone, "Edited a.go at line 4", "+2 −1")
	d.holds("a.go", "package a\n\nfunc f() int {\n\tx := 2\n\treturn x\n}\n")
	if !strings.HasPrefix(r.Diff, "--- a/a.go\n+++ b/a.go\n@@") {
		t.Fatalf("diff %q", r.Diff)
	}
}

func TestL08APatchKeepsCRLF(t *testing.T) {
	for _, all := range []bool{false, true} {
		d := newDesk(t)
		d.put("a.txt", "alpha\r\nbeta\r\ngamma")
		expect(t, d.do("patch", m{"path": "a.txt", "old_string": "alpha\nbeta", "new_string": "ALPHA\nBETA", "replace_all": all}), engine.StatusDone)
		d.holds("a.txt", "ALPHA\r\nBETA\r\ngamma")
	}
}

func TestL10APatchOfWhatIsNotThereShowsTheNearestLines(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "alpha(1)\nbeta(2)\ngamma(3)\n")
	r := d.do("patch", m{"path": "a.txt", "old_string": "alpha(1)\nbeta(9)\ngamma(3)", "new_string": "alpha(1)\nbeta(10)\ngamma(3)"})
	expect(t, r, engine.StatusFailed, "not found in a.txt; nothing changed", "2|beta(2)")
	d.holds("a.txt", "alpha(1)\nbeta(2)\ngamma(3)\n")
	r = d.do("patch", m{"path": "a.txt", "old_string": "a(", "new_string": "b("})
	expect(t, r, engine.StatusFailed, "matches 3 places in a.txt (lines 1, 2, 3); nothing changed", "replace_all")
	d.holds("a.txt", "alpha(1)\nbeta(2)\ngamma(3)\n")
}

func TestL12BytesElsewhereStayOrThePatchIsRefused(t *testing.T) {
	for _, rest := range []string{"// caf\xe9 note\n", "// \xd6\xd0\xce\xc4\n"} {
		d := newDesk(t)
		d.put("marked.js", "\xEF\xBB\xBFconst x = 1;\n"+rest)
		expect(t, d.do("patch", m{"path": "marked.js", "old_string": "const x = 1;", "new_string": "const x = 2;"}), engine.StatusDone)
		d.holds("marked.js", "\xEF\xBB\xBFconst x = 2;\n"+rest)

		d.put("a.js", "const x = 1;\n"+rest)
		expect(t, d.do("patch", m{"path": "a.js", "old_string": "const x = 1;", "new_string": "const x = 2;"}), engine.StatusDone)

		for _, put := range []string{"const x = \uFFFD;", "const x = 'ö';"} {
			expect(t, d.do("patch", m{"path": "a.js", "old_string": "const x = 2;", "new_string": put}), engine.StatusFailed)
		}
		expect(t, d.do("write_file", m{"path": "a.js", "content": "// caf\uFFFD note\n"}), engine.StatusFailed, "not UTF-8")
		d.holds("a.js", "const x = 2;\n"+rest)
	}
	for _, wide := range []string{"\xff\xfea\x00b\x00", "\xfe\xff\x00a\x00b", "a\x00b\x00"} {
		d := newDesk(t)
		d.put("a.txt", wide)
		expect(t, d.do("patch", m{"path": "a.txt", "old_string": "a", "new_string": "b"}), engine.StatusFailed)
		d.holds("a.txt", wide)
	}
}

// The second byte of a GBK character can be an ASCII letter, which is not the letter that was meant.
func TestL12AMatchInsideAnOldEncodingsCharacterIsRefused(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "x = '\x81A'\n")
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "A", "new_string": "B"}), engine.StatusFailed, "inside one of its characters")
	d.holds("a.txt", "x = '\x81A'\n")
}

func TestAPatchWithoutEffectSaysSo(t *testing.T) {
	d := newDesk(t)
	path := d.put("a.txt", "1   2\n")
	before, _ := os.Stat(path)
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "1", "new_string": "1"}), engine.StatusFailed, "nothing changed")
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "1   2\n", "new_string": "1   2\r\n"}), engine.StatusFailed, "nothing changed")
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "", "new_string": "x"}), engine.StatusRefused, "refused: old_string is empty")
	expect(t, d.do("patch", m{"path": "a.txt", "old_string": "1 2", "new_string": "1   2"}), engine.StatusFailed, "nothing changed")
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Fatal("the file was written")
	}
}

func TestATolerantMatchNamesItsStrategyAndShowsTheDiff(t *testing.T) {
	d := newDesk(t)
	d.put("a.py", "def f():\n\treturn  1\n")
	r := d.do("patch", m{"path": "a.py", "old_string": "    return 1", "new_string": "    return 2"})
	expect(t, r, engine.StatusDone, "whitespace_normalised", "+\treturn 2")
	d.holds("a.py", "def f():\n\treturn 2\n")
}

func TestCommonMistakesAreNamed(t *testing.T) {
	d := newDesk(t)
	d.put("src/refresh.ts", "const a = 1\n")
	expect(t, d.do("patch", m{"path": "src/refresh.ts", "old_string": "1|const b = 9", "new_string": "x"}), engine.StatusFailed, "line numbers of read_file")
	expect(t, d.do("patch", m{"path": "src/refesh.ts", "old_string": "a", "new_string": "b"}), engine.StatusFailed, "there is no src/refesh.ts", "src/refresh.ts")
}

// Scenario 48 of BEHAVIOUR 25c, the parts that are not in the match package.
func TestScenario48ReplaceAllCountsItsPlaces(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", "x\ny\nx\n")
	r := d.do("patch", m{"path": "a.txt", "old_string": "x", "new_string": "z", "replace_all": "true"})
	expect(t, r, engine.StatusDone, "2 places", "line 1")
	d.holds("a.txt", "z\ny\nz\n")
}

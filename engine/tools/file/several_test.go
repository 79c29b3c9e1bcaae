package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/tools/envelope"
)

const three = `*** Begin Patch
*** Update File: src/a.go
@@ func f() int {
-	return 1
+	return 2
@@ func g() int {
-	return 1
+	return 3
*** Add File: src/new/b.go
+package b
+
+var B = 1
*** Delete File: old.txt
*** Update File: name.txt
*** Move to: deep/renamed.txt
@@
-one
+ONE
*** End Patch`

func (d *desk) four() {
	d.put("src/a.go", "package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 1\n}\n")
	d.put("old.txt", "gone\n")
	d.put("name.txt", "one\r\ntwo\r\n")
	if err := os.Chmod(filepath.Join(d.dir, "name.txt"), 0o750); err != nil {
		d.t.Fatal(err)
	}
}

func TestAPatchOfSeveralFilesIsMadeAsAWhole(t *testing.T) {
	d := newDesk(t)
	d.four()
	var kept []string
	d.w.OnChange(func(path string) func() { kept = append(kept, filepath.Base(path)); return func() {} })
	c := d.call("patch", m{"patch": three})
	shown, err := Preview(d.w, c)
	if err != nil {
		t.Fatal(err)
	}
	d.holds("old.txt", "gone\n")
	r := d.do("patch", m{"patch": three})
	expect(t, r, engine.StatusDone, "Edited src/a.go (+2 −2)", "Wrote src/new/b.go (+3 −0)", "Deleted old.txt (+0 −1)", "Wrote deep/renamed.txt", "Deleted name.txt")
	d.holds("src/a.go", "package a\n\nfunc f() int {\n\treturn 2\n}\n\nfunc g() int {\n\treturn 3\n}\n")
	d.holds("src/new/b.go", "package b\n\nvar B = 1\n")
	d.holds("deep/renamed.txt", "ONE\r\ntwo\r\n")
	for _, gone := range []string{"old.txt", "name.txt"} {
		if _, err := os.Stat(filepath.Join(d.dir, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if info, err := os.Stat(filepath.Join(d.dir, "deep/renamed.txt")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the mode of the moved file: %v %v", info, err)
	}
	if r.Diff != shown || strings.Count(r.Diff, "\n+++ ") != 5 || !strings.Contains(r.Diff, "+++ /dev/null") || len(r.Changed) != 5 {
		t.Errorf("diff %q\nshown %q\nchanged %v", r.Diff, shown, r.Changed)
	}
	if strings.Join(kept, " ") != "a.go b.go old.txt renamed.txt name.txt" {
		t.Errorf("kept before the change: %v", kept)
	}
	tool, _, _ := d.r.Resolve(c)
	if got := tool.(engine.Toucher).Touches(c); len(got) != 5 {
		t.Errorf("touches %v", got)
	}
	d.noLitter()
}

func TestAFailedHunkChangesNothing(t *testing.T) {
	for _, c := range []struct{ name, patch, says string }{
		{"a hunk that is nowhere", "*** Update File: old.txt\n@@\n-gone\n+x\n*** Update File: src/a.go\n@@\n-\treturn 9\n+\treturn 8\n", "was not found in src/a.go"},
		{"a hunk at two places", "*** Update File: old.txt\n@@\n-gone\n+x\n*** Update File: src/a.go\n@@\n-\treturn 1\n+\treturn 8\n", "matches 2 places in src/a.go (lines 4, 8)"},
		{"an anchor that is nowhere", "*** Update File: src/a.go\n@@ func h() int {\n-\treturn 1\n+\treturn 8\n", `no line of the file is "func h() int {"`},
		{"an anchor whose block has it not", "*** Update File: src/a.go\n@@ package a\n-\treturn 1\n+\treturn 8\n", "was not found"},
		{"hunks in the wrong order", "*** Update File: src/a.go\n@@ func g() int {\n-\treturn 1\n+\treturn 8\n@@ func f() int {\n-\treturn 1\n+\treturn 8\n", "src/a.go"},
		{"a file that is not there", "*** Update File: old.txt\n@@\n-gone\n+x\n*** Delete File: src/b.go\n", "there is no src/b.go"},
		{"a new file that is there", "*** Update File: name.txt\n@@\n-one\n+x\n*** Add File: old.txt\n+x\n", "old.txt is there already"},
		{"a move onto a file", "*** Update File: name.txt\n*** Move to: old.txt\n@@\n-one\n+x\n", "old.txt is there already"},
		{"a way upwards", "*** Add File: ../x.txt\n+x\n", "leads upwards"},
		{"one file twice", "*** Update File: old.txt\n@@\n-gone\n+x\n*** Delete File: old.txt\n", "twice"},
		{"no effect", "*** Update File: old.txt\n@@\n gone\n", "nothing changed"},
		{"an addition without a place", "*** Update File: old.txt\n@@\n+x\n", "no line of the file in it"},
		{"no patch at all", "please change old.txt", "unified diff"},
		{"a line without a sign", "*** Update File: old.txt\n@@\ngone\n", "line 3 of the patch"},
	} {
		d := newDesk(t)
		d.four()
		r := d.do("patch", m{"patch": c.patch})
		if r.Status == engine.StatusDone || !strings.Contains(r.Text, c.says) {
			t.Errorf("%s: %s %q", c.name, r.Status, r.Text)
		}
		d.holds("src/a.go", "package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 1\n}\n")
		d.holds("old.txt", "gone\n")
		d.holds("name.txt", "one\r\ntwo\r\n")
		if _, err := os.Stat(filepath.Join(d.dir, "src", "new")); err == nil {
			t.Errorf("%s: something was made", c.name)
		}
	}
}

func TestAWriteThatFailsTakesBackThoseBeforeIt(t *testing.T) {
	d := newDesk(t)
	d.four()
	r := d.do("patch", m{"patch": "*** Update File: old.txt\n@@\n-gone\n+x\n*** Add File: one.txt\n+1\n*** Add File: one.txt/two.txt\n+2\n"})
	expect(t, r, engine.StatusFailed, "No file was changed")
	d.holds("old.txt", "gone\n")
	if _, err := os.Stat(filepath.Join(d.dir, "one.txt")); err == nil {
		t.Error("a file that was made before the failure stays")
	}
}

func TestPlacesOfHunks(t *testing.T) {
	for _, c := range []struct{ name, file, patch, want string }{
		{"two hunks, one after the other", "a\nb\nc\nd\ne\n", "@@\n a\n-b\n+B\n c\n@@\n c\n-d\n+D\n", "a\nB\nc\nD\ne\n"},
		{"the same text twice, in order", "x\na\nx\nb\n", "@@\n x\n-a\n+A\n@@\n-x\n+X\n b\n", "x\nA\nX\nb\n"},
		{"added after an anchor", "a:\n  b\nc:\n  d\n", "@@ c:\n+  e\n", "a:\n  b\nc:\n  e\n  d\n"},
		{"added at the end", "a\r\nb\r\n", "@@\n+c\n*** End of File\n", "a\r\nb\r\nc\r\n"},
		{"the last line has no end", "a\nb", "@@\n a\n-b\n+B\n", "a\nB"},
		{"anchors inside anchors", "class A:\n  def f(self):\n    return 1\nclass B:\n  def f(self):\n    return 1\n", "@@ class B:\n@@ def f(self):\n-    return 1\n+    return 2\n", "class A:\n  def f(self):\n    return 1\nclass B:\n  def f(self):\n    return 2\n"},
		{"tabs for spaces", "if x {\n\tgo()\n}\n", "@@\n if x {\n-    go()\n+    stop()\n }\n", "if x {\n\tstop()\n}\n"},
		{"a removed blank line", "a\n\nb\n", "@@\n a\n-\n b\n", "a\nb\n"},
	} {
		d := newDesk(t)
		d.put("f", c.file)
		r := d.do("patch", m{"patch": "*** Begin Patch\n*** Update File: f\n" + c.patch + "*** End Patch\n"})
		if got, _ := os.ReadFile(filepath.Join(d.dir, "f")); string(got) != c.want || r.Status != engine.StatusDone {
			t.Errorf("%s: %q, want %q: %s", c.name, got, c.want, r.Text)
		}
	}
}

func TestAUnifiedDiffIsTakenByItsTextNotItsNumbers(t *testing.T) {
	d := newDesk(t)
	d.four()
	r := d.do("patch", m{"patch": "diff --git a/src/a.go b/src/a.go\nindex 123..456 100644\n--- a/src/a.go\n+++ b/src/a.go\n@@ -90,5 +90,5 @@ func g()\n }\n \n func g() int {\n-\treturn 1\n+\treturn 7\n }\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n"})
	expect(t, r, engine.StatusDone, "Edited src/a.go", "Deleted old.txt", "Wrote made.txt")
	d.holds("src/a.go", "package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 7\n}\n")
	d.holds("made.txt", "x\ny\n")
}

// Whatever comes, the reader of patches ends, and a file it names has a path.
func FuzzParsePatch(f *testing.F) {
	f.Add(three)
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\n")
	f.Add("```\n*** Begin Patch\n*** Add File: x\n+a\n*** End Patch\n```")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := envelope.Parse(text)
		if err == nil && len(files) == 0 {
			t.Fatal("neither files nor an error")
		}
		for _, one := range files {
			if err == nil && one.Path == "" && one.Kind != envelope.Add {
				t.Fatalf("a file without a path in %q", text)
			}
		}
	})
}

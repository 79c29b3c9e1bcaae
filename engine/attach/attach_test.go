package attach

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder makes files and returns what reads them.
func folder(t *testing.T, files map[string]string) *Files {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Files{Dir: dir, Roots: []string{dir}, Secret: func(p string) bool { return filepath.Base(p) == ".env" }}
}

func TestOnlyWhatExistsIsAReference(t *testing.T) {
	f := folder(t, map[string]string{"main.go": "x", "my notes.txt": "y", "a/b.go": "z"})
	for text, want := range map[string]string{
		"look at @main.go.":                        "main.go",
		"(@a/b.go) and @main.go:2-3, kim@main.go":  "a/b.go main.go:2-3",
		`@"my notes.txt":4 then @"my notes.txt"`:   "my notes.txt:4 my notes.txt",
		"@nobody said @main.go twice: @main.go":    "main.go",
		"@a/ @main.go:0 @main.go:9-3":              "a/ main.go",
		"write to a@b.c, or @ alone, or @@main.go": "",
	} {
		var got []string
		for _, r := range f.Refs(text) {
			got = append(got, r.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAFileItsLinesAndAFolderReachTheModel(t *testing.T) {
	f := folder(t, map[string]string{"main.go": "one\ntwo\nthree\nfour\n", "docs/a.md": "```go\n", "docs/b.md": ""})
	got := f.Expand(context.Background(), "see @main.go:2-3 and @docs/ and @docs/a.md", 0)
	for _, want := range []string{"@main.go:2-3 (lines 2-3 of 4):\n```\ntwo\nthree\n```", "docs/ (folder, 2 files):\na.md\nb.md", "````\n```go\n````"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("%q is not in %s", want, got.Text)
		}
	}
	if strings.Contains(got.Text, "four") || got.Line != "Attached @main.go:2-3 (lines 2-3 of 4), @docs/ (folder, 2 files), @docs/a.md (6 bytes)." {
		t.Errorf("%q", got.Line)
	}
}

func TestALongFileIsSentAsItsTwoEnds(t *testing.T) {
	f := folder(t, map[string]string{"build.log": strings.Repeat("a line of a log\n", 200_000)})
	got := f.Expand(context.Background(), "@build.log", 0)
	if n := len(got.Text); n > wholeBytes+1000 || strings.Count(got.Text, "a line of a log\n") != 2*endLines || !strings.Contains(got.Text, "left out") {
		t.Errorf("%d bytes, %d lines", n, strings.Count(got.Text, "a line of a log\n"))
	}
	if what, err := f.Describe(context.Background(), "build.log"); what != "3.2 MB, first 200 and last 200 lines" || err != nil {
		t.Errorf("%q %v", what, err)
	}
}

func TestWhatIsNotAttachedIsSaid(t *testing.T) {
	f := folder(t, map[string]string{".env": "KEY=1", "blob.bin": "a\x00b", "main.go": "one\n", "big.txt": strings.Repeat("x\n", 5000)})
	out := folder(t, map[string]string{"secret.txt": "s", "shot.png": "p"})
	if err := os.Symlink(filepath.Join(out.Dir, "secret.txt"), filepath.Join(f.Dir, "link.txt")); err != nil {
		t.Skip("no links here")
	}
	text := "@.env @blob.bin @main.go:7 @link.txt @" + out.Dir + "/secret.txt @" + out.Dir + "/shot.png @big.txt"
	got := f.Expand(context.Background(), text, 4000)
	for _, want := range []string{"@.env: it may hold keys", "@blob.bin: it is not text", "@main.go:7: it ends at line 1", "@link.txt: it is outside", "secret.txt: it is outside", "@big.txt: no room"} {
		if !strings.Contains(got.Line, want) {
			t.Errorf("%q is not said: %s", want, got.Line)
		}
	}
	if strings.Contains(got.Text, "KEY") || !strings.Contains(got.Text, "@big.txt was not attached") {
		t.Errorf("%q", got.Text)
	}
}

func TestPathsAreListedWithTheirFolders(t *testing.T) {
	f := folder(t, map[string]string{"src/a/one.go": "", "two.go": "", ".env": "", "node_modules/x.js": ""})
	got, err := f.Paths(context.Background())
	if err != nil || strings.Join(got, " ") != "src/a/one.go two.go src/ src/a/" {
		t.Errorf("%q %v", got, err)
	}
}

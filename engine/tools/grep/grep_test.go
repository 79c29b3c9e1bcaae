package grep

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func project(t *testing.T) string {
	files := map[string]string{
		"a.go": "one\ntwo needle\nthree\nfour\nneedle needle\n", "a/b.go": "needle\r\nother\r\n", "a.b/c.go": "x needle", "z.txt": "no end needle",
		".gitignore": "/top\nout/\n*.tmp\n!keep.tmp\n# comment\n\ndeep/**/gone\n", ".hid/x.go": "needle\n", "top/x": "needle\n", "a/top/x": "needle\n",
		"out/x": "needle\n", "a/out/x": "needle\n", "x.tmp": "needle\n", "keep.tmp": "needle\n", "x.txt": "needle\n",
		"deep/a/b/gone": "needle\n", "deep/a/.gitignore": "!x.tmp\nlocal\n", "deep/a/x.tmp": "needle\n", "deep/a/local": "needle\n", "deep/local": "needle\n",
		"bin": "needle\n\x00", "latin.txt": "caf\xe9 needle \xff\n", "wide.txt": "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00",
		"bom.txt": "\xef\xbb\xbfneedle\n", "long.txt": strings.Repeat("é", 5000) + "needle" + strings.Repeat("ü", 5000) + "\n",
	}
	for i := range 40 {
		files[fmt.Sprintf("many/%02d.txt", i)] = "a\nneedle\nb\nc\nd\nneedle\n"
	}
	return lay(t, files)
}

func query(root, pattern string) Query {
	return Query{Re: regexp.MustCompile(pattern), Root: root, Limit: 1000, Read: func(path string) ([]byte, error) {
		data, err := os.ReadFile(path)
		if strings.HasPrefix(string(data), "\xff\xfe") { // ASCII in UTF-16LE is all that these tests have
			return []byte(strings.ReplaceAll(string(data[2:]), "\x00", "")), err
		}
		return []byte(strings.TrimPrefix(string(data), "\xef\xbb\xbf")), err
	}}
}

// The two searchers must not differ: what a model learns must not hang on a program being installed.
func TestRipgrepAndTheWalkerFindTheSame(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("ripgrep is not installed")
	}
	root := project(t)
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	os.Symlink(filepath.Join(root, "a"), filepath.Join(root, "link"))
	for _, c := range []struct {
		name string
		q    func(*Query)
	}{
		{"all", func(*Query) {}},
		{"context", func(q *Query) { q.Context = 1 }},
		{"wide context", func(q *Query) { q.Context = 3 }},
		{"limit", func(q *Query) { q.Limit = 7 }},
		{"limit within context", func(q *Query) { q.Limit, q.Context = 2, 2 }},
		{"glob", func(q *Query) { q.Glob = "*.go" }},
		{"braces", func(q *Query) { q.Glob = "*.{go,tmp}" }},
		{"glob with a folder", func(q *Query) { q.Glob = "a/**" }},
		{"not", func(q *Query) { q.Glob = "!*.go" }},
		{"glob of ignored files", func(q *Query) { q.Glob = "*.tmp" }},
		{"folder", func(q *Query) { q.Root = filepath.Join(root, "deep") }},
		{"ignored folder", func(q *Query) { q.Root = filepath.Join(root, "out") }},
		{"hidden folder", func(q *Query) { q.Root = filepath.Join(root, ".hid") }},
		{"link", func(q *Query) { q.Root = filepath.Join(root, "link") }},
		{"file", func(q *Query) { q.Root = filepath.Join(root, "a.go") }},
		{"ignored file", func(q *Query) { q.Root = filepath.Join(root, "x.tmp") }},
		{"anchors", func(q *Query) { q.Re = regexp.MustCompile(`^needle$`) }},
		{"nothing", func(q *Query) { q.Re = regexp.MustCompile(`no such text`) }},
		{"any case", func(q *Query) { q.Re = regexp.MustCompile(`(?i)NEEDLE`) }},
	} {
		q := query(root, "needle")
		c.q(&q)
		a, err := ripgrep(context.Background(), rg, q)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if b := walk(context.Background(), q); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: ripgrep\n%s\nwalker\n%s", c.name, brief(a), brief(b))
		}
	}
}

// brief names the files of f with the lines that were kept.
func brief(f Findings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d in %d, unfinished %v:", f.Kept, f.Matches, f.Of, f.Unfinished)
	for _, x := range f.Files {
		fmt.Fprintf(&b, " %s(%d", filepath.Base(x.Path), x.Matches)
		for _, h := range x.Hits {
			fmt.Fprintf(&b, " %d:%.30q:%v", h.Line, h.Text, h.Match)
		}
		b.WriteString(")")
	}
	return b.String()
}

func TestAPatternThatRipgrepDoesNotTakeIsSearchedAllTheSame(t *testing.T) {
	root := lay(t, map[string]string{"a.go": "func main() {\n"})
	if f := Search(context.Background(), query(root, `main() {`)); f.Matches != 0 {
		t.Fatalf("%+v", f)
	}
	if f := Search(context.Background(), query(root, `main\(\) {`)); f.Matches != 1 {
		t.Fatalf("%+v", f)
	}
}

func TestIgnoreFilesAreObeyed(t *testing.T) {
	root := project(t)
	var found []string
	for _, f := range walk(context.Background(), query(root, "needle")).Files {
		rel, _ := filepath.Rel(root, f.Path)
		if !strings.HasPrefix(rel, "many") {
			found = append(found, filepath.ToSlash(rel))
		}
	}
	want := "a/b.go a/top/x a.b/c.go a.go bom.txt deep/a/x.tmp deep/local keep.tmp latin.txt long.txt wide.txt x.txt z.txt"
	if got := strings.Join(found, " "); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

// Git takes braces for themselves; ripgrep does not.
func TestABraceInAnIgnoreFileIsABrace(t *testing.T) {
	root := lay(t, map[string]string{".gitignore": "{x}.txt\n", "x.txt": "needle\n", "{x}.txt": "needle\n"})
	if f := walk(context.Background(), query(root, "needle")); f.Of != 1 || filepath.Base(f.Files[0].Path) != "x.txt" {
		t.Fatal(brief(f))
	}
}

func TestMatchesBeyondTheLimitAreCounted(t *testing.T) {
	q := query(lay(t, map[string]string{"a": strings.Repeat("needle\n", 500), "b": "needle\n"}), "needle")
	q.Limit = 3
	f := walk(context.Background(), q)
	if f.Matches != 501 || f.Of != 2 || f.Kept != 3 || len(f.Files) != 1 || len(f.Files[0].Hits) != 3 {
		t.Fatalf("%d matches in %d files, %d kept", f.Matches, f.Of, f.Kept)
	}
}

func TestH13ALongLineIsClippedAroundItsMatch(t *testing.T) {
	for lead := range 12 {
		for _, fill := range []string{"é", "😀", "x", "\xff"} {
			line := strings.Repeat("y", lead) + strings.Repeat(fill, 3000) + "needle" + strings.Repeat(fill, 3000)
			got := clip(line, strings.Index(line, "needle"))
			if !strings.Contains(got, "needle") || !utf8.ValidString(got) || utf8.RuneCountInString(got) > lineChars+2 {
				t.Fatalf("%q, %d: %q", fill, lead, got)
			}
			if fill != "\xff" && strings.ContainsRune(got, utf8.RuneError) {
				t.Fatalf("%q, %d: a character was cut: %q", fill, lead, got)
			}
		}
	}
	if got := clip("short\r\n", 0); got != "short" {
		t.Fatal(got)
	}
}

func TestAStoppedSearchIsUnfinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if f := walk(ctx, query(project(t), "needle")); !f.Unfinished || f.Matches != 0 {
		t.Fatalf("%+v", f)
	}
}

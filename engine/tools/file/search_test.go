package file

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// tree is a project as people have them.
func (d *desk) tree() {
	d.put("src/a.ts", "let x = 1\nrefreshInFlight()\nlet y = 2\nrefreshInFlight()\nend\n")
	d.put("src/b.ts", "refreshInFlight\r\n")
	d.put("src/b/deep.go", "// refreshInFlight\n")
	d.put("README.md", "nothing here\n")
	d.put("node_modules/x/index.js", "refreshInFlight\n")
	d.put(".hidden/x.ts", "refreshInFlight\n")
	d.put(".gitignore", "node_modules/\n*.log\n!keep.log\n/build\n")
	d.put("a.log", "refreshInFlight\n")
	d.put("keep.log", "kept: refreshInFlight\n")
	d.put("src/build/x.ts", "refreshInFlight\n")
	d.put("build/x.ts", "refreshInFlight\n")
	d.put("bin.dat", "refreshInFlight\n\x00")
}

func TestASearchShowsItsMatchesByFile(t *testing.T) {
	d := newDesk(t)
	d.tree()
	r := d.do("search_files", m{"pattern": "refreshInFlight"})
	want := "keep.log\n1:kept: refreshInFlight\n\nsrc/a.ts\n2:refreshInFlight()\n4:refreshInFlight()\n\nsrc/b/deep.go\n1:// refreshInFlight\n\n" +
		"src/b.ts\n1:refreshInFlight\n\nsrc/build/x.ts\n1:refreshInFlight\n\n6 matches in 5 files."
	if r.Text != want || r.Note != "6 matches in 5 files" {
		t.Fatalf("%s\n--\n%s", r.Text, r.Note)
	}
}

func TestASearchIsNarrowedByPathGlobAndLimit(t *testing.T) {
	d := newDesk(t)
	d.tree()
	r := d.do("search_files", m{"pattern": "refreshInFlight", "file_glob": "*.go"})
	expect(t, r, engine.StatusDone, "src/b/deep.go", "1 match in 1 file.")
	r = d.do("search_files", m{"pattern": "refreshInFlight", "path": "src", "file_glob": "b/**"})
	expect(t, r, engine.StatusDone, "src/b/deep.go", "1 match in 1 file.")
	r = d.do("search_files", m{"pattern": "let", "path": "src/a.ts", "context": 1})
	expect(t, r, engine.StatusDone, "src/a.ts\n1:let x = 1\n2-refreshInFlight()\n3:let y = 2\n4-refreshInFlight()\n\n2 matches")
	r = d.do("search_files", m{"pattern": "refreshInFlight", "limit": 2})
	expect(t, r, engine.StatusDone, "The first 2 of 6 matches in 5 files are shown")
	if strings.Contains(r.Text, "4:") {
		t.Fatal(r.Text)
	}
	r = d.do("search_files", m{"pattern": "refreshInFlight", "path": ".hidden"})
	expect(t, r, engine.StatusDone, ".hidden/x.ts")
	r = d.do("search_files", m{"pattern": "x", "path": "bin.dat"})
	expect(t, r, engine.StatusDone, `Nothing matches "x"`)
}

func TestFilesAreFoundByNameLastChangedFirst(t *testing.T) {
	d := newDesk(t)
	d.tree()
	old := time.Now().Add(-time.Hour)
	os.Chtimes(filepath.Join(d.dir, "src/a.ts"), old, old)
	r := d.do("search_files", m{"pattern": "*.ts", "target": "files"})
	expect(t, r, engine.StatusDone, "src/build/x.ts\n")
	if !strings.HasSuffix(strings.TrimSpace(r.Text), "src/a.ts") || r.Note != "3 files" || strings.Contains(r.Text, "hidden") {
		t.Fatalf("%s\n%s", r.Text, r.Note)
	}
	expect(t, d.do("search_files", m{"pattern": "DEEP", "target": "files"}), engine.StatusDone, "src/b/deep.go")
	expect(t, d.do("search_files", m{"pattern": "src/**/*.go", "target": "files"}), engine.StatusDone, "src/b/deep.go")
	expect(t, d.do("search_files", m{"pattern": "[", "target": "files"}), engine.StatusRefused, "not a valid glob")
	expect(t, d.do("search_files", m{"pattern": "nope*", "target": "files"}), engine.StatusDone, "No file name matches")
}

func TestASearchThatCannotBeMadeSaysWhy(t *testing.T) {
	d := newDesk(t)
	d.tree()
	expect(t, d.do("search_files", m{"pattern": "refresh("}), engine.StatusRefused, "not a valid regular expression", "missing closing )", `refresh\(`)
	expect(t, d.do("search_files", m{"pattern": "(?!a)b"}), engine.StatusRefused, "Look-around")
	expect(t, d.do("search_files", m{"pattern": "x", "path": "scr"}), engine.StatusFailed, "there is no scr", "Similar names: src")
	expect(t, d.do("search_files", m{"pattern": ""}), engine.StatusRefused, "pattern is empty")
	expect(t, d.do("search_files", m{"pattern": "x", "file_glob": "["}), engine.StatusRefused, "not a valid glob")
	expect(t, d.do("search_files", m{"pattern": "x", "target": "symbols"}), engine.StatusRefused, "target")
}

func TestAStoppedSearchEnds(t *testing.T) {
	d := newDesk(t)
	d.tree()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tool, c, _ := d.r.Resolve(d.call("search_files", m{"pattern": "x"}))
	if _, err := tool.Run(ctx, c, nil); err == nil {
		t.Fatal("a cancelled search has a result")
	}
}

func TestABigAnswerIsSpilled(t *testing.T) {
	d := newDesk(t)
	d.put("a.txt", strings.Repeat("needle "+strings.Repeat("x", 280)+"\n", 900))
	r := d.do("search_files", m{"pattern": "needle", "limit": 1000})
	if r.Spill == "" || r.Note != "900 matches in 1 file" {
		t.Fatalf("%q %q", r.Spill, r.Note)
	}
}

package feed

import (
	"testing"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

func sheet(t *testing.T) style.Sheet {
	t.Helper()
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return style.New(theme, false)
}

// What the lines of calls and their results name is known; what was cut, or could be several files, is not.
func TestTheFilesThatToolsWorkedOnAreKnown(t *testing.T) {
	f := New(sheet(t))
	began := func(tool, line string) {
		f.On(engine.CallBegan{Call: engine.Call{ID: line, Name: tool}, Line: line}, false)
	}
	began("read_file", "Read src/cart.ts")
	began("patch", "Edit 2 files: a/x.go, b/y.go")
	began("search_files", `Search "in src/no" in lib/deep`)
	began("terminal", "$ cat secret.txt")
	began("read_file", "Read docs/README.md")
	began("read_file", "Read README.md")
	began("read_file", "Read very/long…")
	f.On(engine.CallEnded{Result: engine.Result{CallID: "Edit 2 files: a/x.go, b/y.go", Name: "patch", Changed: []string{"/w/a/x.go"}}}, false)
	for word, want := range map[string]string{"src/cart.ts": "src/cart.ts", "cart.ts": "src/cart.ts", "a/x.go": "a/x.go", "x.go": "/w/a/x.go", "/w/a/x.go": "/w/a/x.go", "lib/deep": "lib/deep",
		"src/…t.ts": "src/cart.ts", "README.md": "README.md", "docs/README.md": "docs/README.md", "secret.txt": "", "very/long…": "", "…": "", "src/no": ""} {
		if got, ok := f.Paths().Find(word, "…"); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", word, got, ok, want)
		}
	}
	f.Prepend([]engine.Record{{Event: engine.CallBegan{Call: engine.Call{ID: "o", Name: "read_file"}, Line: "Read old.txt"}}})
	if _, ok := f.Paths().Find("old.txt", ""); !ok {
		t.Error("what was read back is not known")
	}
	f.On(engine.Opened{}, false)
	if !f.Paths().Empty() {
		t.Error("another session knows the files of the one before")
	}
}

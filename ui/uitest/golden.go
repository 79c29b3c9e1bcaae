package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// Golden compares the screen with testdata/NAME.txt.
func (s *Screen) Golden(name string) {
	s.t.Helper()
	golden(s.t, name+".txt", s.Text()+"\n")
}

func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if string(want) != got {
		t.Errorf("the screen differs from %s; -update writes it anew.\n--- want\n%s--- got\n%s", path, want, got)
	}
}

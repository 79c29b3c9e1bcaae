package journal

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// TestAnyPageIsFoundReadingBackwards: between the records stand row lines, damaged lines, and lines longer than what is
// read at a time; the end is torn.
func TestAnyPageIsFoundReadingBackwards(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	if err := os.MkdirAll(Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	row, err := encodeRowLine(Row{Session: engine.Session{ID: "one"}}, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var file []byte
	const all = 400
	for seq := uint64(1); seq <= all; seq++ {
		switch r.IntN(6) {
		case 0:
			file = append(file, seal(row)...)
		case 1:
			file = append(file, "no line of ours\n"...)
		}
		size := r.IntN(200)
		if r.IntN(20) == 0 {
			size = 300_000
		}
		file = append(file, seal(entryOf(t, strings.Repeat("x", size), seq).Body)...)
	}
	torn := seal(entryOf(t, "torn", all+1).Body)
	if err := os.WriteFile(Path(dir, "one"), append(file, torn[:len(torn)-9]...), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		seq, n := uint64(r.IntN(all+20)), 1+r.IntN(40)
		recs, err := Before(dir, "one", seq, n)
		if err != nil {
			t.Fatal(err)
		}
		last := uint64(all)
		if seq > 0 {
			last = min(last, seq-1)
		}
		if len(recs) < min(n, int(last)) {
			t.Fatalf("%d records before %d, %d wanted", len(recs), seq, n)
		}
		for i, e := range recs {
			if want := last - uint64(len(recs)-1-i); e.Seq != want {
				t.Fatalf("before %d: record %d where %d belongs", seq, e.Seq, want)
			}
		}
	}
}

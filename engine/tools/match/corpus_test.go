package match

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpusEdit is one edit of testdata/corpus: what a model sends for a file, and what must become of it. From and To are
// the lines that Want takes the place of; Refuse means that nothing may change.
type corpusEdit struct {
	Kind, File, Old, New string
	All, Refuse          bool
	From, To             int
	Want                 string
}

func corpus(t testing.TB) (edits []corpusEdit, files map[string][]byte) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "corpus", "edits.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files = map[string][]byte{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e corpusEdit
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if files[e.File] == nil {
			if files[e.File], err = os.ReadFile(filepath.Join("testdata", "corpus", e.File+".txt")); err != nil {
				t.Fatal(err)
			}
		}
		edits = append(edits, e)
	}
	return edits, files
}

// wanted is the whole file as it must be after e.
func (e corpusEdit) wanted(file []byte) []byte {
	if e.Refuse {
		return file
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	head, tail := bytes.Join(lines[:e.From-1], nil), bytes.Join(lines[e.To:], nil)
	return slices.Concat(head, []byte(e.Want), tail)
}

// TestL10NoEditOfTheCorpusLandsInAWrongPlace makes every edit of the corpus. An edit in a wrong place, or in the right
// place with a wrong text, fails; so does one that must be refused and is made. What is missed is counted, and few may be.
func TestL10NoEditOfTheCorpusLandsInAWrongPlace(t *testing.T) {
	edits, files := corpus(t)
	wrong, missed, made, refused := 0, 0, 0, 0
	hits := map[string]int{}
	for i, e := range edits {
		file := files[e.File]
		got := file
		found, how, err := Find(file, e.Old, e.New, e.All)
		if err == nil {
			got = Splice(file, found)
		}
		switch {
		case err != nil && e.Refuse:
			refused++
		case err != nil:
			missed++
			t.Logf("edit %d (%s of %s, lines %d-%d) was not found: %v\n%s", i+1, e.Kind, e.File, e.From, e.To, err, e.Old)
		case !bytes.Equal(got, e.wanted(file)):
			wrong++
			t.Errorf("edit %d (%s of %s) by %q gave\n%s", i+1, e.Kind, e.File, how, firstDifference(got, e.wanted(file)))
		default:
			made++
			name, _, _ := strings.Cut(how, ":")
			if _, more, ok := strings.Cut(how, "; "); ok {
				also, _, _ := strings.Cut(more, ":")
				name += " + " + also
			}
			if name == "" {
				name = "exact"
			}
			hits[name]++
		}
	}
	t.Logf("%d edits: %d made, %d refused as they must be, %d missed, %d in a wrong place", len(edits), made, refused, missed, wrong)
	for _, name := range slices.Sorted(maps.Keys(hits)) {
		t.Logf("%4d by %s", hits[name], name)
	}
	if len(edits) < 150 || missed*20 > made {
		t.Errorf("%d edits, %d of them missed", len(edits), missed)
	}
}

func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d: %q\nwant    %q", i+1, a[i:min(i+4, len(a))], b[min(i, len(b)):min(i+4, len(b))])
		}
	}
	return "fewer lines"
}

// FuzzCorpus makes edits of the corpus on files of the corpus after random damage: an edit that is made puts its text
// where old, or something that differs from it in white space, typography, escapes or line numbers only, stood.
func FuzzCorpus(f *testing.F) {
	edits, files := corpus(f)
	for i := range edits {
		f.Add(uint16(i), uint16(i*7), "x")
	}
	f.Fuzz(func(t *testing.T, which, at uint16, put string) {
		e := edits[int(which)%len(edits)]
		file := bytes.Clone(files[e.File])
		p := int(at) % (len(file) + 1)
		file = slices.Concat(file[:p], []byte(put), file[p:])
		found, how, err := Find(file, e.Old, e.New, false)
		if err != nil {
			return
		}
		if len(found) != 1 {
			t.Fatalf("%d edits", len(found))
		}
		if how == "" && bytes.Count([]byte(LF(string(file))), []byte(LF(e.Old))) < 1 {
			t.Fatal("found exactly, but it is not there")
		}
		// whatever stood in the place is the same letters and digits as what was asked for
		gone := letters(string(file[found[0].Start:found[0].End]))
		if asked := letters(e.Old); !strings.Contains(asked, gone) && !strings.Contains(how, "escape_normalised") {
			t.Fatalf("by %q %q was replaced for %q", how, gone, asked)
		}
	})
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, s)
}

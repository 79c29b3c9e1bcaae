package picker

import (
	"slices"
	"testing"
)

func TestWhatIsFoundStandsOut(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        [][2]int
	}{
		{"mod", "/model", [][2]int{{1, 4}}}, {"vrb", "/verbosity", [][2]int{{1, 2}, {3, 4}, {4, 5}}}, {"", "/new", nil}, {"zz", "/new", nil},
		{"b a", "a-b", [][2]int{{0, 1}, {2, 3}}}, {"ab abc", "abc", [][2]int{{0, 2}}}, {"é", "caÉ", [][2]int{{2, 4}}},
	} {
		if got := pieces(c.query, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.query, c.text, got, c.want)
		}
	}
}

package soak

import (
	"slices"
	"testing"
)

func TestAPartOfAMatrixIsAlwaysTheSameAndASoakTakesAll(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	t.Setenv("TALARIA_SOAK", "")
	if got := Every(all, 4, 5); !slices.Equal(got, []int{1, 5, 9}) {
		t.Errorf("each fourth from the second: %v", got)
	}
	t.Setenv("TALARIA_SOAK", "1")
	if got := Every(all, 4, 5); !slices.Equal(got, all) {
		t.Errorf("a soak: %v", got)
	}
}

package stars

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFavouriteModelsAreKept(t *testing.T) {
	f := File(filepath.Join(t.TempDir(), "data", "favourites"))
	if refs, err := f.Starred(); err != nil || refs != nil {
		t.Fatalf("%v, %v", refs, err)
	}
	for _, step := range []struct {
		ref  string
		on   bool
		want []string
	}{{"a/x", true, []string{"a/x"}}, {"b/y:z", true, []string{"a/x", "b/y:z"}}, {"a/x", true, []string{"b/y:z", "a/x"}}, {"b/y:z", false, []string{"a/x"}}} {
		if err := f.Star(step.ref, step.on); err != nil {
			t.Fatal(err)
		}
		if refs, err := f.Starred(); err != nil || !slices.Equal(refs, step.want) {
			t.Errorf("after %+v: %v, %v", step, refs, err)
		}
	}
	if info, err := os.Stat(string(f)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

package file

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine/tools/match"
)

const (
	similarNames    = 5      // names that are suggested
	similarLikeness = 0.5    // below this a name is no suggestion
	similarScan     = 20_000 // names of a directory that are looked at
)

// missing says that there is no file at path, absolute, and what it may have been called instead.
func (w space) missing(path, name string) error {
	dir, base := filepath.Dir(path), filepath.Base(path)
	for {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			break
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir, base = parent, filepath.Base(dir)
			continue
		}
		break
	}
	text := fmt.Sprintf("there is no %s", name)
	if dir != filepath.Dir(path) {
		text += fmt.Sprintf("; the folder %s exists, %s in it does not", w.Rel(dir), base)
	}
	if names := similar(dir, base); len(names) > 0 {
		for i := range names {
			names[i] = w.Rel(filepath.Join(dir, names[i]))
		}
		text += ". Similar names: " + strings.Join(names, ", ")
	}
	return fmt.Errorf("%s", text)
}

// similar returns the names in dir that are most like base, the best first.
func similar(dir, base string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(similarScan)
	type scored struct {
		name  string
		score float64
	}
	var found []scored
	want := strings.ToLower(base)
	stem := strings.TrimSuffix(want, filepath.Ext(want))
	for _, n := range names {
		low := strings.ToLower(n)
		score := match.Likeness(low, want)
		if stem != "" && len(stem) > 2 && strings.Contains(low, stem) {
			score = max(score, 0.8) // same name, another ending
		}
		if score >= similarLikeness {
			found = append(found, scored{n, score})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.name, b.name))
	})
	var out []string
	for _, f := range found[:min(len(found), similarNames)] {
		out = append(out, f.name)
	}
	return out
}

package adopt

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// nameLength is how many characters of a name are shown.
const nameLength = 60

// Name is what a session is called, or how it begins, on one line.
func (h Head) Name() string {
	text := h.Title
	if text == "" {
		text = h.First
	}
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > nameLength {
		r = append(r[:nameLength-1], '…')
	}
	return string(r)
}

// Troubles says what of a session cannot be taken over, "" when all can.
func (h Head) Troubles() string {
	var parts []string
	if n := h.Skips(); n > 0 {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(h.Skipped)) {
			kinds = append(kinds, fmt.Sprintf("%s %d", kind, h.Skipped[kind]))
		}
		parts = append(parts, fmt.Sprintf("unknown records skipped: %d, namely %s", n, strings.Join(kinds, ", ")))
	}
	if h.Damaged > 0 {
		parts = append(parts, fmt.Sprintf("damaged lines skipped: %d", h.Damaged))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, "; ") + ")"
}

// Pick finds the session that arg names: a file, an id, or the beginning of one, at least four characters of it.
func Pick(arg string, sources []Source) (Source, error) {
	if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
		path, err := filepath.Abs(arg)
		if err != nil {
			return Source{}, err
		}
		if at := slices.IndexFunc(sources, func(s Source) bool { return s.Path == path }); at >= 0 {
			return sources[at], nil
		}
		return Of(path)
	}
	const least = 4
	var fits []Source
	for _, s := range sources {
		name := strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
		for _, id := range []string{name, strings.TrimPrefix(name, "session_"), lastID(name)} {
			if arg == id {
				return s, nil
			}
			if len(arg) >= least && strings.HasPrefix(id, arg) && !slices.Contains(fits, s) {
				fits = append(fits, s)
			}
		}
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		return Source{}, fmt.Errorf("no file and no session of another program is called %q. talaria sessions import lists them", arg)
	}
	return Source{}, fmt.Errorf("%d sessions of other programs begin with %q: give more of the id", len(fits), arg)
}

// lastID is the id at the end of the name of a file of Codex, rollout-2026-01-02T03-04-05-ID.
func lastID(name string) string {
	const stamp = len("rollout-2006-01-02T15-04-05-")
	if strings.HasPrefix(name, "rollout-") && len(name) > stamp {
		return name[stamp:]
	}
	return name
}

package editor

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"talaria/themes"
	"talaria/ui/screen"
)

func state(t *testing.T) *screen.State {
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return screen.New(screen.Deps{Theme: func(bool, bool) themes.Theme { return theme }})
}

// TestAKilledEditorLosesNothing runs an editor that saves a part and is killed, or saves nothing, or empties the file.
func TestAKilledEditorLosesNothing(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"ends well":               {`printf 'better\n' >"$1"`, "better"},
		"killed with nothing":     {`kill -9 $$`, "a draft"},
		"killed after a save":     {`printf 'half\n' >"$1"; kill -9 $$`, "half"},
		"killed with empty file":  {`: >"$1"; kill -9 $$`, "a draft"},
		"emptied by the user":     {`: >"$1"`, ""},
		"the file was taken away": {`rm "$1"`, "a draft"},
	} {
		t.Run(name, func(t *testing.T) {
			s := state(t)
			s.Prompt.SetValue("a draft")
			r := write(s.Prompt.Value())
			if r.err != nil {
				t.Fatal(r.err)
			}
			info, err := os.Stat(r.path)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("%v %v", info, err)
			}
			fail := exec.Command("/bin/sh", "-c", c.script, "ed", r.path).Run()
			take(s, finished(r, fail))
			if got := s.Prompt.Value(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if _, err := os.Stat(filepath.Dir(r.path)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file is still there: %v", err)
			}
			if s.Prompt.Value() != "a draft" && (len(s.Prompt.Drafts()) != 1 || s.Prompt.Drafts()[0] != "a draft") {
				t.Errorf("the former text is not among the drafts: %q", s.Prompt.Drafts())
			}
		})
	}
}

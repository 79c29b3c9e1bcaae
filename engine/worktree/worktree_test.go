package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repository is one with a commit, and a directory below.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, v := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
	t.Setenv("HOME", t.TempDir())
	for k, v := range map[string]string{"GIT_AUTHOR_NAME": "M", "GIT_AUTHOR_EMAIL": "m@x", "GIT_COMMITTER_NAME": "M", "GIT_COMMITTER_EMAIL": "m@x"} {
		t.Setenv(k, v)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(root, "shop")
	put(t, filepath.Join(root, "sub", "a.txt"), "one\n")
	put(t, filepath.Join(root, ".gitignore"), "*.log\n")
	must(t, root, "init", "-q")
	must(t, root, "add", ".")
	must(t, root, "commit", "-q", "-m", "first")
	return root
}

func must(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := git(t.Context(), dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAWorktreeStandsApartAndGoesWhenNothingWasDone(t *testing.T) {
	root := repository(t)
	put(t, filepath.Join(root, "sub", "a.txt"), "changed, not committed\n")
	put(t, filepath.Join(root, ".git", "hooks", "post-checkout"), "#!/bin/sh\ntouch "+root+"/hook-ran\n")
	if err := os.Chmod(filepath.Join(root, ".git", "hooks", "post-checkout"), 0o755); err != nil {
		t.Fatal(err)
	}
	w, err := Make(t.Context(), filepath.Join(root, "sub"), "fix", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if w.Root != root+".worktrees/fix" || w.Dir != w.Root+"/sub" || must(t, w.Dir, "symbolic-ref", "--short", "HEAD") != "talaria/fix" {
		t.Errorf("%+v", w)
	}
	if text, err := os.ReadFile(filepath.Join(w.Dir, "a.txt")); err != nil || string(text) != "one\n" {
		t.Errorf("a.txt: %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(root, "hook-ran")); err == nil {
		t.Error("a hook of the repository ran")
	}
	if _, err := Make(t.Context(), root, "fix", time.Now()); err == nil || !strings.Contains(err.Error(), "there is one called fix") {
		t.Errorf("a name that is taken: %v", err)
	}
	put(t, filepath.Join(w.Root, "x.log"), "ignored")
	if w.Close(t.Context()) {
		t.Error("nothing was done, and it stays")
	}
	if _, err := os.Stat(root + ".worktrees"); err == nil {
		t.Error("its directory is left")
	}
	if left := must(t, root, "branch", "--list", "talaria/*"); left != "" {
		t.Errorf("branches are left: %s", left)
	}
}

func TestAWorktreeWithWorkStays(t *testing.T) {
	for name, work := range map[string]func(t *testing.T, w Tree){
		"changed": func(t *testing.T, w Tree) { put(t, filepath.Join(w.Root, "sub", "a.txt"), "two\n") },
		"new":     func(t *testing.T, w Tree) { put(t, filepath.Join(w.Root, "b.txt"), "two\n") },
		"commit": func(t *testing.T, w Tree) {
			put(t, filepath.Join(w.Root, "b.txt"), "two\n")
			must(t, w.Root, "add", ".")
			must(t, w.Root, "commit", "-q", "-m", "second")
		},
		"other-branch": func(t *testing.T, w Tree) { must(t, w.Root, "checkout", "-q", "-b", "mine") },
		"gone":         func(t *testing.T, w Tree) { os.RemoveAll(w.Root) },
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			w, err := Make(t.Context(), root, name, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			work(t, w)
			if !w.Close(t.Context()) {
				t.Error("it was taken away")
			}
			if must(t, root, "branch", "--list", w.Branch) == "" || !strings.Contains(w.Told(), w.Root) {
				t.Error("its branch is gone")
			}
		})
	}
}

func TestAWorktreeThatCannotBeMadeSaysWhy(t *testing.T) {
	root := repository(t)
	for _, name := range []string{"../out", "a/b", "-x", "a..b", "x.lock", strings.Repeat("a", 70)} {
		if _, err := Make(t.Context(), root, name, time.Now()); err == nil || !strings.Contains(err.Error(), "is no name for one") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := Make(t.Context(), t.TempDir(), "x", time.Now()); err == nil || !strings.Contains(err.Error(), "no git repository") {
		t.Errorf("outside a repository: %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	must(t, empty, "init", "-q")
	if _, err := Make(t.Context(), empty, "x", time.Now()); err == nil || !strings.Contains(err.Error(), "no commit yet") {
		t.Errorf("a repository without a commit: %v", err)
	}
	must(t, root, "branch", "talaria/taken")
	if _, err := Make(t.Context(), root, "taken", time.Now()); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a branch of that name: %v", err)
	}
	at := time.Date(2026, 12, 1, 5, 6, 7, 0, time.UTC)
	if w, err := Make(t.Context(), root, "", at); err != nil || filepath.Base(w.Root) != "20261201-050607" {
		t.Errorf("without a name: %+v, %v", w, err)
	}
}

// Package worktree makes a fresh git worktree to work in, so that an agent's changes stand apart from the user's own until
// they are wanted, and takes one away again in which nothing was done.
//
// It refuses to touch what is there: a name that is taken is an error, and a worktree with changes or commits stays.
package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Tree is a worktree. Root is its directory, Dir the place in it that corresponds to where it was asked for, Branch what it
// is on. Repo is the worktree that it was made from.
type Tree struct {
	Root, Dir, Branch, Repo string

	base string // the commit that it began at
}

// gitTime is how long git may take; checking out a large repository takes a while.
const gitTime = 5 * time.Minute

// named is what a name may be: it becomes a directory and a part of a branch.
var named = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Make makes a worktree of the repository that dir is in, at its newest commit, on the new branch talaria/NAME. It lies in
// REPOSITORY.worktrees/NAME beside the repository. Without a name the moment names it. Uncommitted changes are not in it.
func Make(ctx context.Context, dir, name string, now time.Time) (Tree, error) {
	if name == "" {
		name = now.Format("20060102-150405")
	}
	if !named.MatchString(name) || strings.HasSuffix(name, ".lock") || strings.Contains(name, "..") {
		return Tree{}, fmt.Errorf("make a worktree: %q is no name for one. Letters, digits, dots, - and _ may be in it", name)
	}
	root, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if errors.Is(err, exec.ErrNotFound) {
		return Tree{}, errors.New("make a worktree: git is not installed")
	}
	if err != nil {
		return Tree{}, fmt.Errorf("make a worktree: %s is in no git repository that has files: %w", dir, err)
	}
	base, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return Tree{}, fmt.Errorf("make a worktree of %s: it has no commit yet. Commit something first", root)
	}
	t := Tree{Root: filepath.Join(root+".worktrees", name), Branch: "talaria/" + name, Repo: root, base: base}
	if _, err := os.Lstat(t.Root); err == nil {
		return Tree{}, fmt.Errorf("make a worktree: there is one called %s, at %s. Go there to work on in it, or give another name", name, t.Root)
	}
	if _, err := git(ctx, root, "worktree", "add", "--quiet", "-b", t.Branch, t.Root, base); err != nil {
		return Tree{}, fmt.Errorf("make a worktree at %s: %w", t.Root, err)
	}
	t.Dir = t.Root
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		if below, err := filepath.Rel(root, real); err == nil && !strings.HasPrefix(below, "..") {
			if info, err := os.Stat(filepath.Join(t.Root, below)); err == nil && info.IsDir() {
				t.Dir = filepath.Join(t.Root, below)
			}
		}
	}
	return t, nil
}

// Close takes the worktree and its branch away if nothing was done in it: no commit, no change, no file that git does not
// ignore. It returns whether it stays; where that cannot be told, it does.
func (t Tree) Close(ctx context.Context) (kept bool) {
	head, err := git(ctx, t.Root, "rev-parse", "HEAD")
	if err != nil || head != t.base {
		return true
	}
	on, err := git(ctx, t.Root, "symbolic-ref", "--short", "HEAD")
	if err != nil || on != t.Branch {
		return true
	}
	changes, err := git(ctx, t.Root, "status", "--porcelain", "--untracked-files=all")
	if err != nil || changes != "" {
		return true
	}
	if _, err := git(ctx, t.Repo, "worktree", "remove", t.Root); err != nil { // git looks once more, and refuses
		return true
	}
	_, _ = git(ctx, t.Repo, "branch", "--quiet", "-d", t.Branch) // an empty branch is no harm
	_ = os.Remove(filepath.Dir(t.Root))                          // if that was the last one
	return false
}

// Told says where the work is, for a worktree that stays.
func (t Tree) Told() string {
	return fmt.Sprintf("The work is in %s, on the branch %s.\nTake it over: git merge %s   Throw it away: git worktree remove --force %s && git branch -D %s", t.Root, t.Branch, t.Branch, t.Root, t.Branch)
}

// git runs git and returns what it printed. Hooks and monitors that the repository names are not run: nobody was asked
// about them.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(errs.String()); text != "" {
			return "", fmt.Errorf("git %s: %s", args[0], text)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(out.String()), nil
}

// Enter makes a worktree of the repository that this process is in and goes there; from is where it was. Leave goes back,
// takes the worktree away if nothing was done in it, and else tells out where the work is.
func Enter(ctx context.Context, name string) (leave func(out io.Writer), from string, err error) {
	if from, err = os.Getwd(); err != nil {
		return nil, "", fmt.Errorf("make a worktree: %w", err)
	}
	t, err := Make(ctx, from, name, time.Now())
	if err != nil {
		return nil, "", err
	}
	leave = func(out io.Writer) {
		_ = os.Chdir(from) // what is in it cannot be taken away everywhere
		if t.Close(ctx) {
			fmt.Fprintln(out, t.Told())
		}
	}
	if err := os.Chdir(t.Dir); err != nil {
		leave(io.Discard)
		return nil, "", fmt.Errorf("go to the worktree: %w", err)
	}
	return leave, from, os.Setenv("PWD", t.Dir)
}

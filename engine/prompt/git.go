package prompt

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Git returns the root of the repository that holds dir and its branch, by reading .git without running anything.
// Both are "" outside a repository; a detached head has the first letters of its commit as branch.
func Git(dir string) (root, branch string) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if meta, err := gitDir(filepath.Join(at, ".git")); err == nil {
			return at, headOf(meta)
		}
		if at == filepath.Dir(at) {
			return "", ""
		}
	}
}

// gitDir is the directory that meta is or, in a worktree, names. An error says that there is no repository.
func gitDir(meta string) (string, error) {
	info, err := os.Stat(meta)
	if err != nil || info.IsDir() {
		return meta, err
	}
	data, err := os.ReadFile(meta)
	if err != nil {
		return meta, nil // there is one, of which nothing is known
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if ok && !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(meta), to)
	}
	return to, nil
}

// headOf reads HEAD of a repository's directory.
func headOf(meta string) string {
	data, err := os.ReadFile(filepath.Join(meta, "HEAD"))
	if err != nil {
		return ""
	}
	head := strings.TrimSpace(string(data))
	if branch, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
		return branch
	}
	if len(head) >= 12 && !strings.Contains(head, " ") {
		return head[:12]
	}
	return ""
}

// Worktrees returns the roots of all worktrees of the repository that dir is in, its own included; none outside one.
func Worktrees(dir string) []string {
	root, _ := Git(dir)
	if root == "" {
		return nil
	}
	common := filepath.Join(root, ".git")
	if data, err := os.ReadFile(common); err == nil { // a worktree: the file leads to COMMON/worktrees/NAME
		to, _ := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if !filepath.IsAbs(to) {
			to = filepath.Join(root, to)
		}
		if filepath.Base(filepath.Dir(to)) != "worktrees" {
			return []string{root} // a submodule is a repository of its own
		}
		common = filepath.Dir(filepath.Dir(to))
	}
	roots := []string{root}
	add := func(r string) {
		if r = filepath.Clean(r); !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	if filepath.Base(common) == ".git" {
		add(filepath.Dir(common))
	}
	trees, _ := os.ReadDir(filepath.Join(common, "worktrees")) // without that folder there are none
	for _, t := range trees {
		if data, err := os.ReadFile(filepath.Join(common, "worktrees", t.Name(), "gitdir")); err == nil {
			add(filepath.Dir(strings.TrimSpace(string(data))))
		}
	}
	return roots
}

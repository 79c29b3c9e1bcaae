package prompt

import (
	"os"
	"path/filepath"
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

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
		meta := filepath.Join(at, ".git")
		if info, err := os.Stat(meta); err == nil {
			return at, headOf(meta, info.IsDir())
		}
		if at == filepath.Dir(at) {
			return "", ""
		}
	}
}

// headOf reads HEAD. In a worktree .git is a file that says where the directory is.
func headOf(meta string, isDir bool) string {
	if !isDir {
		data, err := os.ReadFile(meta)
		to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if err != nil || !ok {
			return ""
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(meta), to)
		}
		meta = to
	}
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

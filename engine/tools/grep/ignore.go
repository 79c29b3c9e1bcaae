package grep

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreFiles are read in each directory; a later one overrides an earlier one.
var ignoreFiles = []string{".gitignore", ".ignore", ".rgignore"}

// ignore knows which files of a tree the ignore files of git and ripgrep leave out.
type ignore struct {
	read  func(path string) ([]byte, error)
	rules map[string][]ignoreRule // by the directory whose files they came from
	dirs  []string                // with rules, outermost first, as they were entered
}

type ignoreRule struct {
	glob    string // relative to the directory of the file
	negated bool
	dirOnly bool
}

// newIgnore reads the ignore files above root, up to the top of its repository.
func newIgnore(root string, read func(string) ([]byte, error)) *ignore {
	ig := &ignore{read: read, rules: map[string][]ignoreRule{}}
	var above []string
	for dir := root; !hasGit(dir); {
		parent := filepath.Dir(dir)
		if parent == dir {
			above = nil // no repository: files far above have no say
			break
		}
		dir = parent
		above = append(above, dir)
	}
	for i := len(above) - 1; i >= 0; i-- {
		ig.enter(above[i])
	}
	return ig
}

func hasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// enter reads the ignore files of dir. Directories are entered before what is in them.
func (ig *ignore) enter(dir string) {
	var rules []ignoreRule
	for _, name := range ignoreFiles {
		data, err := ig.read(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			if r, ok := parseIgnore(line); ok {
				rules = append(rules, r)
			}
		}
	}
	if rules != nil {
		ig.rules[dir] = rules
		ig.dirs = append(ig.dirs, dir)
	}
}

// parseIgnore reads one line as gitignore(5) has it.
func parseIgnore(line string) (ignoreRule, bool) {
	line = strings.TrimSuffix(line, "\r")
	if kept := strings.TrimRight(line, " "); !strings.HasSuffix(kept, `\`) {
		line = kept
	}
	if line == "" || strings.HasPrefix(line, "#") {
		return ignoreRule{}, false
	}
	var r ignoreRule
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	r.glob = braces.Replace(strings.TrimPrefix(line, "/"))
	if !anchored {
		r.glob = "**/" + r.glob
	}
	return r, r.glob != "" && doublestar.ValidatePattern(r.glob)
}

// braces are ordinary characters in an ignore file.
var braces = strings.NewReplacer("{", `\{`, "}", `\}`)

// ignored reports whether path is left out: the last rule that fits decides, an inner directory over an outer one.
func (ig *ignore) ignored(path string, isDir bool) bool {
	for i := len(ig.dirs) - 1; i >= 0; i-- {
		rel, err := filepath.Rel(ig.dirs[i], path)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		rules := ig.rules[ig.dirs[i]]
		for j := len(rules) - 1; j >= 0; j-- {
			if rules[j].fits(filepath.ToSlash(rel), isDir) {
				return !rules[j].negated
			}
		}
	}
	return false
}

func (r ignoreRule) fits(rel string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	ok, _ := doublestar.Match(r.glob, rel) // checked when it was read
	return ok
}

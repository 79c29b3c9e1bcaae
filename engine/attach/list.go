package attach

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mostPaths bounds what is listed for the prompt's popup.
const mostPaths = 50_000

// gitTime bounds git, which may have a cold disk to read.
const gitTime = 5 * time.Second

// Paths lists what can be named: files in git's order with what is new, without what git ignores; outside a repository,
// a walk. Folders come after the files, each once, and end in "/". Files that hold keys are not among them.
func (f *Files) Paths(ctx context.Context) ([]string, error) {
	all, err := list(ctx, f.Dir)
	if f.Secret != nil {
		all = slices.DeleteFunc(all, func(p string) bool { return f.Secret(filepath.Join(f.Dir, p)) })
	}
	return all, err
}

func list(ctx context.Context, dir string) ([]string, error) {
	names, ok := byGit(ctx, dir)
	if !ok {
		var err error
		if names, err = walk(ctx, dir); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	var folders []string
	for _, n := range names {
		for d := path.Dir(n); d != "." && d != "/" && !seen[d]; d = path.Dir(d) {
			seen[d] = true
			folders = append(folders, d+"/")
		}
	}
	slices.Sort(folders)
	return append(names, folders...), nil
}

// byGit asks git. No program that the repository names is run for it.
func byGit(ctx context.Context, dir string) ([]string, bool) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if names[0] == "" {
		return nil, false // an ignored folder, perhaps: look for yourself
	}
	return names[:min(len(names), mostPaths)], true
}

// passedOver are folders that hold what nobody wrote.
var passedOver = map[string]bool{".git": true, "node_modules": true, ".venv": true, "__pycache__": true, "target": true, ".cache": true}

func walk(ctx context.Context, dir string) ([]string, error) {
	var names []string
	done := errors.New("enough")
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == dir:
			return why(err)
		case err != nil:
			return nil // a folder that cannot be read is not listed
		case d.IsDir() && p != dir && passedOver[d.Name()]:
			return fs.SkipDir
		case d.IsDir():
			return nil
		case len(names) >= mostPaths:
			return done
		}
		if rel, err := filepath.Rel(dir, p); err == nil {
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	if errors.Is(err, done) {
		err = nil
	}
	return names, err
}

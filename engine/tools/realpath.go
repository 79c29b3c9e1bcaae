package tools

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links Real follows; Linux gives up after as many.
const maxLinks = 40

// Real returns where an absolute path leads once all links are followed. Of a path that does not exist wholly, the
// part that does is followed, a dangling link at its end included: the answer is the place where a write would land.
// A circle of links cannot be opened by anybody and comes back as it was given.
func Real(path string) string {
	path = filepath.Clean(path)
	volume := filepath.VolumeName(path)
	root := volume + string(filepath.Separator)
	done, rest := root, split(path[len(volume):])
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." { // only out of a link's text: here the parent is the real one
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, name)
		info, err := os.Lstat(next)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			done = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return path
		}
		if filepath.IsAbs(target) {
			done = filepath.VolumeName(target) + string(filepath.Separator)
			target = target[len(filepath.VolumeName(target)):]
		}
		rest = append(split(target), rest...)
	}
	return done
}

// split returns the names of a path; "." and empty ones carry nothing.
func split(path string) []string {
	var names []string
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if name != "" && name != "." {
			names = append(names, name)
		}
	}
	return names
}

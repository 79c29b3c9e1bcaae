// Package hint gives the model the instructions of a directory when it first works there: an AGENTS.md below the session's
// directory rides on the result of the tool that touched a file beside it, so that the system prompt stays as it is.
//
// It refuses everything outside the trusted directory, and to say the same thing twice.
package hint

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/prompt"
)

// Bounds of what one call looks at and brings.
const (
	mostUp    = 5 // directories above the touched one
	mostWords = 40
	mostHints = 3
)

// Hints remembers which directories a conversation knows of. Root is the trusted directory, "" while nothing may be read;
// its own instructions stand in the prompt already. Dir is where relative paths begin. It is safe for concurrent use.
type Hints struct {
	Root func() string
	Dir  func() string

	mu   sync.Mutex
	seen map[string]bool
}

// Forget makes every directory new again: what was said of it is not in the history any more.
func (h *Hints) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = nil
}

// Box is box with hints on the results of its tools.
func (h *Hints) Box(box agent.Toolbox) agent.Toolbox { return hinted{box, h} }

type hinted struct {
	agent.Toolbox
	h *Hints
}

// Resolve finds the tool of a call and puts hints on its results.
func (b hinted) Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result) {
	t, c, refused := b.Toolbox.Resolve(c)
	if refused != nil {
		return t, c, refused
	}
	return tool{engine.Wrapped{Tool: t}, b.h}, c, nil
}

// tool is a tool with hints.
type tool struct {
	engine.Wrapped
	h *Hints
}

// Run runs the tool and adds what the model should know of where it worked.
func (t tool) Run(ctx context.Context, c engine.Call, out engine.Output) (engine.Result, error) {
	root := t.h.Root()
	var paths []string
	if root != "" {
		paths = t.paths(c)
	}
	r, err := t.Tool.Run(ctx, c, out)
	if err != nil || root == "" || r.Status == engine.StatusRefused {
		return r, err
	}
	if text := t.h.of(root, append(paths, t.h.Dir())); text != "" {
		r.Text += "\n\n" + text
	}
	return r, nil
}

// paths are where the call works: what its tool says, else its working directory and the words of a command.
func (t tool) paths(c engine.Call) []string {
	base := t.h.Dir()
	paths := t.Touches(c)
	if t.Spec().Effect == engine.Executes && len(paths) == 0 {
		var in struct{ Command, Workdir string }
		_ = json.Unmarshal([]byte(c.Args), &in) // no arguments, no paths
		if in.Workdir != "" {
			base = under(base, in.Workdir)
			paths = append(paths, base)
		}
		words := strings.FieldsFunc(in.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;|&<>()'\"=", r) })
		for _, w := range words[:min(len(words), mostWords)] {
			if !strings.HasPrefix(w, "-") {
				paths = append(paths, w)
			}
		}
	}
	for i, p := range paths {
		paths[i] = under(base, p)
	}
	return paths
}

func under(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// of is what is to be said of the directories of paths, the outer one first; "" when all is known.
func (h *Hints) of(root string, paths []string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen == nil {
		h.seen = map[string]bool{}
	}
	var hints []string
	for _, path := range paths {
		for _, dir := range between(root, path) {
			if info, err := os.Stat(dir); h.seen[dir] || len(hints) == mostHints || err != nil || !info.IsDir() {
				continue
			}
			h.seen[dir] = true
			name, text := prompt.Hint(dir, root)
			if name != "" && !slices.Contains(paths, filepath.Join(dir, filepath.Base(name))) { // who reads the file itself needs no copy
				hints = append(hints, fmt.Sprintf("[Instructions for work in this directory, from %s; the user's words outweigh them.]\n%s", filepath.ToSlash(name), text))
			}
		}
	}
	return strings.Join(hints, "\n\n")
}

// between are the directories below root on the way to path, path itself included, the outermost first and at most the
// innermost few.
func between(root, path string) []string {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return nil
	}
	var dirs []string
	at := root
	for _, name := range strings.Split(rel, string(filepath.Separator)) {
		at = filepath.Join(at, name)
		dirs = append(dirs, at)
	}
	return dirs[max(0, len(dirs)-mostUp-1):]
}

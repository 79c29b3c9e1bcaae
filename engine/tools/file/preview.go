package file

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"talaria/engine"
	"talaria/engine/tools"
)

// space is the workspace as the file tools see it.
type space struct{ *tools.Workspace }

// Tools returns read_file, write_file, patch and search_files on w.
func Tools(w *tools.Workspace) []engine.Tool {
	s := space{w}
	return []engine.Tool{readTool(s), writeTool(s), patchTool(s), searchTool(s)}
}

// Preview returns the unified diff of what a write_file or patch call would do, and does nothing. It is "" for other
// tools and for a write that changes nothing; the error says why the call would fail. c is a call that Resolve passed.
// What the file looked like is noted: when it changes before the call runs, the call is not applied.
func Preview(ws *tools.Workspace, c engine.Call) (string, error) {
	w := space{ws}
	var ch change
	var err error
	switch c.Name {
	case "write_file":
		var in writeIn
		if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
			return "", fmt.Errorf("preview %s: %w", c.Name, err)
		}
		ch, err = w.planWrite(in)
	case "patch":
		var in patchIn
		if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
			return "", fmt.Errorf("preview %s: %w", c.Name, err)
		}
		if in.Patch != "" {
			return w.previewSeveral(in)
		}
		if in.Old == "" {
			return "", errors.New("old_string is empty")
		}
		ch, err = w.planPatch(in)
	default:
		return "", nil
	}
	if errors.Is(err, errUnchanged) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !w.Knows(ch.path) {
		w.Saw(ch.path, ch.info)
	}
	return cutDiff(ch.fullDiff()), nil
}

// previewSeveral is Preview of a patch of several files.
func (w space) previewSeveral(in patchIn) (string, error) {
	files, err := parsePatch(in)
	if err != nil {
		return "", err
	}
	all, err := w.planSeveral(files)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, ch := range all {
		if !w.Knows(ch.path) {
			w.Saw(ch.path, ch.info)
		}
		b.WriteString(ch.fullDiff())
	}
	return cutDiff(b.String()), nil
}

// touched is the path of a call for gates: absolute where it can be, links not followed.
func (w space) touched(path string) []string {
	abs, err := w.Abs(path)
	if err != nil {
		return []string{path}
	}
	return []string{abs}
}

// lockFor is Lock for a path as a call has it. What is wrong with the path is told by whoever uses it next.
func (w space) lockFor(ctx context.Context, path string) (func(), error) {
	abs, err := w.Abs(path)
	if err != nil {
		return func() {}, nil
	}
	return w.Lock(ctx, filepath.Clean(abs))
}

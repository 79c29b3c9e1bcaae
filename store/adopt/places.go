package adopt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a directory where a program keeps its sessions.
type Place struct {
	Tool Tool
	Dir  string
}

// Places are where the programs keep their sessions, as their own variables say or else below home.
func Places(getenv func(string) string, home string) []Place {
	root := func(variable, usual string) string {
		if dir := getenv(variable); dir != "" {
			return dir
		}
		return filepath.Join(home, usual)
	}
	codex := root("CODEX_HOME", ".codex")
	return []Place{{Claude, filepath.Join(root("CLAUDE_CONFIG_DIR", ".claude"), "projects")}, {Codex, filepath.Join(codex, "sessions")},
		{Codex, filepath.Join(codex, "archived_sessions")}, {Hermes, filepath.Join(root("HERMES_HOME", ".hermes"), "sessions")}}
}

// Find returns the sessions in places, the file that was written last first. A place that is not there has none; what
// cannot be looked into is told in the error, beside what was found.
func Find(places []Place) ([]Source, error) {
	type dated struct {
		Source
		at int64
	}
	var found []dated
	var errs []error
	for _, p := range places {
		err := filepath.WalkDir(p.Dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					errs = append(errs, err)
				}
				return nil // the rest may be read
			}
			if !d.Type().IsRegular() || !p.Tool.keeps(p.Dir, path) {
				return nil
			}
			if info, err := d.Info(); err == nil {
				found = append(found, dated{Source{p.Tool, path}, info.ModTime().UnixNano()})
			}
			return nil
		})
		errs = append(errs, err)
	}
	slices.SortStableFunc(found, func(a, b dated) int {
		switch {
		case a.at > b.at:
			return -1
		case a.at < b.at:
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	var out []Source
	for _, f := range found {
		out = append(out, f.Source)
	}
	return out, errors.Join(errs...)
}

// keeps reports whether the file at path, below dir, is one of t's sessions by its name. Agents of a session are not.
func (t Tool) keeps(dir, path string) bool {
	name, ext := filepath.Base(path), filepath.Ext(path)
	switch t {
	case Claude:
		return ext == ".jsonl" && !strings.HasPrefix(name, "agent-") && filepath.Dir(filepath.Dir(path)) == filepath.Clean(dir)
	case Codex:
		return ext == ".jsonl" && strings.HasPrefix(name, "rollout-")
	case Hermes:
		return ext == ".jsonl" || ext == ".json" && strings.HasPrefix(name, "session_")
	}
	return false
}

// sniffed is how much of a file is looked at to tell whose it is.
const sniffed = 256 << 10

// Of tells whose session the file at path is, by what stands in it.
func Of(path string) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return Source{}, fmt.Errorf("read %s: %w", path, err)
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, sniffed))
	if err != nil {
		return Source{}, fmt.Errorf("read %s: %w", path, err)
	}
	for _, sign := range []struct {
		tool Tool
		all  []string
	}{
		{Codex, []string{`"payload"`, `"timestamp"`}}, {Claude, []string{`"sessionId"`, `"uuid"`}}, {Hermes, []string{`"session_id"`, `"messages"`}},
		{Hermes, []string{`"role"`, `"content"`}},
	} {
		if !slices.ContainsFunc(sign.all, func(s string) bool { return !bytes.Contains(head, []byte(s)) }) {
			return Source{sign.tool, path}, nil
		}
	}
	return Source{}, fmt.Errorf("read %s: it is no session of Claude Code, Codex or Hermes", path)
}

package grep

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"talaria/engine"
)

// walkBatch is how many files are searched before their hits are put in order; it bounds what is held.
const walkBatch = 256

// list returns the files that q is about, in order of their paths: no hidden ones, none that an ignore file names,
// no links. A file that is named itself is taken whatever it is called. done is false when ctx ended first.
func list(ctx context.Context, q Query) (files []Found, done bool) {
	info, err := os.Stat(q.Root)
	if err != nil {
		return nil, true
	}
	if !info.IsDir() {
		if !globMatches(q.Glob, filepath.Dir(q.Root), q.Root) {
			return nil, true
		}
		return []Found{{q.Root, info.Size(), info.ModTime()}}, true
	}
	rules := newIgnore(q.Root, q.Read)
	top := q.Root + string(filepath.Separator) // the separator makes a link to a directory count as one
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return nil // what cannot be read cannot be searched
		}
		if d.IsDir() {
			if path != top && (strings.HasPrefix(d.Name(), ".") || rules.ignored(path, true)) {
				return filepath.SkipDir
			}
			rules.enter(filepath.Clean(path))
			return nil
		}
		if !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") || !globMatches(q.Glob, q.Root, path) || rules.ignored(path, false) || q.leftOut(path) {
			return nil
		}
		if info, err := d.Info(); err == nil {
			files = append(files, Found{path, info.Size(), info.ModTime()})
		}
		return nil
	})
	return files, err == nil
}

// walk searches without ripgrep.
func walk(ctx context.Context, q Query) Findings {
	files, done := list(ctx, q)
	f := Findings{Unfinished: !done}
	for len(files) > 0 {
		batch := files[:min(len(files), walkBatch)]
		files = files[len(batch):]
		for _, h := range searchBatch(ctx, q, batch) {
			f.add(h, q)
		}
		if ctx.Err() != nil {
			f.Unfinished = true
			break
		}
	}
	return f
}

// searchBatch searches files side by side; the hits come back in their order.
func searchBatch(ctx context.Context, q Query, batch []Found) []File {
	out := make([]File, len(batch))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(batch)) {
		wg.Add(1)
		engine.Go("search files", func() {
			defer wg.Done()
			for i := range next {
				if ctx.Err() == nil && batch[i].Size <= maxFile {
					out[i] = searchFile(q, batch[i].Path)
				}
			}
		})
	}
	for i := range batch {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// searchFile returns the hits of one file; a binary one has none.
func searchFile(q Query, path string) File {
	h := File{Path: path}
	data, err := q.Read(path)
	if err != nil {
		return h
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return h
	}
	if !strings.ContainsAny(q.Re.String(), `^$\`) && !q.Re.Match(data) {
		return h // one look at the whole is much faster than one at each line, and without anchors says the same
	}
	lineHits(q, data, &h)
	return h
}

// lineHits searches data line by line.
func lineHits(q Query, data []byte, h *File) {
	var before []Hit // context that waits for a match
	after := 0       // lines of context that are still to come
	for line := 1; len(data) > 0; line++ {
		text := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			text, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		text = bytes.TrimSuffix(text, []byte("\r"))
		at := q.Re.FindIndex(text)
		switch {
		case at != nil:
			h.Matches++
			after = q.Context
			if h.Matches <= q.Limit {
				h.Hits = append(append(h.Hits, before...), Hit{line, clip(text, at[0]), true})
			}
			before = before[:0]
		case h.Matches > q.Limit: // only counted
		case after > 0:
			after--
			h.Hits = append(h.Hits, Hit{Line: line, Text: clip(text, 0)})
		case q.Context > 0:
			if len(before) == q.Context {
				before = append(before[:0], before[1:]...)
			}
			before = append(before, Hit{Line: line, Text: clip(text, 0)})
		}
	}
}

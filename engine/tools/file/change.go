package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"talaria/engine"
	"talaria/engine/tools"

	"github.com/aymanbagabas/go-udiff"
)

// Limits of a change.
const (
	maxEditBytes = 16 << 20 // a file above this is not edited: it is held in memory several times
	maxDiffBytes = 200_000  // a diff above this is cut: it is stored with the result
)

// change is what one write would do to one file. It is made without touching the file; apply does it.
type change struct {
	path     string      // where the bytes go: absolute, links followed
	name     string      // as people name it
	info     fs.FileInfo // of the file that old was read from; nil when there is none
	old, new []byte
	how      string      // the tolerant way in which the place was found; "" for the exact one
	count    int         // places that were replaced
	line     int         // of the first of them, from 1
	gone     bool        // the file is removed
	mode     fs.FileMode // that a new file gets, 0 for the usual one
}

// errUnchanged means that a write would leave the file as it is.
var errUnchanged = errors.New("nothing changed")

// loadChange reads the file that path leads to, for a change of it. Its errors are meant for the model.
func (w space) loadChange(path string) (change, error) {
	abs, err := w.Abs(path)
	if err != nil {
		return change{}, fmt.Errorf("cannot write: %w", err)
	}
	ch := change{path: tools.Real(abs), name: w.Rel(abs)}
	if isDirPath(path) {
		return ch, fmt.Errorf("%s is a directory, not a file", path)
	}
	info, err := os.Lstat(ch.path)
	if errors.Is(err, fs.ErrNotExist) {
		return ch, nil
	}
	if err != nil {
		return ch, fmt.Errorf("cannot look at %s: %w", ch.name, err)
	}
	switch {
	case !info.Mode().IsRegular():
		return ch, fmt.Errorf("%s is %s, not a file; nothing was written", ch.name, kindWord(info.Mode()))
	case info.Mode().Perm()&0o222 == 0:
		return ch, fmt.Errorf("%s is write-protected (mode %04o); nothing was written", ch.name, info.Mode().Perm())
	case info.Size() > maxEditBytes:
		return ch, fmt.Errorf("%s has %s, too much for an edit (at most %s)", ch.name, sizeWord(info.Size()), sizeWord(maxEditBytes))
	}
	ch.old, ch.info, err = readWhole(ch.path)
	if err != nil {
		return ch, fmt.Errorf("cannot read %s: %w", ch.name, err)
	}
	if w.Stale(ch.path, ch.info) {
		return ch, staleError(ch.name)
	}
	return ch, nil
}

func isDirPath(path string) bool {
	return strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(os.PathSeparator))
}

// staleError is the text of UX 4.8, turned to the model.
func staleError(name string) error {
	return fmt.Errorf("%s changed on disk since it was read. The edit was not applied; read the file again before you repeat it", name)
}

// readWhole reads a regular file and tells what it was when that began.
func readWhole(path string) ([]byte, fs.FileInfo, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(f)
	return data, info, err
}

// openRegular opens a file for reading and never waits for the other end of a pipe, even when the file became one after
// it was looked at.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("it is %s, not a file", kindWord(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// apply writes the change in one step and returns its result. A file that changed since the change was made is left
// alone.
func (w space) apply(ctx context.Context, c engine.Call, ch change) (engine.Result, error) {
	if err := ctx.Err(); err != nil {
		return engine.Result{}, err
	}
	if !ch.fresh() {
		return failedWrite(c, staleError(ch.name)), nil
	}
	defer w.Changing(ch.path)()
	now, err := replaceFile(ch.path, ch.new, ch.info)
	if err != nil {
		return engine.Failed(c, "cannot write %s: %v. The file was left as it was.", ch.name, err), nil
	}
	w.Saw(ch.path, now)
	r := engine.Succeeded(c, "")
	full := ch.fullDiff()
	r.Changed, r.Diff = []string{ch.path}, cutDiff(full)
	add, del := countDiff(full)
	r.Note = fmt.Sprintf("+%d −%d", add, del)
	return r, nil
}

// fresh reports whether the file is still what the change was made for.
func (ch change) fresh() bool {
	info, err := os.Lstat(ch.path)
	if err != nil {
		info = nil
	}
	return tools.Same(info, ch.info)
}

// verb is what the change does, as the model is told.
func (ch change) verb() string {
	switch {
	case ch.gone:
		return "Deleted"
	case ch.info == nil:
		return "Wrote"
	}
	return "Edited"
}

// failedWrite turns the error of a change into a result: one that says what to do, or that nothing changed.
func failedWrite(c engine.Call, err error) engine.Result {
	r := engine.Failed(c, "%v.", err)
	if strings.Contains(r.Text, "changed on disk since") {
		r.Note = "changed on disk since it was read"
	} else if strings.Contains(r.Text, errUnchanged.Error()) {
		r.Note = errUnchanged.Error()
	}
	return r
}

// cutDiff keeps a diff small enough to be stored with a result. What is left out is told in a line that readers of
// diffs pass over.
func cutDiff(d string) string {
	if len(d) <= maxDiffBytes {
		return d
	}
	head := d[:strings.LastIndexByte(d[:maxDiffBytes], '\n')+1]
	return fmt.Sprintf("%s\\ %s more lines of this diff are not shown\n", head, tools.Grouped(strings.Count(d[len(head):], "\n")))
}

// fullDiff is the unified diff of the change. It leaves line ends of CRLF files and bytes that are no UTF-8 out of sight, unless they are all that changed.
func (ch change) fullDiff() string {
	shown := func(b []byte) string {
		b = bytes.TrimPrefix(b, utf8BOM)
		return strings.ToValidUTF8(strings.ReplaceAll(string(b), "\r\n", "\n"), "\uFFFD")
	}
	before, after := shown(ch.old), shown(ch.new)
	if before == after {
		before, after = strings.ToValidUTF8(string(ch.old), "\uFFFD"), strings.ToValidUTF8(string(ch.new), "\uFFFD")
	}
	from, to := "a/"+strings.TrimPrefix(ch.name, "/"), "b/"+strings.TrimPrefix(ch.name, "/")
	if ch.info == nil {
		from = "/dev/null"
	}
	if ch.gone {
		to, after = "/dev/null", ""
	}
	d, err := udiff.ToUnified(from, to, before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil { // the edits come from the same library, for the same text
		return ""
	}
	return d
}

// countDiff counts the lines that a unified diff adds and takes away.
func countDiff(d string) (add, del int) {
	body := false
	for line := range strings.SplitSeq(d, "\n") {
		switch {
		case strings.HasPrefix(line, "@@"):
			body = true
		case body && strings.HasPrefix(line, "+"):
			add++
		case body && strings.HasPrefix(line, "-"):
			del++
		}
	}
	return add, del
}

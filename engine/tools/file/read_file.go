package file

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"talaria/engine"
	"talaria/engine/tools"
)

//go:embed read_file.md
var readDoc string

type readIn struct {
	Path   string `json:"path"`
	Offset int    `json:"offset,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// Limits of read_file (BEHAVIOUR 8.10).
const (
	readLimit    = 500
	readMax      = 2_000
	sniffBytes   = 64 << 10  // of the head, in which a NUL byte tells a binary file
	maxWideBytes = 16 << 20  // of UTF-16, which is decoded in one piece
	maxCounted   = 256 << 20 // bytes after the window that are read to count the lines
	maxListed    = 40        // names shown of a directory
)

func readTool(w space) engine.Tool {
	spec := engine.Spec{Name: "read_file", Doc: readDoc, Effect: engine.Reads, Toolset: "file"}
	return engine.NewTool(spec, w.read, func(in readIn) []string { return w.touched(in.Path) })
}

func (w space) read(ctx context.Context, c engine.Call, in readIn, _ engine.Output) (engine.Result, error) {
	if err := ctx.Err(); err != nil {
		return engine.Result{}, err
	}
	path, err := w.Abs(in.Path)
	if err != nil {
		return engine.Failed(c, "cannot read: %v.", err), nil
	}
	name := w.Rel(path)
	info, err := os.Stat(path) // before opening: an open of some devices has effects
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return engine.Failed(c, "%v.", w.missing(path, name)), nil
	case err != nil:
		return engine.Failed(c, "cannot read %s: %v.", name, err), nil
	case info.IsDir():
		return engine.Failed(c, "%s is a directory, not a file. %s", name, listing(path)), nil
	case !info.Mode().IsRegular():
		return engine.Failed(c, "%s is %s, %s: not read.", name, kindWord(info.Mode()), sizeWord(info.Size())), nil
	}
	f, err := openRegular(path)
	if err != nil {
		return engine.Failed(c, "cannot read %s: %v.", name, err), nil
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return engine.Failed(c, "cannot read %s: %v.", name, err), nil
	}
	p := newPage(in, w.Limit())
	if times := w.Again(ctx, path, p.offset, p.limit, info); times > 1 {
		w.Saw(path, info)
		return unchanged(c, name, p, times), nil
	}
	refusal, err := p.fill(ctx, f, path, info)
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	if err != nil {
		return engine.Failed(c, "cannot read %s: %v.", name, err), nil
	}
	if refusal != "" {
		return engine.Failed(c, "%s is %s, %s: not text, not shown. Commands such as file, strings or xxd | head tell more of it.",
			name, refusal, sizeWord(info.Size())), nil
	}
	w.Saw(path, info)
	return p.result(c, name), nil
}

// fill reads the page from f. refusal names the kind of a file that is no text.
func (p *page) fill(ctx context.Context, f io.Reader, path string, info fs.FileInfo) (refusal string, err error) {
	r := sniffed.Get().(*bufio.Reader)
	r.Reset(&ctxReader{ctx, f})
	defer func(pooled *bufio.Reader) {
		pooled.Reset(nil) // holds no file
		sniffed.Put(pooled)
	}(r)
	head, err := r.Peek(sniffBytes)
	if err != nil && err != io.EOF {
		return "", err
	}
	if kind := binaryKind(path, head); kind != "" {
		return kind, nil
	}
	if order := wideOrder(head); order != nil {
		if info.Size() > maxWideBytes {
			return wideName(order) + " text, too large to decode", nil
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return "", err
		}
		p.encoding = wideName(order)
		r = bufio.NewReaderSize(strings.NewReader(fromWide(data, order)), sniffBytes)
	} else if bytes.HasPrefix(head, utf8BOM) {
		p.encoding = "UTF-8 with a byte order mark"
		_, _ = r.Discard(len(utf8BOM)) // it was peeked
	}
	if err := p.scan(r); err != nil {
		return "", err
	}
	if p.nul {
		return "binary data", nil
	}
	return "", nil
}

// unchanged stands for a page that the chat has already.
func unchanged(c engine.Call, name string, p *page, times int) engine.Result {
	if times == 2 {
		r := engine.Succeeded(c, fmt.Sprintf("(unchanged since it was read: %s from line %d on stands above in this conversation)", name, p.offset))
		r.Note = "unchanged"
		return r
	}
	r := engine.Failed(c, "%s was not read again: it has not changed, and these lines stand above. Read another part of it, or go on with what is known.", name)
	r.Note = "read before"
	return r
}

// listing tells what is in a directory, in few words.
func listing(path string) string {
	entries, err := os.ReadDir(path)
	if err != nil {
		return ""
	}
	names := make([]string, 0, maxListed+1)
	for i, e := range entries {
		if i == maxListed {
			names = append(names, "...")
			break
		}
		n := e.Name()
		if e.IsDir() {
			n += "/"
		}
		names = append(names, n)
	}
	return fmt.Sprintf("It has %s entries: %s", tools.Grouped(len(entries)), strings.Join(names, ", "))
}

// ctxReader stops reading when ctx ends.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

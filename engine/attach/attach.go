package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The caps of what one message attaches.
const (
	wholeBytes = 64 << 10  // a larger file is sent as its first and last lines
	endLines   = 200       // of each end (UX 4.8)
	lineBytes  = 500       // of a line of such a file
	readBytes  = 16 << 20  // of a file of which lines are wanted
	allBytes   = 256 << 10 // of everything; the window may allow less
	mostNames  = 200       // of a folder (BEHAVIOUR 12)
)

// Files reads references. Dir is where relative ones start, Roots are the absolute folders that text may be in, Home is
// written ~. Secret tells files that hold keys, Mask takes keys out of a text; both may be nil.
type Files struct {
	Dir, Home string
	Roots     []string
	Secret    func(path string) bool
	Mask      func(string) string
}

// Told is what a message attaches: Text for the copy that is sent, Line for the user: what was attached and what was
// not, "" when nothing was named. Pictures are not in it: they are parts of the message itself.
type Told struct{ Text, Line string }

// Expand reads what text names. Room is how many bytes may be sent for all of it, 0 for the usual cap.
func (f *Files) Expand(ctx context.Context, text string, room int) Told {
	var t Told
	if room <= 0 || room > allBytes {
		room = allBytes
	}
	var b strings.Builder
	var sent, not []string
	for _, r := range f.Refs(text) {
		if ctx.Err() != nil {
			return Told{}
		}
		p, err := f.read(ctx, r)
		switch {
		case err != nil:
			not = append(not, fmt.Sprintf("@%s: %v", r, err))
		case p.picture:
		case b.Len()+len(p.text) > room:
			not = append(not, fmt.Sprintf("@%s: no room beside the rest; the model can read it with read_file", r))
			fmt.Fprintf(&b, "@%s was not attached: it is too long to stand here. Read it with read_file.\n\n", r)
		default:
			sent = append(sent, fmt.Sprintf("@%s (%s)", r, p.what))
			b.WriteString(p.block(r))
		}
	}
	t.Text = strings.TrimSpace(b.String())
	if len(sent) > 0 {
		t.Line = "Attached " + strings.Join(sent, ", ") + "."
	}
	if len(not) > 0 {
		t.Line = strings.TrimSpace(t.Line + " Not attached: " + strings.Join(not, "; ") + ".")
	}
	return t
}

// Describe says what is sent for a reference in a few words.
func (f *Files) Describe(ctx context.Context, ref string) (string, error) {
	p, err := f.read(ctx, Parse(ref))
	return p.what, err
}

// piece is what a reference came to.
type piece struct {
	what    string // for people
	text    string
	picture bool
}

func (p piece) block(r Ref) string {
	return fmt.Sprintf("The user attached @%s (%s):\n%s\n\n", r, p.what, p.text)
}

func (f *Files) read(ctx context.Context, r Ref) (piece, error) {
	path := f.abs(r.Path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return piece{}, errors.New("there is no such file")
	case info.Mode().IsRegular() && Picture(path):
		return piece{what: "picture, " + bytesOf(info.Size()), picture: true}, nil
	case !f.within(path):
		return piece{}, errors.New("it is outside the working directory; --add-dir allows a folder")
	case f.Secret != nil && f.Secret(real(path)):
		return piece{}, errors.New("it may hold keys; read_file asks you first")
	case info.IsDir():
		return f.folder(ctx, path)
	case !info.Mode().IsRegular():
		return piece{}, errors.New("it is not a regular file")
	case r.From > 0:
		return f.some(path, r, info.Size())
	}
	return f.file(path, info.Size())
}

// within reports whether a path leads into one of the roots.
func (f *Files) within(path string) bool {
	path = real(path)
	return slices.ContainsFunc(f.Roots, func(root string) bool {
		rel, err := filepath.Rel(real(root), path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// real is where a path leads once links are followed.
func real(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// file is a whole file, or both ends of a long one.
func (f *Files) file(path string, size int64) (piece, error) {
	if size > wholeBytes {
		return f.ends(path, size)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return piece{}, why(err)
	}
	text, err := f.text(data)
	return piece{what: bytesOf(size), text: text}, err
}

// ends is the first and the last lines of a file that is too long.
func (f *Files) ends(path string, size int64) (piece, error) {
	file, err := os.Open(path)
	if err != nil {
		return piece{}, why(err)
	}
	defer file.Close()
	head, tail := make([]byte, wholeBytes/2), make([]byte, wholeBytes/2)
	n, err := io.ReadFull(file, head)
	if err != nil {
		return piece{}, why(err)
	}
	m, err := file.ReadAt(tail, max(int64(n), size-int64(len(tail))))
	if err != nil && !errors.Is(err, io.EOF) {
		return piece{}, why(err)
	}
	if bytes.IndexByte(head[:n], 0) >= 0 {
		return piece{}, errors.New("it is not text")
	}
	first, last := whole(string(head[:n]), true), whole(string(tail[:m]), false)
	first, last = first[:min(len(first), endLines)], last[max(0, len(last)-endLines):]
	text, err := f.text([]byte(fmt.Sprintf("%s\n[... left out; read_file has the rest ...]\n%s", strings.Join(first, "\n"), strings.Join(last, "\n"))))
	return piece{what: fmt.Sprintf("%s, first %d and last %d lines", bytesOf(size), len(first), len(last)), text: text}, err
}

// whole are the whole lines of a piece of a file that was cut at its end (head) or at its start; long ones are cut.
func whole(s string, head bool) []string {
	all := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	if len(all) > 1 && head {
		all = all[:len(all)-1]
	} else if len(all) > 1 {
		all = all[1:]
	}
	for i, l := range all {
		if len(l) > lineBytes {
			all[i] = strings.ToValidUTF8(l[:lineBytes], "") + "…"
		}
	}
	return all
}

// some is a range of lines.
func (f *Files) some(path string, r Ref, size int64) (piece, error) {
	if size > readBytes {
		return piece{}, fmt.Errorf("%s is too long to count lines in", bytesOf(size))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return piece{}, why(err)
	}
	all := strings.SplitAfter(string(data), "\n")
	if n := len(all); n > 0 && all[n-1] == "" {
		all = all[:n-1]
	}
	if r.From > len(all) {
		return piece{}, fmt.Errorf("it ends at line %d", len(all))
	}
	part := strings.Join(all[r.From-1:min(r.To, len(all))], "")
	if len(part) > wholeBytes {
		return piece{}, fmt.Errorf("these lines are %s; at most %s are attached", bytesOf(int64(len(part))), bytesOf(wholeBytes))
	}
	text, err := f.text([]byte(part))
	return piece{what: fmt.Sprintf("lines %d-%d of %d", r.From, min(r.To, len(all)), len(all)), text: text}, err
}

func (f *Files) text(data []byte) (string, error) {
	if bytes.IndexByte(data, 0) >= 0 {
		return "", errors.New("it is not text")
	}
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	if f.Mask != nil {
		text = f.Mask(text)
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence, nil
}

// folder is the names below a folder.
func (f *Files) folder(ctx context.Context, path string) (piece, error) {
	all, err := list(ctx, path)
	if err != nil {
		return piece{}, err
	}
	names := slices.DeleteFunc(all, func(n string) bool { return strings.HasSuffix(n, "/") })
	what := fmt.Sprintf("folder, %d files", len(names))
	if len(names) > mostNames {
		what += fmt.Sprintf(", the first %d named", mostNames)
		names = names[:mostNames]
	}
	return piece{what: what, text: strings.Join(names, "\n")}, nil
}

// why leaves the path out of an error: the reference stands before it.
func why(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func bytesOf(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1000_000:
		return fmt.Sprintf("%d KB", (n+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

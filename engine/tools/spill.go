package tools

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"talaria/engine"
)

// Sizes of results, in characters (BEHAVIOUR 8.6).
const (
	ResultChars  = 100_000 // above this a result is written to a file
	PreviewChars = 1_500   // what the message shows of it
	endChars     = 500     // what is shown of its end, when that is cut again
)

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// Spill writes text to a new file of the spill folder and returns its path. The file is readable by the user alone.
func (w *Workspace) Spill(callID, text string) (string, error) {
	if w.spill == "" {
		return "", fmt.Errorf("keep the output of call %s: there is no folder for results", callID)
	}
	if err := os.MkdirAll(w.spill, 0o700); err != nil {
		return "", fmt.Errorf("keep the output of call %s: %w", callID, err)
	}
	name := Cut(unsafeName.ReplaceAllString(callID, "_"), 60)
	f, err := os.CreateTemp(w.spill, name+"-*.txt")
	if err != nil {
		return "", fmt.Errorf("keep the output of call %s: %w", callID, err)
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("keep the output of call %s: %w", callID, err)
	}
	return f.Name(), nil
}

// Cap returns a successful result with text. More than limit characters (0: ResultChars) go to the spill folder, and
// the result holds the size, the path, the beginning and how to read on. Where the file cannot be written the text is
// cut, and says so.
func (w *Workspace) Cap(c engine.Call, text string, limit int) engine.Result {
	if limit <= 0 {
		limit = w.Limit()
	}
	text = strings.ToValidUTF8(w.Masked(text), "\uFFFD")
	size := utf8.RuneCountInString(text)
	if size <= limit {
		return engine.Succeeded(c, text)
	}
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	path, err := w.Spill(c.ID, text)
	if err != nil {
		head := CutLine(text, limit)
		return engine.Succeeded(c, fmt.Sprintf("%s\n[cut: the output has %s characters in %s lines and could not be kept in a file: %v]",
			head, Grouped(size), Grouped(lines), err))
	}
	r := engine.Succeeded(c, fmt.Sprintf("The output is long: %s characters in %s lines. All of it is in %s\nIt begins:\n\n%s\n\n"+
		"[cut here. Read on with read_file(path=%q, offset=N, limit=N), or find a place with search_files on that path.]",
		Grouped(size), Grouped(lines), path, CutLine(text, PreviewChars), path))
	r.Spill = path
	return r
}

// Shorten returns r with its text in the spill folder and the beginning of it in its place.
func (w *Workspace) Shorten(r engine.Result) engine.Result {
	if r.Spill != "" { // the whole is in a file already; its end says how it went
		if size := utf8.RuneCountInString(r.Text); size > 2*PreviewChars {
			end := []rune(r.Text)[size-endChars:]
			r.Text = fmt.Sprintf("%s\n\n[cut here. All of it is in %s: read on with read_file(path=%q, offset=N, limit=N), or find a place with search_files on that path.]\n\n%s",
				CutLine(r.Text, PreviewChars), r.Spill, r.Spill, string(end))
		}
		return r
	}
	short := w.Cap(engine.Call{ID: r.CallID, Name: r.Name}, r.Text, PreviewChars)
	if r.Name == "read_file" {
		w.ForgetReads() // what was read does not stand in the chat any more
	}
	r.Text, r.Spill = short.Text, short.Spill
	return r
}

// Cut returns at most n characters of s, never a part of one.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// CutLine is Cut that goes back to the last line end, when that leaves at least half.
func CutLine(s string, n int) string {
	head := Cut(s, n)
	if i := strings.LastIndexByte(head, '\n'); len(head) < len(s) && i >= len(head)/2 {
		return head[:i]
	}
	return head
}

// Plural writes a number with its word.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Grouped writes n with commas between thousands.
func Grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

package file

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/grep"

	"github.com/bmatcuk/doublestar/v4"
)

//go:embed search_files.md
var searchDoc string

type searchIn struct {
	Pattern string `json:"pattern"`
	Target  string `json:"target,omitempty" enum:"content,files"`
	Path    string `json:"path,omitempty"`
	Glob    string `json:"file_glob,omitempty"`
	Limit   int    `json:"limit,omitempty"`
	Context int    `json:"context,omitempty"`
}

// Limits of search_files (BEHAVIOUR 8.13).
const (
	searchLimit   = 50
	searchMax     = 1_000
	searchContext = 20
	searchTime    = 60 * time.Second
)

func searchTool(w space) engine.Tool {
	spec := engine.Spec{Name: "search_files", Doc: searchDoc, Effect: engine.Reads, Toolset: "file"}
	return engine.NewTool(spec, w.search, func(in searchIn) []string {
		if in.Path == "" {
			return []string{w.Dir()}
		}
		return w.touched(in.Path)
	})
}

func (w space) search(ctx context.Context, c engine.Call, in searchIn, _ engine.Output) (engine.Result, error) {
	if in.Pattern == "" {
		return engine.Badly(c, "pattern is empty: say what to search for"), nil
	}
	if in.Target != "" && in.Target != "content" && in.Target != "files" {
		return engine.Badly(c, "target must be content or files, not %q", in.Target), nil
	}
	if in.Path == "" {
		in.Path = "."
	}
	root, err := w.Abs(in.Path)
	if err != nil {
		return engine.Failed(c, "cannot search: %v.", err), nil
	}
	info, err := os.Stat(root)
	if err != nil {
		return engine.Failed(c, "cannot search: %v.", w.missing(root, w.Rel(root))), nil
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return engine.Failed(c, "cannot search %s: it is %s.", w.Rel(root), kindWord(info.Mode())), nil
	}
	if in.Glob != "" && !doublestar.ValidatePattern(in.Glob) {
		return engine.Badly(c, "file_glob %q is not a valid glob", in.Glob), nil
	}
	q := grep.Query{Root: root, Glob: in.Glob, Limit: in.Limit, Context: min(max(in.Context, 0), searchContext), Read: readDecoded}
	if !w.Secret(in.Glob) { // a search that asks for such files by name was approved as one
		q.Skip = w.Secret
	}
	if q.Limit <= 0 {
		q.Limit = searchLimit
	}
	q.Limit = min(q.Limit, searchMax)
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	var r engine.Result
	if in.Target == "files" {
		r = w.searchNames(limited, c, q, in.Pattern)
	} else if q.Re, err = regexp.Compile(in.Pattern); err != nil {
		return engine.Badly(c, "%s", badPattern(in.Pattern, err)), nil
	} else {
		r = w.report(c, q, grep.Search(limited, q))
	}
	if ctx.Err() != nil {
		return engine.Result{}, ctx.Err()
	}
	return r, nil
}

// readDecoded returns a file as UTF-8, without its mark.
func readDecoded(path string) ([]byte, error) {
	data, _, err := readWhole(path)
	if order := wideOrder(data); order != nil {
		return []byte(fromWide(data, order)), err
	}
	return bytes.TrimPrefix(data, utf8BOM), err
}

// badPattern explains a regular expression that does not compile.
func badPattern(pattern string, err error) string {
	why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	text := fmt.Sprintf("the pattern is not a valid regular expression: %s.", why)
	if strings.Contains(why, "Perl") || strings.Contains(pattern, "(?=") || strings.Contains(pattern, "(?<") || strings.Contains(pattern, "(?!") {
		return text + " Look-around and back references are not supported."
	}
	return text + fmt.Sprintf(" To search for the text as it stands, send %s", regexp.QuoteMeta(pattern))
}

// report writes findings as text: the path of a file, then its lines as "12:match" and "13-context".
func (w space) report(c engine.Call, q grep.Query, f grep.Findings) engine.Result {
	count := fmt.Sprintf("%s in %s", tools.Plural(f.Matches, "match", "matches"), tools.Plural(f.Of, "file", "files"))
	var b strings.Builder
	for _, file := range f.Files {
		fmt.Fprintf(&b, "%s\n", w.Rel(file.Path))
		last := 0
		for _, h := range file.Hits {
			if last > 0 && h.Line > last+1 && q.Context > 0 {
				b.WriteString("--\n")
			}
			last = h.Line
			fmt.Fprintf(&b, "%d%s%s\n", h.Line, map[bool]string{true: ":", false: "-"}[h.Match], h.Text)
		}
		b.WriteString("\n")
	}
	switch {
	case f.Matches == 0:
		fmt.Fprintf(&b, "Nothing matches %q in %s.", q.Re, w.Rel(q.Root))
		count = "no matches"
	case f.Kept < f.Matches:
		fmt.Fprintf(&b, "The first %s of %s are shown. Narrow the pattern, path or file_glob, or raise limit.", tools.Grouped(f.Kept), count)
	default:
		fmt.Fprintf(&b, "%s.", count)
	}
	if f.Unfinished {
		b.WriteString(unfinished)
		count += ", stopped"
	}
	r := w.Cap(c, b.String(), 0)
	r.Note = count
	return r
}

var unfinished = fmt.Sprintf("\nThe search was stopped after %.0f seconds and is not complete: search a smaller path.", searchTime.Seconds())

// searchNames finds files by name, the last changed first.
func (w space) searchNames(ctx context.Context, c engine.Call, q grep.Query, pattern string) engine.Result {
	files, done, err := grep.Names(ctx, q, pattern)
	if err != nil {
		return engine.Badly(c, "pattern %q is %v", pattern, err)
	}
	slices.SortStableFunc(files, func(a, b grep.Found) int { return b.Mtime.Compare(a.Mtime) })
	var b strings.Builder
	for _, f := range files[:min(len(files), q.Limit)] {
		fmt.Fprintln(&b, w.Rel(f.Path))
	}
	switch {
	case len(files) == 0:
		fmt.Fprintf(&b, "No file name matches %q in %s.", pattern, w.Rel(q.Root))
	case len(files) > q.Limit:
		fmt.Fprintf(&b, "\nThe %s last changed of %s files are shown. Narrow the pattern or path, or raise limit.", tools.Grouped(q.Limit), tools.Grouped(len(files)))
	}
	if !done {
		b.WriteString(unfinished)
	}
	r := w.Cap(c, b.String(), 0)
	r.Note = tools.Plural(len(files), "file", "files")
	return r
}

package attach

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Ref is one reference of a text. From and To are lines, counted from 1, 0 for the whole.
type Ref struct {
	Path     string // as written, without quotes and lines
	From, To int
}

// String is the reference as it is written after "@".
func (r Ref) String() string {
	switch {
	case r.From == 0:
		return r.Path
	case r.To == r.From:
		return r.Path + ":" + strconv.Itoa(r.From)
	}
	return r.Path + ":" + strconv.Itoa(r.From) + "-" + strconv.Itoa(r.To)
}

// written is "@" at the start of a word, then a path: in quotes, or up to the next blank.
var written = regexp.MustCompile(`(?:^|[\s(\[{,;])@(?:"([^"\n]+)"(:\d+(?:-\d+)?)?|([^\s"]+))`)

// lines is the part of a reference that names lines.
var lines = regexp.MustCompile(`^(.+?):(\d+)(?:-(\d+))?$`)

// Parse reads one reference, without its "@".
func Parse(text string) Ref {
	text = strings.ReplaceAll(text, `"`, "")
	m := lines.FindStringSubmatch(text)
	if m == nil {
		return Ref{Path: text}
	}
	from, _ := strconv.Atoi(m[2])
	to := from
	if m[3] != "" {
		to, _ = strconv.Atoi(m[3])
	}
	if from == 0 || to < from {
		return Ref{Path: m[1]}
	}
	return Ref{m[1], from, to}
}

// Refs are the references in text to something that exists, each once. A sentence may end right behind one; an address
// or a name with "@" that is no file stays text.
func (f *Files) Refs(text string) []Ref {
	var out []Ref
	seen := map[Ref]bool{}
	for _, m := range written.FindAllStringSubmatch(text, -1) {
		word, quoted := m[3], m[1] != ""
		if quoted {
			word = m[1] + m[2]
		}
		for {
			r := Parse(word)
			if _, err := os.Stat(f.abs(r.Path)); err == nil {
				if !seen[r] {
					seen[r] = true
					out = append(out, r)
				}
				break
			}
			cut := strings.TrimRight(word[:max(0, len(word)-1)], " ")
			if quoted || cut == "" || !strings.ContainsAny(word[len(word)-1:], ".,;:!?)]}'>`") {
				break
			}
			word = cut
		}
	}
	return out
}

func (f *Files) abs(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && f.Home != "" {
		return filepath.Join(f.Home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(f.Dir, path)
}

// pictures are the names that pictures have.
var pictures = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".webp": true}

// Picture reports whether a path is named like a picture that models take.
func Picture(path string) bool { return pictures[strings.ToLower(filepath.Ext(path))] }

package match

import (
	"maps"
	"slices"
	"strings"
)

// indents says which indentation of a file stands for which of the model's.
type indents struct {
	file map[string]string // by the model's
	unit int               // characters of the model's for one of the file's, or the other way round; 0: alike
	tabs bool              // the file has tabs where the model wrote spaces
}

// newIndents learns from lines that mean the same; false when one indentation of old stands for two of have.
func newIndents(old, have []string) (indents, bool) {
	in := indents{file: map[string]string{}}
	for i, l := range old {
		if strings.TrimSpace(l) == "" {
			continue
		}
		a, b := indentOf(l), indentOf(have[i])
		if known, ok := in.file[a]; ok && known != b {
			return in, false
		}
		in.file[a] = b
		in.learnUnit(a, b)
	}
	return in, true
}

func (in *indents) learnUnit(a, b string) {
	if a == "" || b == "" || in.unit > 0 {
		return
	}
	spaces, tabs := strings.Count(a, " "), strings.Count(b, "\t")
	if spaces == len(a) && tabs == len(b) && len(a)%len(b) == 0 {
		in.unit, in.tabs = len(a)/len(b), true
	}
	if strings.Count(a, "\t") == len(a) && strings.Count(b, " ") == len(b) && len(b)%len(a) == 0 {
		in.unit, in.tabs = len(b)/len(a), false
	}
}

// apply returns line with the file's indentation in place of the model's.
func (in indents) apply(line string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	own := indentOf(line)
	return in.of(own) + line[len(own):]
}

func (in indents) of(own string) string {
	if file, ok := in.file[own]; ok {
		return file
	}
	base, found := "", false // the deepest known indentation that own goes on from
	for a := range in.file {
		if strings.HasPrefix(own, a) && (!found || len(a) > len(base)) {
			base, found = a, true
		}
	}
	if found {
		return in.file[base] + in.converted(own[len(base):])
	}
	for _, a := range slices.Sorted(maps.Keys(in.file)) { // own is less deep than all that is known: moved by as much as the others
		b := in.file[a]
		if more, ok := strings.CutSuffix(b, a); ok {
			return more + own
		}
		if less, ok := strings.CutSuffix(a, b); ok {
			return strings.TrimPrefix(own, less)
		}
	}
	return in.converted(own)
}

// converted writes indentation the way of the file.
func (in indents) converted(s string) string {
	switch {
	case in.unit == 0:
		return s
	case in.tabs:
		return strings.ReplaceAll(s, strings.Repeat(" ", in.unit), "\t")
	}
	return strings.ReplaceAll(s, "\t", strings.Repeat(" ", in.unit))
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

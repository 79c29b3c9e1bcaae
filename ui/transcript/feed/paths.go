package feed

import (
	"path"
	"strings"

	"talaria/engine"
)

// Paths are the files that tools worked on, as their lines name them and as the results say. A name alone, as the head of
// a diff has it, is known where one file bears it.
type Paths struct {
	given map[string]bool
	bases map[string]string // by the last part: the path that was given, "" when there are several
}

// mostPaths bounds what is remembered; later files are not known.
const mostPaths = 4096

func (p *Paths) add(one string) {
	one = strings.TrimSpace(one)
	if one == "" || one == "." || len(p.given) >= mostPaths || p.given[one] || strings.ContainsAny(one, "…\n") || strings.Contains(one, `\u`) {
		return // what was cut or written out is no path any more
	}
	if p.given == nil {
		p.given, p.bases = map[string]bool{}, map[string]string{}
	}
	p.given[one] = true
	base := path.Base(one)
	if was, known := p.bases[base]; !known || strings.HasSuffix(one, "/"+was) || strings.HasSuffix(was, "/"+one) {
		p.bases[base] = one
		return
	}
	p.bases[base] = ""
}

// learn takes the paths of a call: those of its line, and those that its result changed.
func (p *Paths) learn(tool, line string, changed []string) {
	for _, one := range changed {
		p.add(one)
	}
	switch _, object, _ := strings.Cut(line, " "); tool {
	case "read_file", "write_file", "vision_analyze":
		p.add(object)
	case "patch":
		if n, several, ok := strings.Cut(object, " files: "); ok && strings.Trim(n, "0123456789") == "" {
			for _, one := range strings.Split(several, ", ") {
				p.add(one)
			}
			return
		}
		p.add(object)
	case "search_files":
		if at := strings.LastIndex(object, `" in `); at >= 0 {
			p.add(object[at+len(`" in `):])
		}
	}
}

// Empty reports whether no file is known.
func (p *Paths) Empty() bool { return len(p.given) == 0 }

// Find returns the path that word names, as it was given: whole, shortened in its middle (cut is what stands there
// then), or by its last part. It is not ok for one that is not known, or could be several.
func (p *Paths) Find(word, cut string) (given string, ok bool) {
	if p.given[word] {
		return word, true
	}
	if one := p.bases[word]; one != "" {
		return one, true
	}
	head, tail, shortened := strings.Cut(word, cut)
	if cut == "" || !shortened || len(head)+len(tail) < 4 {
		return "", false
	}
	for one := range p.given {
		if len(one) > len(head)+len(tail) && strings.HasPrefix(one, head) && strings.HasSuffix(one, tail) {
			if ok {
				return "", false
			}
			given, ok = one, true
		}
	}
	return given, ok
}

// Paths are the files that the calls of the conversation name.
func (f *Feed) Paths() *Paths { return f.paths }

// learn keeps the paths of a call.
func (f *Feed) learn(t *tool, r engine.Result) {
	name := t.called
	if name == "" {
		name = r.Name
	}
	f.paths.learn(name, t.line, r.Changed)
}

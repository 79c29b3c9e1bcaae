package guard

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// rule allows or denies something without a question. Its text is "command WORDS" for every simple command that begins
// with the words, "exactly WORDS" for one command as it stands, "edit GLOB" and "read GLOB" for files.
type rule struct {
	kind    string // command, exactly, edit, read
	words   []string
	dir     string // where the command must run, "" anywhere: "./build" is another program elsewhere
	pattern string // absolute glob, for files
	shown   string // the pattern as the user knows it
}

func (r rule) String() string { return r.kind + " " + r.subject() }

func (r rule) subject() string {
	if r.pattern != "" {
		return r.shown
	}
	return join(r.words)
}

func (r rule) label() string {
	switch r.kind {
	case "edit":
		return "edits in " + strings.TrimSuffix(r.shown, "*")
	case "read":
		return "reads in " + strings.TrimSuffix(r.shown, "*")
	case "exactly":
		return "exactly `" + r.subject() + "`"
	}
	return "`" + r.subject() + " …`"
}

// matches reports whether a file rule speaks of the file at path.
func (r rule) matches(path string) bool {
	ok, err := doublestar.Match(r.pattern, path)
	return err == nil && ok
}

// covers reports whether an allowing rule speaks of a command of plain words that may run in dirs.
func (r rule) covers(words, dirs []string) bool {
	if r.dir != "" && slices.ContainsFunc(dirs, func(d string) bool { return d != r.dir }) {
		return false
	}
	switch r.kind {
	case "exactly":
		return slices.Equal(r.words, words)
	case "command":
		return len(words) >= len(r.words) && slices.Equal(r.words, words[:len(r.words)])
	}
	return false
}

// forbids reports whether a denying rule speaks of a command. Words of the rule may be patterns, the program is known by
// its base name, and options before a subcommand do not hide it.
func (r rule) forbids(words []string) bool {
	if len(words) == 0 || r.kind != "command" && r.kind != "exactly" {
		return false
	}
	plain := append([]string{filepath.Base(words[0])}, words[1:]...)
	return r.fits(words) || r.fits(plain) || r.within(plain)
}

func (r rule) fits(words []string) bool {
	if len(words) < len(r.words) || r.kind == "exactly" && len(words) != len(r.words) {
		return false
	}
	for i, w := range r.words {
		if ok, err := path.Match(w, words[i]); words[i] != w && (err != nil || !ok) {
			return false
		}
	}
	return true
}

// within reports whether the words of the rule follow the program somewhere, as push does in "git -C dir push".
func (r rule) within(words []string) bool {
	if len(r.words) < 2 || r.kind == "exactly" || r.words[0] != words[0] {
		return false
	}
	rest := rule{kind: r.kind, words: r.words[1:]}
	for i := 1; i < len(words); i++ {
		if rest.fits(words[i:]) {
			return true
		}
	}
	return false
}

func (g *Guard) parseRules(texts []string) []rule {
	var all []rule
	for _, t := range texts {
		kind, rest, _ := strings.Cut(strings.TrimSpace(t), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case rest == "" && kind == "":
		case (kind == "edit" || kind == "read") && rest != "":
			all = append(all, rule{kind: kind, pattern: g.glob(rest), shown: rest})
		case (kind == "command" || kind == "exactly") && rest != "":
			all = append(all, rule{kind: kind, words: splitWords(rest)})
		default: // a command without the word for it
			all = append(all, rule{kind: "command", words: splitWords(strings.TrimSpace(t))})
		}
	}
	return all
}

// glob makes a pattern of a file rule absolute; a relative one starts in the workspace. A folder stands for what is
// directly in it.
func (g *Guard) glob(p string) string {
	if strings.HasSuffix(p, "/") {
		p += "*"
	}
	if p == "~" || strings.HasPrefix(p, "~/") {
		p = escapeGlob(g.o.Home) + strings.TrimPrefix(p, "~")
	}
	if !strings.HasPrefix(p, "/") && len(g.o.Roots) > 0 {
		root := g.o.Roots[0]
		if real, err := follow(root); err == nil {
			root = real
		}
		p = escapeGlob(root) + "/" + p
	}
	return path.Clean(p)
}

// dirRule allows kind for files directly in dir, a real path.
func (g *Guard) dirRule(kind, dir string) rule {
	shown := dir
	for _, r := range g.o.Roots {
		if real, err := follow(r); err == nil && under(dir, real) {
			shown = strings.TrimPrefix(strings.TrimPrefix(dir, real), "/")
			if shown == "" {
				shown = "."
			}
			break
		}
	}
	return rule{kind: kind, pattern: strings.TrimSuffix(escapeGlob(dir), "/") + "/*", shown: strings.TrimSuffix(shown, "/") + "/"}
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(s)
}

// ruleFor is the rule that "this session" remembers for a command of plain words: its program and subcommand where the
// program is known to have them, else the command as it stands.
func ruleFor(words []string, dir string) rule {
	if depth, ok := depthOf(words); ok && len(words) > depth {
		head := words[:depth+1]
		if !slices.ContainsFunc(head, func(w string) bool { return strings.HasPrefix(w, "-") }) {
			return rule{kind: "command", words: slices.Clone(head)}
		}
	}
	r := rule{kind: "exactly", words: slices.Clone(words)}
	if strings.Contains(words[0], "/") && !strings.HasPrefix(words[0], "/") {
		r.dir = dir
	}
	return r
}

// depthOf is how many words after the program say what it does; ok is false when nothing is known of it, or when its
// subcommand is one that a rule takes only as it stands.
func depthOf(words []string) (depth int, ok bool) {
	if slices.Contains(readers, words[0]) {
		return 0, true
	}
	subs, ok := subcommands[words[0]]
	if !ok || len(words) < 2 {
		return 0, false
	}
	depth, ok = subs[words[1]]
	return depth, ok
}

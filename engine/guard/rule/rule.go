package rule

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"talaria/engine/guard/place"
	"talaria/engine/guard/shell"
)

// Kind says what a rule speaks of.
type Kind string

// Command is every simple command that begins with the words, Exactly one command as it stands, Edit and Read are files,
// Fetch is a host of the network, Use a tool by its name.
const (
	Command Kind = "command"
	Exactly Kind = "exactly"
	Edit    Kind = "edit"
	Read    Kind = "read"
	Fetch   Kind = "fetch"
	Use     Kind = "use"
)

// Rule allows or denies something without a question. Its text is the kind and what it speaks of: "command npm test",
// "exactly cp a b", "edit src/**", "fetch example.com".
type Rule struct {
	Kind Kind
	// Dir is where the command must run, absolute; "" is anywhere: "./build" is another program elsewhere.
	Dir     string
	words   []string
	pattern string // absolute glob, for files
	shown   string // the pattern as the user knows it
}

func (r Rule) String() string { return string(r.Kind) + " " + r.subject() }

func (r Rule) subject() string {
	if r.shown != "" {
		return r.shown
	}
	return shell.Join(r.words)
}

// Label names what the rule allows, for a choice: "`npm test …`", "edits in src/".
func (r Rule) Label() string {
	switch s := r.subject(); r.Kind {
	case Edit, Read:
		if where := map[string]string{"./": "directly in the project folder", "**": "anywhere in the project"}[s]; where != "" {
			return string(r.Kind) + "s " + where
		}
		return map[Kind]string{Edit: "edits ", Read: "reads "}[r.Kind] + map[bool]string{true: "in ", false: "of "}[strings.HasSuffix(s, "/") || strings.HasSuffix(s, "**")] + s
	case Exactly:
		return "exactly `" + s + "`"
	case Fetch:
		return "pages of " + s
	case Use:
		return "the tool " + s
	case Command:
	}
	return "`" + r.subject() + " …`"
}

// Same reports whether two rules say the same.
func (r Rule) Same(o Rule) bool {
	return r.Dir == o.Dir && r.String() == o.String() && r.pattern == o.pattern
}

// Matches reports whether a file rule speaks of the file at a path.
func (r Rule) Matches(kind Kind, path string) bool {
	if r.Kind != kind {
		return false
	}
	ok, err := doublestar.Match(r.pattern, path)
	return err == nil && ok
}

// Names reports whether a rule of kind Fetch or Use speaks of name. In a rule of the configuration * stands for any part.
func (r Rule) Names(kind Kind, name string) bool {
	if r.Kind != kind {
		return false
	}
	ok, err := path.Match(strings.ToLower(r.shown), strings.ToLower(name))
	return err == nil && ok
}

// Covers reports whether an allowing rule speaks of a command of plain words that may run in dirs.
func (r Rule) Covers(words, dirs []string) bool {
	if r.Dir != "" && slices.ContainsFunc(dirs, func(d string) bool { return d != r.Dir }) {
		return false
	}
	switch r.Kind {
	case Exactly:
		return slices.Equal(r.words, words)
	case Command:
		bare := Bare(words)
		return len(bare) >= len(r.words) && slices.Equal(r.words, bare[:len(r.words)])
	case Edit, Read, Fetch, Use:
	}
	return false
}

// Forbids reports whether a denying rule speaks of a command. Words of the rule may be patterns, the program is known by
// its base name, and options before a subcommand do not hide it.
func (r Rule) Forbids(words []string) bool {
	if len(words) == 0 || r.Kind != Command && r.Kind != Exactly {
		return false
	}
	plain := append([]string{filepath.Base(words[0])}, words[1:]...)
	return r.fits(words) || r.fits(plain) || r.within(plain)
}

func (r Rule) fits(words []string) bool {
	if len(words) < len(r.words) || r.Kind == Exactly && len(words) != len(r.words) {
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
func (r Rule) within(words []string) bool {
	if len(r.words) < 2 || r.Kind == Exactly || r.words[0] != words[0] {
		return false
	}
	rest := Rule{Kind: r.Kind, words: r.words[1:]}
	for i := 1; i < len(words); i++ {
		if rest.fits(words[i:]) {
			return true
		}
	}
	return false
}

// Parse reads a rule. Relative file patterns start at base, the project's real root. Text that begins with no kind is a
// command. ok is false for text that says nothing.
func Parse(text, base, home string) (r Rule, ok bool) {
	text = strings.TrimSpace(text)
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch kind := Kind(word); {
	case text == "":
		return Rule{}, false
	case rest == "":
		return Rule{Kind: Command, words: shell.Split(text)}, true
	case kind == Edit || kind == Read:
		return Rule{Kind: kind, pattern: glob(rest, base, home), shown: rest}, true
	case kind == Fetch || kind == Use:
		return Rule{Kind: kind, shown: rest}, true
	case kind == Command || kind == Exactly:
		return Rule{Kind: kind, words: shell.Split(rest)}, true
	}
	return Rule{Kind: Command, words: shell.Split(text)}, true
}

// glob makes a pattern of a file rule absolute. A folder stands for what is directly in it.
func glob(p, base, home string) string {
	if strings.HasSuffix(p, "/") {
		p += "*"
	}
	switch {
	case p == "~" || strings.HasPrefix(p, "~/"):
		p = escape(home) + strings.TrimPrefix(p, "~")
	case !strings.HasPrefix(p, "/") && base != "":
		p = escape(base) + "/" + p
	}
	return path.Clean(p)
}

func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(s)
}

// shownAs writes a real path as a rule does: below base without it.
func shownAs(real, base string) string {
	switch {
	case real == base:
		return "."
	case base != "" && place.Under(real, base):
		real = strings.TrimPrefix(strings.TrimPrefix(real, base), "/")
	}
	if s := escape(real); !strings.HasPrefix(s, "~") {
		return s
	}
	return "./" + escape(real)
}

package rule

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"talaria/engine/guard/shell"
)

// Ladder is the rules that may be remembered for one thing, from the narrowest to the widest; At is the usual one.
type Ladder struct {
	Rules []Rule
	At    int
}

// Rung returns the rule that is by steps wider (or narrower) than the usual one, as far as there is one.
func (l Ladder) Rung(by int) Rule { return l.Rules[max(0, min(l.At+by, len(l.Rules)-1))] }

// maxPrefix is the most words of a rule that covers what begins with them.
const maxPrefix = 3

// ForCommand is the ladder of a command of plain words that runs in dir: the command as it stands, its first words, its
// program. The usual rule is the program with its subcommand where the program is known to have them, else the command
// as it stands. patterns says that words are file patterns: then no rule covers the
// command as it stands, and there is a rule only where one is usual.
func ForCommand(words []string, dir string, patterns bool) Ladder {
	var l Ladder
	exact, bare := Rule{Kind: Exactly, words: slices.Clone(words)}, Bare(words)
	if strings.Contains(bare[0], "/") && !strings.HasPrefix(bare[0], "/") {
		exact.Dir = dir
	}
	if !patterns {
		l.Rules = append(l.Rules, exact)
	}
	name, usual := filepath.Base(bare[0]), usualWords(bare)
	if slices.Contains(fixed, name) || patterns && usual == 0 {
		return l
	}
	n := 1
	for n < len(bare) && n < maxPrefix && !strings.HasPrefix(bare[n], "-") && !strings.ContainsAny(bare[n], "*?") {
		n++
	}
	least := 1
	if slices.Contains(narrow, name) || slices.Contains(shell.Interpreters, name) {
		least = 2
	}
	for ; n >= least; n-- {
		if n == usual {
			l.At = len(l.Rules)
		}
		l.Rules = append(l.Rules, Rule{Kind: Command, words: slices.Clone(bare[:n]), Dir: exact.Dir})
	}
	return l
}

// usualWords is how many first words say what a command does, 0 when nothing is known of it, or when its subcommand is
// one that is usually remembered only as it stands.
func usualWords(words []string) int {
	if slices.Contains(readers, words[0]) {
		return 1
	}
	subs, ok := subcommands[words[0]]
	if !ok {
		return 0
	}
	if len(subs) == 0 {
		return 1
	}
	if len(words) < 2 {
		return 0
	}
	depth, ok := subs[words[1]]
	if !ok || len(words) <= depth || slices.ContainsFunc(words[:depth+1], func(w string) bool { return strings.HasPrefix(w, "-") }) {
		return 0
	}
	return depth + 1
}

// ForFile is the ladder of a file at a real path: the file, what is directly in its folder, all below the folder, and
// inside base, the project's root, all of the project. The usual rule is the folder. It is empty for a name that a line
// of text cannot hold.
func ForFile(kind Kind, real, base string) Ladder {
	if strings.ContainsFunc(real, unicode.IsControl) || strings.TrimSpace(real) != real {
		return Ladder{}
	}
	folder := strings.TrimSuffix(shownAs(filepath.Dir(real), base), "/")
	tree := folder + "/**"
	if folder == "." {
		tree = "**"
	}
	l := Ladder{At: 1}
	for _, text := range []string{shownAs(real, base), folder + "/", tree, "**"} {
		if text == "**" && (!strings.HasPrefix(real, base+"/") || base == "") {
			continue
		}
		if strings.TrimSpace(text) != text {
			return Ladder{}
		}
		r, _ := Parse(string(kind)+" "+text, base, "")
		if !slices.ContainsFunc(l.Rules, r.Same) {
			l.Rules = append(l.Rules, r)
		}
	}
	return l
}

// ForHost is the ladder of a host of the network: the host, and all hosts of its parent domain.
func ForHost(host string) Ladder {
	l := Ladder{Rules: []Rule{{Kind: Fetch, shown: host}}}
	labels := strings.Split(host, ".")
	if _, err := strconv.Atoi(labels[len(labels)-1]); err == nil || len(labels) < 3 || strings.Contains(host, ":") {
		return l // an address, or nothing above that would be one owner's
	}
	return Ladder{Rules: append(l.Rules, Rule{Kind: Fetch, shown: "*." + strings.Join(labels[1:], ".")})}
}

// ForTool is the ladder of a tool that is allowed by its name.
func ForTool(name string) Ladder { return Ladder{Rules: []Rule{{Kind: Use, shown: name}}} }

// Bare returns a command without harmless variables and time limits in front: what they wrap is what a rule speaks of.
func Bare(words []string) []string {
	for len(words) > 1 {
		switch {
		case shell.IsAssignment(words[0]):
			words = words[1:]
		case words[0] == "timeout" && len(words) > 2 && duration(words[1]):
			words = words[2:]
		case words[0] == "nice" && !strings.HasPrefix(words[1], "-"):
			words = words[1:]
		default:
			return words
		}
	}
	return words
}

func duration(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimRight(s, "smh"), 64)
	return err == nil && !strings.HasPrefix(s, "-")
}

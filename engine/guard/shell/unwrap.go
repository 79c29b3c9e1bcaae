package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine/guard/place"
)

// unwrap looks at the commands that a command runs: the rest of a wrapper, the text of sh -c, the tail of find -exec.
func (a *analyst) unwrap(name string, words []string, sc scope) {
	args := words[1:]
	sc.depth++
	if sc.depth > maxDepth {
		a.broken("it is nested too deeply to be looked through")
		return
	}
	inner := sc
	inner.params = nil
	switch {
	case slices.Contains(shells, name):
		a.shell(args, sc)
	case name == "cd" || name == "pushd" || name == "chdir":
		a.cd(args)
	case name == "find" || name == "fd" || name == "fdfind":
		a.find(args, sc)
	case name == "trap" && len(args) > 1:
		a.text(args[0], inner)
	case name == "alias":
		for _, arg := range args {
			_, value, _ := strings.Cut(arg, "=")
			a.text(value, inner)
		}
	case name == "ssh":
		rest, _ := wrapper{valued: "BbcDEeFIiJLlmOopQRSWw", operands: 1}.strip(args)
		a.text(strings.Join(rest, " "), inner)
	case name == "source" || name == ".":
		if len(args) > 0 && (args[0] == "/dev/stdin" || args[0] == "-") {
			a.input(sc)
		}
	case slices.Contains([]string{"docker", "podman", "kubectl", "oc", "docker-compose", "nerdctl"}, name):
		a.contained(args, inner)
	}
	if opts, ok := texts[name]; ok {
		a.textOf(opts, args, inner)
	}
	if wrappers[name].assigns {
		for _, arg := range args {
			if v, _, ok := strings.Cut(arg, "="); ok && IsAssignment(arg) {
				a.loader(v)
			}
		}
	}
	if w, ok := wrappers[name]; ok && !(name == "command" && Short(leading(args), "vV")) { // command -v only looks
		rest, split := w.strip(args)
		for _, s := range split {
			a.text(s+" "+Join(rest), inner)
		}
		if name == "xargs" || name == "parallel" {
			if len(rest) > 0 && slices.Contains(removers, filepath.Base(rest[0])) {
				a.danger("deletes what it finds")
			}
			if len(rest) > 0 && rest[0] == "kill" {
				a.danger("ends processes by force or by name")
			}
			rest = a.fed(rest, args, inner)
		}
		a.run(rest, sc)
	}
}

// strip returns the command inside the arguments of a wrapper, and the texts that env -S splits into words.
func (w wrapper) strip(args []string) (rest, split []string) {
	skip := w.operands
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--" && skip == 0:
			return args[i+1:], split
		case arg == "--":
		case strings.HasPrefix(arg, "--"):
			name, value, glued := strings.Cut(arg[2:], "=")
			if abbreviates(name, w.long) && !glued && i+1 < len(args) {
				i++
				value = args[i]
			}
			if abbreviates(name, []string{"split-string"}) && w.assigns {
				split = append(split, value)
			}
		case len(arg) > 1 && arg[0] == '-':
			value, next := w.letter(arg)
			if next && i+1 < len(args) {
				i++
				value = args[i]
			}
			if strings.Contains(arg, "S") && w.assigns && strings.Contains(w.valued, "S") {
				split = append(split, value)
			}
		case w.assigns && IsAssignment(arg):
		case skip > 0:
			skip--
		default:
			return args[i:], split
		}
	}
	return nil, split
}

// letter reads a cluster of one-letter options: the value glued to the one that takes one, or whether the next word is.
func (w wrapper) letter(arg string) (value string, next bool) {
	for i := 1; i < len(arg); i++ {
		if strings.IndexByte(w.valued, arg[i]) >= 0 {
			return arg[i+1:], i == len(arg)-1
		}
	}
	return "", false
}

// shell looks at the text a shell is given, with -c or on its input.
func (a *analyst) shell(args []string, sc scope) {
	command, operands := false, []string(nil)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if len(arg) < 2 || arg[0] != '-' && arg[0] != '+' || arg == "--" {
			if arg == "--" || arg == "-" {
				i++
			}
			operands = args[min(i, len(args)):]
			break
		}
		if strings.HasPrefix(arg, "--") {
			if arg == "--rcfile" || arg == "--init-file" {
				i++
			}
			continue
		}
		command = command || arg[0] == '-' && strings.Contains(arg, "c")
		if strings.HasSuffix(arg, "o") || strings.HasSuffix(arg, "O") {
			i++
		}
	}
	// The variables of the one outside may not be exported; to take them as if they were is the careful guess.
	in := scope{vars: sc.vars, loose: sc.loose, depth: sc.depth, input: sc.input, piped: sc.piped}
	switch {
	case command && len(operands) > 0:
		in.params = slices.Concat(operands[1:], []string{"bash"})[:max(1, len(operands)-1)]
		if hidden(operands[0]) {
			a.danger("runs code that is known only when it runs")
		}
		a.text(operands[0], in)
	case len(operands) == 0 || operands[0] == "/dev/stdin":
		a.input(sc)
	}
}

// input looks at text that a shell reads from its standard input.
func (a *analyst) input(sc scope) {
	switch {
	case sc.input == nil:
	case hidden(*sc.input):
		a.danger("runs code that is known only when it runs")
		a.text(*sc.input, scope{depth: sc.depth, params: []string{"bash"}})
	default:
		a.danger("runs code given on the command line")
		a.text(*sc.input, scope{depth: sc.depth, params: []string{"bash"}})
	}
}

// cd notes where later commands run: in the new directory when it is there, else perhaps still in the old one.
func (a *analyst) cd(args []string) {
	target, ok := a.target(args)
	switch {
	case !ok:
	case isDir(target):
		a.dirs = []string{target}
	case len(a.dirs) < maxDirs && !slices.Contains(a.dirs, target):
		a.dirs = append(slices.Clone(a.dirs), target)
	}
}

// maxDirs is how many directories a command is taken to run in.
const maxDirs = 8

// Target is where a cd with args leads, seen from dir; ok is false when that cannot be told.
func Target(args []string, home, dir string) (to string, ok bool) {
	a := &analyst{land: place.Land{Home: home}, dirs: []string{dir}}
	return a.target(args)
}

// target is where cd leads; ok is false when that cannot be told.
func (a *analyst) target(args []string) (dir string, ok bool) {
	dir = a.land.Home
	for _, arg := range args {
		if arg == "-" {
			return "", false
		}
		if !strings.HasPrefix(arg, "-") {
			dir = arg
			break
		}
	}
	if hidden(dir) {
		return "", false
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.dirs[len(a.dirs)-1], dir)
	}
	return filepath.Clean(dir), true
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// find looks at what find runs on what it finds.
func (a *analyst) find(args []string, sc scope) {
	var starts []string
	i := 0
	for i < len(args) && slices.Contains([]string{"-H", "-L", "-P"}, args[i]) {
		i++
	}
	for ; i < len(args) && !strings.HasPrefix(args[i], "-") && args[i] != "(" && args[i] != "!"; i++ {
		starts = append(starts, args[i])
	}
	if len(starts) == 0 {
		starts = []string{"."}
	}
	filtered := false
	for _, arg := range args[i:] {
		filtered = filtered || slices.Contains(filters, arg)
	}
	if !filtered && word(args, "-delete") {
		a.hardline("rm", append([]string{"-r"}, starts...))
	}
	for j := i; j < len(args); j++ {
		if !slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"}, args[j]) {
			continue
		}
		end := j + 1
		for end < len(args) && args[end] != ";" && !(args[end] == "+" && args[end-1] == "{}") {
			end++
		}
		a.onFound(args[j+1:end], starts, filtered, sc)
		j = end
	}
}

// onFound looks at a command in which {} is a path that find found: each start when nothing is left out, else one below.
func (a *analyst) onFound(command, starts []string, filtered bool, sc scope) {
	if len(command) > 0 && slices.Contains(removers, filepath.Base(command[0])) {
		a.danger("deletes what it finds")
	}
	for _, s := range starts {
		if filtered {
			s += "/" + unknown
		}
		var words []string
		for _, w := range command {
			words = append(words, strings.ReplaceAll(w, "{}", s))
		}
		a.run(words, sc)
	}
}

// textOf looks at the text that follows one of opts, or at all words that are no options.
func (a *analyst) textOf(opts, args []string, sc scope) {
	if opts == nil {
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			args = args[1:]
		}
		a.text(strings.Join(args, " "), sc)
		return
	}
	for i, arg := range args {
		name, value, glued := strings.Cut(arg, "=")
		switch {
		case glued && slices.Contains(opts, name):
			a.text(value, sc)
		case slices.Contains(opts, arg) && i+1 < len(args):
			a.text(args[i+1], sc)
		case len(arg) > 2 && arg[0] == '-' && arg[1] != '-' && strings.HasSuffix(arg, "c") && i+1 < len(args): // -lc
			a.text(args[i+1], sc)
		}
	}
}

// fed adds what xargs reads to its command.
func (a *analyst) fed(rest, args []string, sc scope) []string {
	if i := slices.Index(rest, ":::"); i >= 0 { // of parallel
		if i == 0 { // each word is a command
			for _, text := range rest[1:] {
				a.text(text, sc)
			}
			return nil
		}
		return append(slices.Clone(rest[:i]), rest[i+1:]...)
	}
	if len(rest) == 0 {
		rest = []string{"echo"}
	}
	words := []string{unknown}
	if sc.input != nil {
		words = strings.Fields(strings.ReplaceAll(*sc.input, "\x00", " "))
	}
	place := replaced(args)
	if place == "" {
		return append(slices.Clone(rest), words...)
	}
	var out []string
	for _, r := range rest {
		if strings.Contains(r, place) {
			for _, w := range words {
				out = append(out, strings.ReplaceAll(r, place, w))
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

// replaced is the word that xargs -I replaces, "" without the option.
func replaced(args []string) string {
	for i, arg := range args {
		switch {
		case arg == "-I" && i+1 < len(args):
			return args[i+1]
		case strings.HasPrefix(arg, "-I"):
			return arg[2:]
		case arg == "-i" || arg == "--replace":
			return "{}"
		case strings.HasPrefix(arg, "--replace="):
			return arg[len("--replace="):]
		}
	}
	return ""
}

// IsAssignment reports whether a word is NAME=value.
func IsAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// contained looks at a command that runs in a container: the machine is safe from it, so that the hard line is a danger.
func (a *analyst) contained(args []string, sc scope) {
	i := slices.Index(args, "exec")
	if i < 0 {
		return
	}
	hard := a.out.Hard
	rest, _ := wrapper{valued: "eueuwfnc", long: []string{"env", "user", "workdir", "env-file", "detach-keys", "container", "namespace", "index"}, operands: 1}.strip(args[i+1:])
	a.run(rest, sc)
	if a.out.Hard != hard {
		a.danger("in the container: " + a.out.Hard)
		a.out.Hard = hard
	}
}

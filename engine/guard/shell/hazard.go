package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"talaria/engine/guard/place"
)

// hazards notes what the danger table says about a command.
func (a *analyst) hazards(name string, args []string) {
	bare := unversioned(name) // python3.12
	for _, h := range hazards {
		if (h.programs == nil || slices.Contains(h.programs, name) || slices.Contains(h.programs, bare)) && h.match(args) {
			a.danger(h.words)
		}
	}
	if slices.Contains(writers, name) {
		for _, arg := range args {
			if arg != "" && arg[0] != '-' {
				a.written(strings.TrimPrefix(arg, "of="))
			}
		}
	}
	if isInterpreter(name) && len(args) > 0 {
		for _, arg := range args {
			if hidden(arg) && len(arg) == len(unknown) { // bash <(curl ...)
				a.danger("runs a program that is known only when it runs")
			}
		}
	}
}

// written notes a path that is written to, when a change there weakens a protection or runs code later.
func (a *analyst) written(target string) {
	if target == "" || hidden(target) || target[0] == '&' || strings.HasPrefix(target, "/dev/") {
		return
	}
	for _, dir := range a.dirs {
		if a.spent() {
			return
		}
		l := a.land
		l.Dir = dir
		p := l.Look(target)
		switch {
		case p.Own:
			a.danger("changes Talaria's own files")
		case p.Secret:
			a.danger("writes a file that may hold keys")
		case p.Shielded:
			a.danger("changes what runs later (" + p.Given + ")")
		case p.Err == nil && !p.Inside && (place.Under(p.Real, "/etc") || place.Under(p.Real, "/usr") || place.Under(p.Real, "/boot") || place.Under(p.Real, "/System") || place.Under(p.Real, "/Library")):
			a.danger("changes the system's configuration")
		}
	}
}

func always([]string) bool { return true }

// Short reports whether a cluster of one-letter options among args holds one of letters.
func Short(args []string, letters string) bool {
	for _, arg := range args {
		if len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.ContainsAny(arg[1:], letters) {
			return true
		}
	}
	return false
}

// Long reports whether one of the long options names stands among args, whole or shortened.
func Long(args []string, names ...string) bool {
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--"); ok && name != "" {
			name, _, _ = strings.Cut(name, "=")
			if abbreviates(name, names) {
				return true
			}
		}
	}
	return false
}

// abbreviates reports whether name is the beginning of one of names, as GNU programs take it.
func abbreviates(name string, names []string) bool {
	return name != "" && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, name) })
}

// word reports whether one of words stands among args.
func word(args []string, words ...string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return slices.Contains(words, arg) })
}

// leadingWords are the first n words that are no options: a subcommand and what it works on.
func leadingWords(args []string, n int) (words []string) {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") && len(words) < n {
			words = append(words, arg)
		}
	}
	return words
}

// leading are the options before the first word that is none.
func leading(args []string) []string {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return args[:i]
		}
	}
	return args
}

var patterns sync.Map // pattern -> *regexp.Regexp

// matching reports whether one of args fits the pattern, one of this package's tables.
func matching(args []string, pattern string) bool {
	v, ok := patterns.Load(pattern)
	if !ok {
		v, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return slices.ContainsFunc(args, v.(*regexp.Regexp).MatchString)
}

package shell

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What is said when a file is run that the same text has made.
const (
	ranFetched = "runs what it downloads"
	ranWritten = "runs a file that it has just written"
	ranMarked  = "makes a file executable and runs it"
)

// writes notes the files that a command makes, so that running one of them is seen for what it is, and looks at where
// programs with an option for their output write.
func (a *analyst) writes(s *syntax.Stmt, words []string, w *world) {
	if len(words) == 0 {
		return
	}
	fetches := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(fetchers, filepath.Base(w)) })
	why := map[bool]string{true: ranFetched, false: ranWritten}[fetches]
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
			for _, t := range a.fields([]*syntax.Word{r.Word}, w) {
				a.make(t, why)
			}
		}
	}
	for i, word := range words {
		name, rest := filepath.Base(word), words[i+1:]
		switch {
		case slices.Contains(fetchers, name):
			a.fetchedTo(name, rest)
		case name == "tee":
			for _, t := range rest {
				a.make(t, map[bool]string{true: ranFetched, false: ranWritten}[a.fetchesInto(s, w)])
			}
		case name == "chmod":
			for _, t := range rest {
				if a.known(t) == "" {
					a.make(t, ranMarked)
				}
			}
		case (name == "cp" || name == "mv" || name == "install") && len(rest) > 1:
			for _, t := range rest[:len(rest)-1] {
				if why := a.known(t); why != "" {
					a.make(rest[len(rest)-1], why)
				}
			}
		default:
			continue
		}
		return
	}
}

func (a *analyst) fetchesInto(s *syntax.Stmt, w *world) bool {
	from := feeder(s, w.sc)
	return from != nil && a.fetches(from)
}

// fetchedTo notes where a download goes: -o FILE, -O FILE, --output=FILE, or the last part of the address.
func (a *analyst) fetchedTo(name string, args []string) {
	letters := map[string]string{"curl": "o", "wget": "O", "aria2c": "o", "http": "o", "https": "o", "xh": "o", "fetch": "o"}[name]
	for i, arg := range args {
		target := ""
		long, value, glued := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		switch {
		case strings.HasPrefix(arg, "--") && (abbreviates(long, []string{"output", "output-document", "out"}) && len(long) > 2):
			target = value
			if !glued && i+1 < len(args) {
				target = args[i+1]
			}
		case strings.HasPrefix(arg, "--"):
		case len(arg) > 1 && arg[0] == '-' && letters != "" && strings.Contains(arg, letters):
			_, target, _ = strings.Cut(arg, letters)
			if target == "" && i+1 < len(args) {
				target = args[i+1]
			}
		case !strings.HasPrefix(arg, "-"):
			a.make(path.Base(arg), ranFetched)
		}
		if target != "" && target != "-" {
			a.make(target, ranFetched)
			a.written(target)
		}
	}
}

// maxMade is how many files are kept in mind.
const maxMade = 500

func (a *analyst) make(target, why string) {
	if target == "" || target[0] == '-' || hidden(target) || len(a.made) >= maxMade || strings.HasPrefix(target, "/dev/") {
		return
	}
	for _, dir := range a.dirs {
		if p := a.land.At(dir).Abs(target); a.made[p] != ranFetched {
			a.made[p] = why
		}
	}
}

// known is what to say when target is run, "" when the text did not make it.
func (a *analyst) known(target string) string {
	for _, dir := range a.dirs {
		if why := a.made[a.land.At(dir).Abs(target)]; why != "" {
			return why
		}
	}
	return ""
}

func (a *analyst) runsFile(target string) {
	if why := a.known(target); why != "" && !hidden(target) {
		a.danger(why)
	}
}

package shell

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"talaria/engine/guard/place"
)

// hardline looks for what is never run, whoever says yes.
func (a *analyst) hardline(name string, args []string) {
	switch {
	case name == "rm" && (Short(args, "rR") || Long(args, "recursive")):
		for _, arg := range args {
			if what := a.precious(arg); what != "" {
				a.hard("it would delete " + what)
			}
		}
	case slices.ContainsFunc(formatters, func(f string) bool { ok, _ := path.Match(f, name); return ok }):
		a.hard("it would make a new file system over what is there")
	case slices.Contains(powerOff, name), name == "init" && word(args, "0", "6"), powers(name, args):
		a.hard("it would stop or restart the machine")
	case name == "kill" && killsAll(args):
		a.hard("it would end every process")
	case slices.Contains(diskWriters, name):
		for _, arg := range args {
			if devicePath.MatchString(a.clean(strings.TrimPrefix(arg, "of="))) && (name != "dd" || strings.HasPrefix(arg, "of=")) {
				a.hard("it would write over a disk")
			}
		}
	}
}

// redirect looks at where the output of a command goes.
func (a *analyst) redirect(r *syntax.Redirect, w *world) {
	switch r.Op {
	case syntax.RdrIn, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	}
	for _, target := range a.fields([]*syntax.Word{r.Word}, w) {
		clean := a.clean(target)
		switch {
		case devicePath.MatchString(clean):
			a.hard("it would write over a disk")
		case strings.HasPrefix(clean, "/dev/tcp/") || strings.HasPrefix(clean, "/dev/udp/"):
			a.danger("opens a network port to a shell")
		case clean == "/proc/sysrq-trigger":
			a.hard("it would stop or restart the machine")
		}
		a.written(target)
	}
}

func (a *analyst) clean(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return p
}

// precious names what the deletion of arg would take, "" when it is not in the list.
func (a *analyst) precious(arg string) string {
	if hidden(arg) || arg == "" || len(arg) > 1 && arg[0] == '-' {
		return ""
	}
	for _, dir := range a.dirs {
		if a.spent() {
			return ""
		}
		p := arg
		if !filepath.IsAbs(p) {
			p = dir + "/" + p
		}
		parent, base := filepath.Split(filepath.Clean(p))
		candidates := []string{filepath.Clean(p)}
		if real, err := place.Follow(filepath.Clean(parent)); err == nil {
			candidates = append(candidates, filepath.Join(real, base))
		}
		if real, err := place.Follow(p); err == nil && strings.HasSuffix(p, "/") { // a link with a slash is what it leads to
			candidates = append(candidates, real)
		}
		for _, c := range candidates {
			if what := a.takes(c); what != "" {
				return what
			}
		}
	}
	return ""
}

// takes names the precious folder that a clean path, which may hold file patterns, takes whole.
func (a *analyst) takes(p string) string {
	low := strings.ToLower(p)
	parent, base := filepath.Split(low)
	parent = filepath.Clean(parent)
	all := strings.Trim(base, "*?.[]!^{},") == "" && strings.ContainsAny(base, "*?[")
	for _, dir := range append([]string{a.land.Home}, systemDirs...) {
		d := strings.ToLower(dir)
		if d == "" {
			continue
		}
		if low == d || matches(low, d) {
			return dir
		}
		if all && (parent == d || matches(parent, d)) {
			return "everything in " + dir
		}
	}
	if home := strings.ToLower(a.land.Home); home != "" && (place.Under(home, low) || all && place.Under(home, parent)) {
		return "a folder around your home directory"
	}
	return ""
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// powers reports whether a service manager is told to stop the machine.
func powers(name string, args []string) bool {
	if name != "systemctl" && name != "loginctl" {
		return false
	}
	starts := word(args, "start", "isolate")
	for i, arg := range args {
		if slices.Contains(powerUnits, arg) && !slices.ContainsFunc(args[:i], func(w string) bool { return !strings.HasPrefix(w, "-") }) {
			return true
		}
		if unit, ok := strings.CutSuffix(arg, ".target"); ok && starts && slices.Contains(powerUnits, unit) {
			return true
		}
	}
	return false
}

// killsAll reports whether kill is aimed at -1, which is every process. The first word with a dash is the signal.
func killsAll(args []string) bool {
	if len(args) == 1 && args[0] == "-1" {
		return true
	}
	switch {
	case len(args) > 1 && (args[0] == "-s" || args[0] == "-n" || args[0] == "--signal"):
		args = args[2:]
	case len(args) > 0 && strings.HasPrefix(args[0], "-"):
		args = args[1:]
	}
	return slices.Contains(args, "-1")
}

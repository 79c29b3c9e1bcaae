package shell

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// feed notes that all that stands after a pipe reads what stands before it: a command, and each command of a subshell,
// a group or a loop.
func (sc scope) feed(b *syntax.BinaryCmd) {
	syntax.Walk(b.Y, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			sc.feeds[s] = b.X
		}
		return true
	})
}

// process is the <( ) that a word consists of, nil when it does not.
func process(w *syntax.Word) *syntax.ProcSubst {
	if w == nil || len(w.Parts) != 1 {
		return nil
	}
	p, _ := w.Parts[0].(*syntax.ProcSubst)
	return p
}

// feeder is what brings the input of s, nil when it is not brought by a command.
func feeder(s *syntax.Stmt, sc scope) syntax.Node {
	for _, r := range s.Redirs {
		if p := process(r.Word); p != nil && r.Op == syntax.RdrIn {
			return p
		}
	}
	if from := sc.feeds[s]; from != nil {
		return from
	}
	return nil
}

// substituted looks at code that a shell gets from a substitution: bash <(curl x), sh -c "$(curl x)", source <(echo y).
func (a *analyst) substituted(call *syntax.CallExpr, w *world, sc scope) {
	runs := func(word *syntax.Word) bool {
		name := filepath.Base(word.Lit())
		return slices.Contains(shells, name) || name == "eval" || name == "source" || name == "."
	}
	codes := slices.ContainsFunc(call.Args, runs)
	if len(call.Args) > 1 && slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return w.Lit() == "kill" }) && a.calls(call, finders) {
		a.danger("ends processes by force or by name")
	}
	for _, arg := range call.Args {
		p := process(arg)
		interprets := p != nil && slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return isInterpreter(filepath.Base(w.Lit())) })
		if !codes && !interprets {
			continue
		}
		if a.fetches(arg) {
			a.danger("runs what it downloads")
		}
		if p != nil && codes {
			text := a.output(p.Stmts, w)
			sc.input = &text
			sc.depth++
			a.input(sc)
		}
	}
}

func (a *analyst) fetches(n syntax.Node) bool { return a.calls(n, fetchers) }

// calls reports whether one of programs is called somewhere below n.
func (a *analyst) calls(n syntax.Node, programs []string) (yes bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			for _, w := range c.Args {
				yes = yes || slices.Contains(programs, filepath.Base(w.Lit()))
			}
		}
		return !yes
	})
	return yes
}

// program looks at an interpreter that gets its program from its input, and at one that is given a file which the text
// has just made.
func (a *analyst) program(name string, words []string, sc scope) {
	args := words[1:]
	if strings.Contains(words[0], "/") {
		a.runsFile(words[0])
	}
	operand, stdin := script(name, args)
	switch {
	case operand != "":
		a.runsFile(operand)
	case slices.Contains(databases, name):
		a.query(sc)
	case !stdin:
	case sc.piped != nil:
		a.danger("runs what a pipe brings as a program")
		if a.fetches(sc.piped) {
			a.danger("runs what it downloads")
		}
	case sc.input != nil && !slices.Contains(shells, name): // for shells the text itself is looked at
		a.danger("runs code given on the command line")
	}
}

// query looks at what a database is told on its input.
func (a *analyst) query(sc scope) {
	switch {
	case sc.input != nil && !hidden(*sc.input):
		for _, h := range hazards {
			if h.programs == nil && h.match([]string{*sc.input}) {
				a.danger(h.words)
			}
		}
	case sc.piped != nil:
		a.danger("runs what a pipe brings as a program")
	}
}

// script is the file that an interpreter is given, and whether it reads its program from its input.
func script(name string, args []string) (operand string, stdin bool) {
	if name == "source" || name == "." {
		if len(args) > 0 {
			return args[0], args[0] == "/dev/stdin" || args[0] == "-"
		}
		return "", false
	}
	if !isInterpreter(name) || slices.Contains(databases, name) {
		return "", false
	}
	isShell := slices.Contains(shells, name)
	for i, arg := range args {
		switch {
		case arg == "-" || arg == "/dev/stdin":
			return "", true
		case arg == "--":
			continue
		case strings.HasPrefix(arg, "--"):
			if name, _, _ := strings.Cut(arg[2:], "="); abbreviates(name, []string{"eval", "print", "version", "help", "command"}) {
				return "", false
			}
		case strings.HasPrefix(arg, "-") && isShell && strings.Contains(arg, "s"):
			return "", true
		case strings.HasPrefix(arg, "-") && strings.ContainsAny(arg[1:], map[bool]string{true: "c", false: "cemprEV"}[isShell]):
			return "", false
		case strings.HasPrefix(arg, "-"):
		case isShell && i > 0 && (strings.HasSuffix(args[i-1], "o") || strings.HasSuffix(args[i-1], "O")) && args[i-1][0] == '-':
		case hidden(arg):
			return "", false
		default:
			return arg, false
		}
	}
	return "", true
}

// isInterpreter reports whether a program runs code; python3.12 is python.
func isInterpreter(name string) bool {
	return slices.Contains(Interpreters, name) || slices.Contains(Interpreters, unversioned(name))
}

// unversioned is a program's name without its version.
func unversioned(name string) string { return strings.TrimRight(name, "0123456789.") }

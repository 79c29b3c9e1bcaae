package terminal

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unfit says why command cannot be run here, "" when it can: a full-screen program has no terminal to draw on, and what
// never ends by itself would only be ended by the time limit. What cannot be read is run: the shell will say.
func unfit(command string, background bool) string {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return ""
	}
	l := lookout{}
	for _, st := range f.Stmts {
		l.stmt(st, place{aside: background})
	}
	return l.why
}

// place is where in a command a program stands.
type place struct {
	aside bool // in the background: nobody waits for it
	fed   bool // it reads what another program writes, or a file
	feeds bool // another program reads what it writes, and may end it
}

// lookout goes through a command and stops at the first program that does not fit.
type lookout struct{ why string }

func (l *lookout) stmt(s *syntax.Stmt, p place) {
	if l.why != "" || s.Cmd == nil {
		return
	}
	p.aside = p.aside || s.Background
	for _, r := range s.Redirs {
		p.fed = p.fed || r.Op == syntax.RdrIn || r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc
	}
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		l.stmt(b.X, place{p.aside, p.fed, true})
		l.stmt(b.Y, place{p.aside, true, p.feeds})
		return
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		l.why = unfitCall(words(call), p)
	}
	syntax.Walk(s.Cmd, func(n syntax.Node) bool {
		inner, ok := n.(*syntax.Stmt)
		if ok {
			l.stmt(inner, p)
		}
		return !ok
	})
}

// words are the plain words of a call up to the first that is none, wrappers that change nothing here left out.
func words(call *syntax.CallExpr) []string {
	var out []string
	for _, a := range call.Args {
		w := a.Lit()
		if w == "" && len(a.Parts) == 1 {
			switch q := a.Parts[0].(type) {
			case *syntax.SglQuoted:
				w = q.Value
			case *syntax.DblQuoted:
				if len(q.Parts) == 1 {
					if l, ok := q.Parts[0].(*syntax.Lit); ok {
						w = l.Value
					}
				}
			}
		}
		out = append(out, w)
	}
	for len(out) > 1 && slices.Contains(wrappers, filepath.Base(out[0])) {
		out = out[1:]
		for len(out) > 1 && strings.Contains(out[0], "=") {
			out = out[1:]
		}
	}
	return out
}

func unfitCall(w []string, p place) string {
	if len(w) == 0 || slices.ContainsFunc(w[1:], func(a string) bool { return slices.Contains(answered, a) }) {
		return ""
	}
	name, args := filepath.Base(w[0]), w[1:]
	if excused(name, args) {
		return ""
	}
	if advice, ok := fullScreen[name]; ok {
		return name + " needs a terminal, and there is none. " + advice
	}
	if p.aside {
		return ""
	}
	if how, ok := dialogues[name]; ok && !p.fed && !slices.ContainsFunc(args, how.given) {
		return name + " waits for input here, and there is none. " + how.advice
	}
	for _, s := range servers {
		if s.fits(name, args) && !(s.pipes && p.feeds) {
			return "this does not end by itself, so the call would only end at its time limit. Run it with background=true; " +
				"then process(action=\"poll\") shows what it prints."
		}
	}
	return ""
}

// given reports whether the argument says what the program is to run.
func (d dialogue) given(arg string) bool {
	if slices.Contains(d.options, arg) {
		return true
	}
	return d.script && !strings.HasPrefix(arg, "-")
}

func excused(name string, args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(batch[name], a) })
}

// fits reports whether the call is of this kind: the words of args stand in order at the beginning of the call's, options
// between them left out.
func (s server) fits(name string, args []string) bool {
	if !slices.Contains(s.names, name) {
		return false
	}
	rest, valued := s.args, false // valued: the word before was an option, which may take this one
	for _, a := range args {
		if len(rest) == 0 {
			break
		}
		option := strings.HasPrefix(a, "-")
		switch {
		case slices.Contains(strings.Split(rest[0], "|"), a):
			rest = rest[1:]
		case !option && !valued:
			return false
		}
		valued = option
	}
	return len(rest) == 0
}

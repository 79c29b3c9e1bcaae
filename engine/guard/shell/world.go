package shell

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// unknown stands in a word for what is known only when the command runs.
const unknown = "\uE000"

// Bounds of an expansion.
const (
	maxWorlds = 32
	maxFields = 4096
	maxWord   = 64 << 10
)

func hidden(word string) bool { return strings.Contains(word, unknown) }

// world is one assignment of values to variables; it is the environment in which words are expanded.
type world struct {
	sc scope
	n  int // which value of each variable
	a  *analyst
}

// learn returns sc with the variables, functions and pipes of node.
func (sc scope) learn(node syntax.Node, a *analyst) scope {
	sc.vars, sc.funcs, sc.feeds = maps.Clone(sc.vars), maps.Clone(sc.funcs), maps.Clone(sc.feeds)
	if sc.vars == nil {
		sc.vars = map[string][]string{}
	}
	if sc.funcs == nil {
		sc.funcs = map[string]*syntax.Stmt{}
	}
	if sc.feeds == nil {
		sc.feeds = map[*syntax.Stmt]*syntax.Stmt{}
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			if n.Name != nil {
				sc.funcs[n.Name.Value] = n.Body
			}
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				sc.feed(n)
			}
		case *syntax.Assign:
			sc.set(n, a)
		case *syntax.WordIter:
			sc.iterate(n, a)
		case *syntax.CallExpr:
			if len(n.Args) > 0 && slices.Contains(setters, n.Args[0].Lit()) {
				sc.loose = true
			}
		}
		return true
	})
	return sc
}

func (sc scope) set(n *syntax.Assign, a *analyst) {
	if n.Name == nil || n.Naked {
		return
	}
	name := n.Name.Value
	value := unknown
	if n.Value != nil && n.Index == nil {
		value = a.literal(n.Value, &world{sc: sc, a: a})
	} else if n.Value == nil && n.Array == nil {
		value = ""
	}
	if n.Append {
		for _, old := range sc.vars[name] {
			sc.add(name, old+value)
		}
	}
	sc.add(name, value)
}

func (sc scope) iterate(n *syntax.WordIter, a *analyst) {
	if n.Name == nil {
		return
	}
	if !n.InPos.IsValid() { // for x; do: the parameters
		sc.add(n.Name.Value, unknown)
	}
	for _, v := range a.fields(n.Items, &world{sc: sc, a: a}) {
		sc.add(n.Name.Value, v)
	}
}

// add notes a value. Of more than maxWorlds values the rest are one that is unknown.
func (sc scope) add(name, value string) {
	vs := sc.vars[name]
	if slices.Contains(vs, value) || len(vs) > maxWorlds {
		return
	}
	if len(vs) == maxWorlds || len(value) > maxWord {
		value = unknown
	}
	sc.vars[name] = append(vs, value)
}

// worlds are as many as the variable with the most values has.
func (a *analyst) worlds(sc scope) []*world {
	n := 1
	for _, vs := range sc.vars {
		n = max(n, len(vs))
	}
	all := make([]*world, n)
	for i := range all {
		all[i] = &world{sc, i, a}
	}
	return all
}

// Get is the value of a variable, for the expansion of words. What nobody sets is empty, as in the shell.
func (w *world) Get(name string) expand.Variable {
	str := func(s string) expand.Variable { return expand.Variable{Set: true, Kind: expand.String, Str: s} }
	if user, ok := strings.CutPrefix(name, "HOME "); ok {
		if user == "root" {
			return str("/root")
		}
		return str("/home/" + user)
	}
	if vs := w.sc.vars[name]; len(vs) > 0 {
		return str(vs[min(w.n, len(vs)-1)])
	}
	switch name {
	case "IFS":
		return str(" \t\n")
	case "HOME":
		return str(w.a.land.Home)
	case "PWD":
		return str(w.a.dirs[len(w.a.dirs)-1])
	case "@", "*", "#", "?", "$", "!", "-", "_", "PPID", "OLDPWD", "RANDOM", "SECONDS", "LINENO":
		if w.sc.params != nil && !w.sc.loose && (name == "@" || name == "*") {
			return expand.Variable{Set: true, Kind: expand.Indexed, List: w.sc.params[min(1, len(w.sc.params)):]}
		}
		return str(unknown)
	}
	if i, err := strconv.Atoi(name); err == nil {
		switch {
		case w.sc.params == nil || w.sc.loose:
			return str(unknown)
		case i < len(w.sc.params):
			return str(w.sc.params[i])
		}
		return expand.Variable{}
	}
	if w.sc.loose {
		return str(unknown)
	}
	if v, ok := w.a.lookup(name); ok {
		return str(v)
	}
	return expand.Variable{}
}

// Each lists nothing: ${!prefix*} is not followed.
func (w *world) Each(func(string, expand.Variable) bool) {}

func (w *world) config() *expand.Config {
	return &expand.Config{Env: w,
		CmdSubst: func(out io.Writer, c *syntax.CmdSubst) error {
			io.WriteString(out, w.a.output(c.Stmts, w))
			return nil
		},
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return unknown, nil },
	}
}

// fields expands words as the shell does, except for file names. What cannot be told is unknown.
func (a *analyst) fields(words []*syntax.Word, w *world) []string {
	var all []string
	size := 0
	for _, word := range words {
		fs := a.expand(word, w)
		for _, f := range fs {
			size += len(f)
		}
		if len(all)+len(fs) > maxFields || size > maxText {
			return append(all, unknown)
		}
		all = append(all, fs...)
	}
	return all
}

var errTooMany = errors.New("too many words")

func (a *analyst) expand(word *syntax.Word, w *world) []string {
	fs, err := attempt(word, func() (fs []string, err error) {
		for f, err := range expand.FieldsSeq(w.config(), word) {
			if err == nil && (len(fs) >= maxFields || len(f) > maxWord) {
				err = errTooMany
			}
			if err != nil {
				return nil, err
			}
			fs = append(fs, f)
		}
		return fs, nil
	})
	if err != nil {
		return []string{unknown}
	}
	return fs
}

// attempt expands a word in a way that stays within bounds; the library panics on parts that it does not know.
func attempt[T any](word *syntax.Word, f func() (T, error)) (t T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("expand: %v", v)
		}
	}()
	if !tame(word) {
		return t, errTooMany
	}
	return f()
}

// literal expands a word that the shell does not split, such as the value of an assignment.
func (a *analyst) literal(word *syntax.Word, w *world) string {
	if word == nil {
		return unknown
	}
	return strings.Join(a.expand(word, w), " ")
}

// document expands a here-document.
func (a *analyst) document(word *syntax.Word, w *world) string {
	s, err := attempt(word, func() (string, error) { return expand.Document(w.config(), word) })
	if err != nil || len(s) > maxWord {
		return unknown
	}
	return s
}

// tame reports whether a word can be expanded without reckoning and within bounds.
func tame(word *syntax.Word) bool {
	ok, parts := true, 0
	syntax.Walk(word, func(n syntax.Node) bool {
		parts++
		switch n := n.(type) {
		case *syntax.ArithmExp, *syntax.ExtGlob:
			ok = false
		case *syntax.ParamExp:
			if n.Index != nil || n.Slice != nil || n.Names != 0 || n.NestedParam != nil || n.Excl {
				ok = false
			}
		case *syntax.CmdSubst:
			return false // looked at by output
		}
		return ok
	})
	return ok && parts < 2000
}

// output is what a few harmless commands print, the rest is unknown: $(echo rm) is rm.
func (a *analyst) output(stmts []*syntax.Stmt, w *world) string {
	if len(stmts) != 1 || w.sc.depth > maxDepth {
		return unknown
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return unknown
	}
	deeper := &world{w.sc, w.n, a}
	deeper.sc.depth++
	words := a.fields(call.Args, deeper)
	if len(words) == 0 || hidden(strings.Join(words, "")) {
		return unknown
	}
	switch filepath.Base(words[0]) {
	case "echo":
		args := words[1:]
		for len(args) > 0 && strings.HasPrefix(args[0], "-") && strings.Trim(args[0], "-neE") == "" {
			args = args[1:]
		}
		return strings.Join(args, " ") + "\n"
	case "printf":
		return formatted(words[1:], w)
	case "pwd":
		return a.dirs[len(a.dirs)-1] + "\n"
	case "cat":
		if in := a.inputOf(stmts[0], deeper); len(words) == 1 && in != nil {
			return *in
		}
	}
	return unknown
}

func formatted(args []string, w *world) string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || len(args[0]) > 4096 || widths.MatchString(args[0]) {
		return unknown
	}
	s, _, err := expand.Format(w.config(), args[0], args[1:])
	if err != nil || len(s) > maxWord {
		return unknown
	}
	return s
}

// inputOf is what a command reads on its standard input, nil when that is unknown.
func (a *analyst) inputOf(s *syntax.Stmt, w *world) *string {
	for _, r := range s.Redirs {
		switch {
		case r.Hdoc != nil:
			text := a.document(r.Hdoc, w)
			return &text
		case r.Op == syntax.WordHdoc:
			text := a.literal(r.Word, w) + "\n"
			return &text
		case r.Op == syntax.RdrIn && process(r.Word) != nil:
			text := a.output(process(r.Word).Stmts, w)
			return &text
		case r.Op == syntax.RdrIn || r.Op == syntax.DplIn:
			return nil
		}
	}
	if from := w.sc.feeds[s]; from != nil {
		if _, simple := from.Cmd.(*syntax.CallExpr); simple {
			text := a.output([]*syntax.Stmt{from}, w)
			return &text
		}
		text := unknown
		return &text
	}
	return w.sc.input
}

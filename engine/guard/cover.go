package guard

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// plainCommands returns the words of every simple command of a text in which nothing is hidden: commands of literal
// words, joined by ; && || and |. ok is false for anything else: substitutions, variables, patterns, assignments,
// redirections to files, background, compound commands, comments, odd characters. A rule covers only such a text, since only here is what
// is read what is run.
func plainCommands(text string, f *syntax.File) (all [][]string, ok bool) {
	if f == nil || len(f.Stmts) == 0 || len(f.Last) > 0 || strings.ContainsFunc(text, odd) || splitWord.MatchString(text) || strings.HasSuffix(text, `\`) {
		return nil, false
	}
	ok = true
	var stmt func(s *syntax.Stmt)
	stmt = func(s *syntax.Stmt) {
		if s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Comments) > 0 || slices.ContainsFunc(s.Redirs, writes) {
			ok = false
		}
		switch cmd := s.Cmd.(type) {
		case *syntax.BinaryCmd:
			stmt(cmd.X)
			stmt(cmd.Y)
		case *syntax.CallExpr:
			words, plain := plainWords(cmd)
			ok = ok && plain
			all = append(all, words)
		default:
			ok = false
		}
	}
	for _, s := range f.Stmts {
		stmt(s)
	}
	return all, ok
}

// odd are characters that a person, this parser and a shell may take differently.
func odd(r rune) bool {
	return r != '\n' && r != '\t' && r != ' ' && (!unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || r == unicode.ReplacementChar)
}

// writes reports whether a redirection does more than join or silence outputs, or empty the input.
func writes(r *syntax.Redirect) bool {
	target := r.Word.Lit()
	if n := r.N; n != nil && !slices.Contains([]string{"0", "1", "2"}, n.Value) {
		return true
	}
	switch r.Op {
	case syntax.DplOut:
		return target != "1" && target != "2"
	case syntax.RdrOut, syntax.AppOut, syntax.RdrIn, syntax.RdrAll, syntax.AppAll:
		return target != "/dev/null"
	}
	return true
}

func plainWords(c *syntax.CallExpr) (words []string, ok bool) {
	if len(c.Assigns) > 0 || len(c.Args) == 0 {
		return nil, false
	}
	for i, w := range c.Args {
		s, plain := plainWord(w)
		if !plain || i == 0 && w.Lit() != s { // a program's name is spelt as it is
			return nil, false
		}
		words = append(words, s)
	}
	return words, true
}

// plainWord returns the one string that w always is.
func plainWord(w *syntax.Word) (string, bool) {
	if split := (&syntax.Word{Parts: slices.Clone(w.Parts)}); syntax.SplitBraces(split) {
		return "", false
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if globs(p.Value) {
				return "", false
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
		case *syntax.DblQuoted:
			if p.Dollar {
				return "", false
			}
			for _, q := range p.Parts {
				if _, lit := q.(*syntax.Lit); !lit {
					return "", false
				}
			}
		default:
			return "", false
		}
	}
	if tilde := w.Lit(); strings.HasPrefix(tilde, "~") && tilde != "~" && !strings.HasPrefix(tilde, "~/") {
		return "", false
	}
	// Nothing in the word expands, so what is left is the taking off of quotes. A ~ stays for the look at paths.
	if strings.HasPrefix(w.Lit(), "~") {
		return w.Lit(), !strings.Contains(w.Lit(), `\`)
	}
	fields, err := expand.Fields(&expand.Config{}, w)
	if err != nil || len(fields) != 1 {
		return "", false
	}
	return fields[0], true
}

// globs reports whether an unquoted literal holds a character of file patterns without a backslash.
func globs(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		}
	}
	return false
}

// ruleable reports whether a command of plain words may be covered by a rule at all: it is no wrapper, uses no option
// that runs or writes something else, and names no path outside the workspace or with keys in it.
func (g *Guard) ruleable(words []string, dirs []string) bool {
	name := filepath.Base(words[0])
	if slices.Contains(never, name) || risks(name, words[1:]) {
		return false
	}
	for _, dir := range dirs {
		l := g.land(dir)
		if !l.look(".").inside || !l.ordinary(words) {
			return false
		}
	}
	return true
}

// risks reports whether one of args is an option that runs a program, writes a file, or moves the command elsewhere.
func risks(name string, args []string) bool {
	o, ok := risky[name]
	if !ok {
		o = risky[""]
	}
	if short(args, o.letters) || long(args, o.long...) {
		return true
	}
	for _, arg := range args {
		single, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && slices.Contains(o.single, single) {
			return true
		}
		if isAssignment(arg) { // make SHELL=..., mvn -D and the like
			return true
		}
	}
	return false
}

// ordinary reports whether every path among words is inside the workspace and free of keys. Any word may be a path, and
// so may what follows = or : in it or a one-letter option.
func (l land) ordinary(words []string) bool {
	for i, w := range words {
		pieces := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("=:@,", r) })
		if strings.HasPrefix(w, "-") && len(w) > 2 {
			pieces = append(pieces, w[2:])
		}
		for _, p := range append(pieces, w) {
			if i == 0 && !strings.Contains(p, "/") { // found by PATH
				continue
			}
			if p := l.look(p); p.own || p.secret || p.err != nil || !p.inside || p.shielded {
				return false
			}
		}
	}
	return true
}

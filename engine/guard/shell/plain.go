package shell

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Command is one simple command of a text in which nothing is hidden. Words are as a shell would pass them, but for file
// patterns, which stand as they are; variables that are set for it alone, and are known to be harmless, stand in front.
type Command struct {
	Words []string
	globs []bool // by word; nil: none
}

// Plain returns the simple commands of a text in which nothing is hidden: commands of literal words and simple file
// patterns, joined by ; && || and |. ok is false for anything else: substitutions, variables, assignments, redirections
// to files, background, compound commands, comments, odd characters. A rule covers only such a text, since only here is
// what is read what is run.
func Plain(text string, f *syntax.File) (all []Command, ok bool) {
	if f == nil || len(f.Stmts) == 0 || len(f.Last) > 0 || strings.ContainsFunc(text, odd) || splitWord.MatchString(text) || commentEnd.MatchString(text) || strings.HasSuffix(text, `\`) {
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
			c, plain := plainCommand(cmd)
			ok = ok && plain
			all = append(all, c)
		default:
			ok = false
		}
	}
	for _, s := range f.Stmts {
		stmt(s)
	}
	return all, ok
}

// maxMatches is how many files the patterns of one command may match.
const maxMatches = 500

// Patterns reports whether a word of c is a file pattern.
func (c Command) Patterns() bool { return slices.Contains(c.globs, true) }

// Spread returns the words with each file pattern replaced by what it matches in any of dirs, so that each file can be
// looked at. ok is false when a match could be taken for an option, or there are too many.
func (c Command) Spread(dirs []string) (words []string, ok bool) {
	for i, w := range c.Words {
		if c.globs == nil || !c.globs[i] {
			words = append(words, w)
			continue
		}
		words = append(words, w) // what stays when nothing matches
		for _, dir := range dirs {
			for _, m := range matchFiles(w, dir) {
				if strings.HasPrefix(m, "-") {
					return nil, false
				}
				words = append(words, m)
			}
		}
	}
	return words, len(words) <= len(c.Words)+maxMatches
}

// matchFiles are the files that a shell puts in place of pattern in dir. A * does not stand for a leading dot.
func matchFiles(pattern, dir string) (all []string) {
	abs := pattern
	if !filepath.IsAbs(abs) {
		abs = escaper.Replace(dir) + "/" + pattern
	}
	found, err := filepath.Glob(abs)
	if err != nil {
		return []string{"-"}
	}
	wild := strings.Split(filepath.Clean(abs), "/")
	for _, f := range found {
		visible := true
		for i, name := range strings.Split(f, "/") {
			visible = visible && !(strings.HasPrefix(name, ".") && i < len(wild) && strings.ContainsAny(wild[i][:min(1, len(wild[i]))], "*?"))
		}
		if !visible {
			continue
		}
		if rel := strings.TrimPrefix(f, strings.TrimSuffix(dir, "/")+"/"); rel != f && !filepath.IsAbs(pattern) {
			f = rel
		}
		all = append(all, f)
	}
	return all
}

var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

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

func plainCommand(c *syntax.CallExpr) (out Command, ok bool) {
	if len(c.Args) == 0 {
		return Command{}, false
	}
	for _, as := range c.Assigns {
		value, plain := "", true
		if as.Value != nil {
			value, plain = plainWord(as.Value)
		}
		if as.Name == nil || as.Append || as.Naked || as.Index != nil || as.Array != nil || !plain || !slices.Contains(calm, as.Name.Value) {
			return Command{}, false
		}
		out.Words = append(out.Words, as.Name.Value+"="+value)
	}
	out.globs = make([]bool, len(out.Words))
	for i, w := range c.Args {
		if i > 0 && simpleGlob(w) {
			out.Words, out.globs = append(out.Words, w.Lit()), append(out.globs, true)
			continue
		}
		s, plain := plainWord(w)
		if i == 0 && w.Lit() == "[" { // the program of that name
			s, plain = "[", true
		}
		if !plain || i == 0 && w.Lit() != s { // a program's name is spelt as it is
			return Command{}, false
		}
		out.Words, out.globs = append(out.Words, s), append(out.globs, false)
	}
	return out, true
}

// simpleGlob reports whether w is a file pattern that every shell reads alike: * and ? between ordinary characters.
func simpleGlob(w *syntax.Word) bool {
	s := w.Lit()
	if s == "" || len(w.Parts) != 1 || !globs(s) {
		return false
	}
	s = longOption.ReplaceAllString(s, "") // --include=*.go: a file of such a name is found by Spread
	return s != "" && strings.Trim(s, globLetters) == "" && !strings.Contains(s, "**") && s[0] != '-'
}

// longOption is the front of a long option that is given its value in the same word.
var longOption = regexp.MustCompile(`^--[a-z][a-z-]*=`)

const globLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./*?"

// status reports whether w is $?, which is never anything but a number.
func status(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	p, ok := w.Parts[0].(*syntax.ParamExp)
	return ok && p.Short && p.Param != nil && p.Param.Value == "?"
}

// plainWord returns the one string that w always is.
func plainWord(w *syntax.Word) (string, bool) {
	if status(w) {
		return "$?", true
	}
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

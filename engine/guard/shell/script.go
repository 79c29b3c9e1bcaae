package shell

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"talaria/engine/guard/place"
)

// Bounds of an analysis, so that no text keeps the guard busy: what lies beyond is asked.
const (
	maxDepth = 12    // sh -c in sh -c, functions that call functions
	maxSteps = 4000  // simple commands looked at
	maxPaths = 5_000 // files looked up
	maxText  = 1 << 20
)

// Report is what was found out about a command.
type Report struct {
	File    *syntax.File // nil when it cannot be parsed
	Broken  string       // why it cannot be parsed or followed to its end
	Hard    string       // what the hard line says, "" when nothing
	Dangers []string     // words of the danger table
	Steps   [][]string   // every simple command as it would be run, as far as that is known
}

// analyst walks through a command. It follows the text as a shell would, once for each value a variable may have.
type analyst struct {
	land   place.Land
	lookup func(string) (string, bool)
	out    *Report
	left   int      // steps
	paths  int      // looks at paths
	dirs   []string // where commands may run: the first directory and wherever a cd leads

	made map[string]string // files that the text writes or makes executable, and what to say when one is run
}

// scope is what a piece of shell text knows.
type scope struct {
	vars   map[string][]string     // values that are assigned in the text
	loose  bool                    // something may set variables in a way that is not followed
	funcs  map[string]*syntax.Stmt // bodies
	params []string                // $0, $1, ...; nil when unknown
	feeds  map[*syntax.Stmt]*syntax.Stmt
	depth  int
	input  *string     // what the text reads, nil when unknown
	piped  syntax.Node // what brings the input through a pipe, nil when nothing does
}

// Options are what an analysis needs to know. Land is seen from the directory that the command would run in; Lookup
// reads the environment of commands.
type Options struct {
	Land   place.Land
	Lookup func(name string) (value string, ok bool)
}

// Analyse looks at a command. It runs nothing.
func Analyse(command string, o Options) *Report {
	a := &analyst{land: o.Land, lookup: o.Lookup, out: &Report{}, left: maxSteps, paths: maxPaths, dirs: []string{o.Land.Dir}, made: map[string]string{}}
	a.guarded(command)
	slices.Sort(a.out.Dangers)
	a.out.Dangers = slices.Compact(a.out.Dangers)
	return a.out
}

// guarded looks at the whole command. A text that the parser breaks down on is one that cannot be parsed.
func (a *analyst) guarded(command string) {
	defer func() {
		if v := recover(); v != nil {
			a.out.File = nil
			a.broken(fmt.Sprintf("it cannot be parsed: %v", v))
		}
	}()
	sc := scope{params: []string{"bash"}}
	a.out.File = a.text(command, sc)
	if commentEnd.MatchString(command) {
		a.text(strings.ReplaceAll(command, "\\\n", "\n"), sc) // a comment ends with its line, which the parser reads differently
	}
	if joined := strings.ReplaceAll(command, "\\\n", ""); splitWord.MatchString(command) && a.out.Broken == "" {
		a.text(joined, sc) // as a shell joins the lines, which the parser does differently after a $
		a.out.Broken = ""  // what the joining broke was in quotes
	}
}

// text looks at shell text and returns its tree, nil when it does not parse. Of text that breaks off, what stands before
// is looked at: a shell runs it before it comes to the error.
func (a *analyst) text(src string, sc scope) *syntax.File {
	if sc.depth > maxDepth || len(src) > maxText {
		a.broken("it is nested too deeply or too long to be looked through")
		return nil
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	f := &syntax.File{}
	var failed error
	for stmt, err := range parser.StmtsSeq(strings.NewReader(src)) { // to its end: the sequence cannot be left after an error
		if err != nil {
			failed = err
			continue
		}
		f.Stmts = append(f.Stmts, stmt)
	}
	a.tree(f, sc)
	if failed != nil {
		a.broken("it cannot be parsed: " + failed.Error())
		return nil
	}
	return f
}

func (a *analyst) broken(why string) {
	if a.out.Broken == "" {
		a.out.Broken = why
	}
}

// spent counts a look at a path and reports whether there were too many.
func (a *analyst) spent() bool {
	if a.paths--; a.paths < 0 {
		a.broken("it names too many files to be looked through")
	}
	return a.paths < 0
}

func (a *analyst) danger(words string) { a.out.Dangers = append(a.out.Dangers, words) }

func (a *analyst) hard(words string) {
	if a.out.Hard == "" {
		a.out.Hard = words
	}
}

// tree looks at every command under node, in the order of the text.
func (a *analyst) tree(node syntax.Node, sc scope) {
	sc = sc.learn(node, a)
	maybe := map[syntax.Node]bool{} // what is run only if something before it went well or ill
	var leave []func()              // for each open node, what to do after it
	syntax.Walk(node, func(n syntax.Node) bool {
		if n == nil {
			leave[len(leave)-1]()
			leave = leave[:len(leave)-1]
			return true
		}
		into, done := a.left > 0, a.after(n, maybe[n])
		switch n := n.(type) {
		case *syntax.FuncDecl:
			a.bomb(n)
			in := sc
			in.params, in.depth, in.funcs = nil, sc.depth+1, nil
			if sc.depth < maxDepth {
				a.tree(n.Body, in)
			}
			into = false
		case *syntax.BinaryCmd:
			maybe[n.Y] = n.Op == syntax.AndStmt || n.Op == syntax.OrStmt
		case *syntax.Stmt:
			a.stmt(n, sc)
		case *syntax.DeclClause:
			for _, w := range a.worlds(sc) {
				a.assign(n.Args, w)
			}
		}
		if into {
			leave = append(leave, done)
		}
		return into
	})
	if a.left <= 0 {
		a.broken("it has too many parts to be looked through")
	}
}

// after returns what becomes of the directory when node is left: a subshell changes it for itself alone, what may not
// run at all changes it perhaps.
func (a *analyst) after(n syntax.Node, maybe bool) func() {
	saved := a.dirs
	switch n := n.(type) {
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.CoprocClause:
		return func() { a.dirs = saved }
	case *syntax.Stmt:
		if n.Background {
			return func() { a.dirs = saved }
		}
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			return func() { a.dirs = saved }
		}
	case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
		maybe = true
	}
	if !maybe {
		return func() {}
	}
	return func() {
		for _, d := range saved {
			if !slices.Contains(a.dirs, d) {
				a.dirs = append(slices.Clone(a.dirs), d)
			}
		}
		a.dirs = a.dirs[:min(len(a.dirs), 2*maxDirs)]
	}
}

// stmt looks at a simple command and its redirections, and at the redirections of a compound one.
func (a *analyst) stmt(s *syntax.Stmt, sc scope) {
	call, simple := s.Cmd.(*syntax.CallExpr)
	for _, w := range a.worlds(sc) {
		for _, r := range s.Redirs {
			a.redirect(r, w)
		}
		if !simple {
			continue
		}
		a.assign(call.Assigns, w)
		words := a.fields(call.Args, w)
		in := sc
		in.input = a.inputOf(s, w)
		if from := feeder(s, sc); from != nil {
			in.piped = from
		}
		a.substituted(call, w, in)
		a.writes(s, words, w)
		a.run(words, in)
	}
}

// assign looks at variables that make harmless commands run others.
func (a *analyst) assign(as []*syntax.Assign, w *world) {
	for _, as := range as {
		if as.Name == nil {
			continue
		}
		a.loader(as.Name.Value)
	}
}

func (a *analyst) loader(name string) {
	if strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_") || strings.HasPrefix(name, "GIT_CONFIG") || slices.Contains(loaders, name) {
		a.danger("makes programs load other code (" + name + ")")
	}
}

// run looks at one simple command, and at the command inside when it is a wrapper.
func (a *analyst) run(words []string, sc scope) {
	if a.left--; a.left < 0 || len(words) == 0 {
		return
	}
	a.out.Steps = append(a.out.Steps, words)
	if hidden(words[0]) {
		a.danger("runs a program that is known only when it runs")
		return
	}
	name := filepath.Base(words[0])
	a.hardline(name, words[1:])
	a.hazards(name, words[1:])
	a.program(name, words, sc)
	if body := sc.funcs[words[0]]; body != nil && sc.depth < maxDepth {
		in := sc
		in.params, in.depth = words, sc.depth+1
		in.funcs = maps.Clone(sc.funcs)
		delete(in.funcs, words[0]) // a function that calls itself does nothing new
		a.tree(body, in)
	}
	a.unwrap(name, words, sc)
}

// bomb knows a function that starts itself more than once, the fork bomb.
func (a *analyst) bomb(f *syntax.FuncDecl) {
	if f.Name == nil {
		return
	}
	calls, background, piped := 0, false, false
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Args) > 0 && n.Args[0].Lit() == f.Name.Value {
				calls++
			}
		case *syntax.Stmt:
			background = background || n.Background
		case *syntax.BinaryCmd:
			piped = piped || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		}
		return true
	})
	if calls > 1 && (background || piped) || calls > 0 && background {
		a.hard("a function that starts itself again and again would bring the machine down")
	}
}

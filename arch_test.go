package main

// The architecture as a test: who imports whom, how large things may grow, and a few habits that keep the program
// readable. A cap that is reached asks for another noun; it is never raised to get green.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	maxFile, maxFunc, maxPackage = 400, 70, 2500 // lines, tests and tables apart
	maxFields, maxParams         = 15, 5         // of a struct under ui/; of any function
)

// mayImport maps a package to what it may import of this module. A pattern "x/*" is any package below x. The first row
// whose name fits wins; a package without a row fails.
var mayImport = []struct {
	pkg     string
	imports []string
	reason  string // why nothing else
}{
	{"main", []string{"*"}, ""},
	{"ui/print", []string{"engine"}, "print mode is the event stream and nothing more"},
	{"ui/uitest", []string{"engine", "themes", "ui/*"}, "drives the screen with events"},
	{"ui/*", []string{"engine", "themes", "ui/*"}, "the screen sees sessions, models and keys only through interfaces of engine, inside a tea.Cmd"},
	{"ui", []string{"engine", "themes", "ui/*"}, "as above"},
	{"store/storetest", []string{"engine", "store"}, "the contract of any store"},
	{"store/follow", []string{"engine", "store/search"}, "brings the index up from what it is given; it does not know rows"},
	{"store/health", []string{"engine", "store/journal", "store/database", "store/follow", "store/hit", "store/search"}, "compares the records and the index; it mends none"},
	{"store/replay", []string{"engine", "store/journal"}, "plays what a journal holds"},
	{"store/bring", []string{"engine", "store/adopt"}, "writes what adopt reads, into any store; what rows and secrets are comes as functions"},
	{"store/meter", []string{"engine", "store/journal"}, "sums what journal entries tell"},
	{"store/hit", []string{"engine", "store/journal", "store/search"}, "chooses among the records it is given"},
	{"store/find", []string{"engine", "store/hit", "store/journal", "store/search"}, "finds in an index that it is given; it opens nothing"},
	{"store/typed", []string{"engine", "store/database", "store/journal"}, "drafts and lines beside the database; it knows no session"},
	{"store/*", []string{"engine"}, "the two records, each usable alone"},
	{"store", []string{"engine", "store/journal", "store/database", "store/find", "store/hit", "store/search", "store/follow", "store/meter", "store/typed"}, "a store knows records, not what they mean"},
	{"themes", nil, "colours know nobody"},
	{"engine/core/past", []string{"engine"}, "pure: what records come to"},
	{"engine/core", []string{"engine", "engine/*"}, "the composition root of the engine; the store comes as an interface"},
	{"engine/core/outside", []string{"engine", "engine/config", "engine/core/logbook", "engine/hook", "engine/mcp", "engine/skill", "engine/tools", "engine/tools/*"}, "composes what comes from outside the program; the session and the model are core's"},
	{"engine/core/*", []string{"engine", "engine/*"}, "a part of the composition: it puts parts of the engine together and does not know the core"},
	{"engine/agent", []string{"engine"}, "the loop gets compression, prompt, gates and sinks as functions"},
	{"engine/provider/providertest", []string{"engine", "engine/provider", "engine/soak"}, "helps tests of any mode; how much they go through is said elsewhere"},
	{"engine/provider/*", []string{"engine", "engine/provider", "engine/provider/providertest"}, "modes and decorators do not know one another"},
	{"engine/provider", []string{"engine"}, "the shared part knows no mode"},
	{"engine/tools/match", []string{"engine"}, "a leaf: finding a text in a file"},
	{"engine/tools/args", []string{"engine"}, "a leaf: repairing and coercing arguments"},
	{"engine/tools/grep", []string{"engine"}, "a leaf: searching files"},
	{"engine/tools/file", []string{"engine", "engine/tools", "engine/tools/match", "engine/tools/grep", "engine/tools/envelope"}, "the file tools stand on their leaves, never on another tool"},
	{"engine/tools/envelope", []string{"engine"}, "a leaf: reading a patch of several files"},
	{"engine/tools/child", nil, "a leaf: this program started again as one of its parts"},
	{"engine/tools/terminal", []string{"engine", "engine/tools", "engine/tools/child"}, "its guardian is such a part"},
	{"engine/tools/code", []string{"engine", "engine/tools", "engine/tools/child"}, "its interpreter is such a part; other tools come as a function"},
	{"engine/tools/*", []string{"engine", "engine/tools"}, "tools do not know one another"},
	{"engine/tools", []string{"engine", "engine/tools/match", "engine/tools/args"}, "the registry mends calls; it never knows a tool that stands on it"},
	{"engine/guard/rule", []string{"engine/guard/place", "engine/guard/shell"}, "a rule speaks of commands and places, and knows no question"},
	{"engine/guard/shell", []string{"engine/guard/place"}, "what a command does depends on where its paths lead"},
	{"engine/guard/*", nil, "leaves: paths, redaction, the remembered rules"},
	{"engine/guard", []string{"engine", "engine/guard/*"}, "the gate stands on its own leaves, never on a tool"},
	{"engine/*", []string{"engine"}, "siblings do not know one another"},
	{"engine", nil, "the vocabulary is standard library only"},
}

type file struct {
	path, pkg string // relative to the root; pkg "main" for the root itself
	test      bool
	ast       *ast.File
	src       []byte
}

var fset = token.NewFileSet()

func sources(t *testing.T) []file {
	t.Helper()
	var files []file
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(fset, path, src, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			pkg = "main"
		}
		files = append(files, file{path, pkg, strings.HasSuffix(path, "_test.go"), tree, src})
		return nil
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("walk the tree: %d files, %v", len(files), err)
	}
	return files
}

func fits(pattern, pkg string) bool {
	below, wild := strings.CutSuffix(pattern, "*")
	return pattern == pkg || wild && strings.HasPrefix(pkg, below)
}

func TestImportsFollowTheTable(t *testing.T) {
	for _, f := range sources(t) {
		if f.test {
			continue // a test may drive its package with anything
		}
		row := slices.IndexFunc(mayImport, func(r struct {
			pkg     string
			imports []string
			reason  string
		}) bool {
			return fits(r.pkg, f.pkg)
		})
		if row < 0 {
			t.Errorf("%s: package %s has no row in the import table", f.path, f.pkg)
			continue
		}
		for _, imp := range f.ast.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			own, ours := strings.CutPrefix(path, "talaria/")
			if ours && !slices.ContainsFunc(mayImport[row].imports, func(p string) bool { return fits(p, own) }) {
				t.Errorf("%s imports %s: %s", f.path, own, mayImport[row].reason)
			}
			if f.pkg == "engine" && strings.Contains(path, ".") {
				t.Errorf("%s imports %s: %s", f.path, path, mayImport[row].reason)
			}
		}
	}
}

func TestNothingGrowsPastItsCap(t *testing.T) {
	perPackage := map[string]int{}
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		lines := strings.Count(string(f.src), "\n")
		table := strings.HasSuffix(f.path, "_table.go")
		if !table {
			perPackage[f.pkg] += lines
		}
		if lines > maxFile && !table {
			t.Errorf("%s: %d lines, cap %d", f.path, lines, maxFile)
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			checkSize(t, f, n)
			return true
		})
	}
	for pkg, lines := range perPackage {
		if lines > maxPackage {
			t.Errorf("package %s: %d lines, cap %d", pkg, lines, maxPackage)
		}
	}
}

func checkSize(t *testing.T, f file, n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if size := fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1; size > maxFunc {
			t.Errorf("%s: %s has %d lines, cap %d", fset.Position(n.Pos()), n.Name.Name, size, maxFunc)
		}
		if p := n.Type.Params.NumFields(); p > maxParams {
			t.Errorf("%s: %s has %d parameters, cap %d", fset.Position(n.Pos()), n.Name.Name, p, maxParams)
		}
	case *ast.TypeSpec:
		if s, ok := n.Type.(*ast.StructType); ok && strings.HasPrefix(f.pkg, "ui") && s.Fields.NumFields() > maxFields {
			t.Errorf("%s: %s has %d fields, cap %d", fset.Position(n.Pos()), n.Name.Name, s.Fields.NumFields(), maxFields)
		}
	}
}

func TestEveryGoroutineIsStartedByEngineGo(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || f.path == filepath.Join("engine", "goroutine.go") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: a go statement; use engine.Go, which survives a panic with the terminal restored", fset.Position(g.Pos()))
			}
			return true
		})
	}
}

func TestEveryExportedNameIsDocumented(t *testing.T) {
	packageDoc := map[string]bool{}
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		packageDoc[f.pkg] = packageDoc[f.pkg] || f.ast.Doc != nil
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no doc comment", fset.Position(d.Pos()), name)
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packageDoc)) {
		if !packageDoc[pkg] {
			t.Errorf("package %s has no package comment", pkg)
		}
	}
}

func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || exportedReceiver(d)) && !interfaceMethod[d.Name.Name] {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	return names
}

// interfaceMethod lists methods whose meaning is the standard interface they serve.
var interfaceMethod = map[string]bool{"Error": true, "String": true, "Read": true, "Write": true, "Close": true, "Len": true, "Less": true, "Swap": true}

func exportedReceiver(d *ast.FuncDecl) bool {
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if gen, ok := typ.(*ast.IndexExpr); ok {
		typ = gen.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

// TestSwitchesNameEveryVariant keeps a new Event, Op, Delta or Part from being forgotten: a type switch that names one
// variant names all of them.
func TestSwitchesNameEveryVariant(t *testing.T) {
	files := sources(t)
	sums := map[string]map[string]bool{}
	for _, f := range files {
		if f.pkg != "engine" || f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !slices.Contains([]string{"part", "delta", "event", "op"}, fn.Name.Name) {
				continue
			}
			if sums[fn.Name.Name] == nil {
				sums[fn.Name.Name] = map[string]bool{}
			}
			sums[fn.Name.Name][fn.Recv.List[0].Type.(*ast.Ident).Name] = true
		}
	}
	if len(sums["event"]) > 21 || len(sums["op"]) > 13 || len(sums["event"]) < 18 { // Unknown counts in each
		t.Errorf("%d events and %d ops: at most 20 and 12, and Unknown", len(sums["event"])-1, len(sums["op"])-1)
	}
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSwitchStmt); ok && !f.test {
				checkSwitch(t, f, s, sums)
			}
			return true
		})
	}
}

func checkSwitch(t *testing.T, f file, s *ast.TypeSwitchStmt, sums map[string]map[string]bool) {
	named, inEngine := map[string]bool{}, f.pkg == "engine"
	for _, c := range s.Body.List {
		for _, typ := range c.(*ast.CaseClause).List {
			if id, ok := typ.(*ast.Ident); ok && inEngine {
				named[id.Name] = true
			} else if sel, ok := typ.(*ast.SelectorExpr); ok && !inEngine && sel.X.(*ast.Ident).Name == "engine" {
				named[sel.Sel.Name] = true
			}
		}
	}
	if len(named) < 2 {
		return // interest in one variant, written as a switch
	}
	for _, all := range sums {
		some, missing := false, []string(nil)
		for _, v := range slices.Sorted(maps.Keys(all)) {
			if v == "Unknown" {
				continue
			}
			some = some || named[v]
			if !named[v] {
				missing = append(missing, v)
			}
		}
		if some && len(missing) > 0 {
			t.Errorf("%s: the switch forgets %s", fset.Position(s.Pos()), strings.Join(missing, ", "))
		}
	}
}

func TestEveryToolHasItsText(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || !strings.HasPrefix(f.pkg, "engine/tools") || !strings.Contains(string(f.src), "engine.NewTool") {
			continue
		}
		if f.path == filepath.Join("engine", "tools", "doc.go") {
			continue
		}
		if _, err := os.Stat(strings.TrimSuffix(f.path, ".go") + ".md"); err != nil {
			t.Errorf("%s makes a tool but has no .md of the same name: %v", f.path, err)
		}
	}
}

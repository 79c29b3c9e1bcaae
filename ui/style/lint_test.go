package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	hexColour  = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	sgrLiteral = regexp.MustCompile(`\x1b\[[0-9;:]*[1-9][0-9;:]*m`) // a plain reset is no colour
	namedInk   = regexp.MustCompile(`^(Bright)?(Black|Red|Green|Yellow|Blue|Magenta|Cyan|White)$`)
)

// colourLiteral says what is wrong with a node, "" if nothing is.
func colourLiteral(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			s, _ := strconv.Unquote(n.Value)
			if hexColour.MatchString(s) || sgrLiteral.MatchString(s) {
				return "the literal " + n.Value
			}
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasSuffix(f.Sel.Name, "Color") && len(n.Args) == 1 {
			if lit, ok := n.Args[0].(*ast.BasicLit); ok {
				return f.Sel.Name + "(" + lit.Value + ")"
			}
		}
	case *ast.SelectorExpr:
		if pkg, ok := n.X.(*ast.Ident); ok && (pkg.Name == "lipgloss" || pkg.Name == "ansi") && namedInk.MatchString(n.Sel.Name) {
			return pkg.Name + "." + n.Sel.Name
		}
	case *ast.CompositeLit:
		if typ, ok := n.Type.(*ast.SelectorExpr); ok {
			if pkg, ok := typ.X.(*ast.Ident); ok && pkg.Name == "color" {
				return "color." + typ.Sel.Name + "{…}"
			}
		}
	}
	return ""
}

// TestNoColourOutsideTheThemes walks every file of the program: colours come from roles.
func TestNoColourOutsideTheThemes(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (path == "../../themes" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		files++
		ast.Inspect(file, func(n ast.Node) bool {
			if what := colourLiteral(n); what != "" {
				t.Errorf("%s: %s is a colour of its own; ask the Sheet for a role", set.Position(n.Pos()), what)
			}
			return true
		})
		return nil
	})
	if err != nil || files < 400 {
		t.Fatalf("walked %d files: %v", files, err)
	}
}

func TestTheColourLintSeesLiterals(t *testing.T) {
	src := `package x
var a, b, c, d = lipgloss.Color("9"), "#ff0000", "\x1b[31mred", lipgloss.Red
var e = color.RGBA{R: 1}`
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if colourLiteral(n) != "" {
			found++
		}
		return true
	})
	if found != 5 {
		t.Errorf("found %d of 5 literals", found)
	}
}

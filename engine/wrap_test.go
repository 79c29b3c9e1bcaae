package engine

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// bare is a tool that says nothing but its Spec; full says everything that a tool may say, and the rarer answer.
type bare struct{}

func (bare) Spec() Spec                                        { return Spec{Name: "t"} }
func (bare) Run(context.Context, Call, Output) (Result, error) { return Result{}, nil }

type full struct{ bare }

func (full) Touches(Call) []string { return []string{"a"} }
func (full) SideBySide(Call) bool  { return true }
func (full) Beside() bool          { return true }
func (full) Available() bool       { return false }

func TestAWrappedToolSaysAllThatTheToolSays(t *testing.T) {
	in := Wrapped{Wrapped{full{}}}
	if !slices.Equal(in.Touches(Call{}), []string{"a"}) || !in.SideBySide(Call{}) || !in.Beside() || in.Available() {
		t.Error("something is lost")
	}
	out := Wrapped{Wrapped{bare{}}}
	if out.Touches(Call{}) != nil || out.SideBySide(Call{}) || out.Beside() || !out.Available() {
		t.Error("something is made up")
	}
}

// TestEveryOptionalInterfaceOfAToolIsPassedOn finds the interfaces of a tool by their doc comment, "... is a tool ...".
func TestEveryOptionalInterfaceOfAToolIsPassedOn(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found, wrapped := 0, reflect.TypeFor[Wrapped]()
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || !strings.Contains(g.Doc.Text(), "is a tool that") && !strings.Contains(g.Doc.Text(), "is a tool whose") {
				continue
			}
			face, ok := g.Specs[0].(*ast.TypeSpec).Type.(*ast.InterfaceType)
			if !ok {
				continue
			}
			found++
			for _, m := range face.Methods.List {
				if _, ok := wrapped.MethodByName(m.Names[0].Name); !ok {
					t.Errorf("Wrapped has no %s of %s", m.Names[0].Name, g.Specs[0].(*ast.TypeSpec).Name)
				}
			}
		}
	}
	if found < 4 {
		t.Errorf("found %d such interfaces", found)
	}
}

// TestWhatStandsAroundAToolIsWrapped: a struct that embeds Tool is a tool itself, in the packages of tools, or loses what
// the tool inside it can say.
func TestWhatStandsAroundAToolIsWrapped(t *testing.T) {
	tools := []string{"tools/", "core/delegate/", "mcp/", "skill/", "memory/"}
	wrappers := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || !strings.Contains(path, string(os.PathSeparator)) {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range s.Fields.List {
				sel, ok := field.Type.(*ast.SelectorExpr)
				if !ok || len(field.Names) > 0 {
					continue
				}
				if sel.Sel.Name == "Wrapped" {
					wrappers++
				}
				if sel.Sel.Name == "Tool" && !slices.ContainsFunc(tools, func(dir string) bool { return strings.HasPrefix(filepath.ToSlash(path), dir) }) {
					t.Errorf("%s: embed engine.Wrapped in place of engine.Tool", path)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || wrappers < 3 {
		t.Fatal(wrappers, err)
	}
}

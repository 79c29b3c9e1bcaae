package terminal

import (
	"path/filepath"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// meaning says in a few words what exit code means after command, "" when there is nothing to say. fine is true when
// the code is an answer and no failure.
func meaning(command string, code int) (words string, fine bool) {
	if code == 0 {
		return "", true
	}
	program := lastProgram(command)
	if w, ok := benign[program][code]; ok {
		return w, true
	}
	if w, ok := telling[program][code]; ok {
		return w, false
	}
	return general[code], false
}

// lastProgram is the program whose exit code the whole command has, "" when that is not plain: the last one of the last
// pipeline, or the right one of a ||. After && it may be either side's.
func lastProgram(command string) string {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil || len(f.Stmts) == 0 {
		return ""
	}
	stmt := f.Stmts[len(f.Stmts)-1]
	for {
		switch cmd := stmt.Cmd.(type) {
		case *syntax.BinaryCmd:
			if cmd.Op == syntax.AndStmt {
				return ""
			}
			stmt = cmd.Y
		case *syntax.CallExpr:
			if len(cmd.Args) == 0 || stmt.Negated || stmt.Background {
				return ""
			}
			return filepath.Base(cmd.Args[0].Lit())
		default:
			return ""
		}
	}
}

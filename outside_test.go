package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// greeterServer is the MCP SDK's own example server over stdio, built once.
var greeterServer = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binary, "greeter")
	cmd := exec.Command("go", "build", "-o", path, "github.com/modelcontextprotocol/go-sdk/examples/server/hello")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the example server: %w\n%s", err, out)
	}
	return path, nil
})

// The words of scripts about what comes from outside:
//
//	greeter      $GREETER is the MCP SDK's example server
func init() {
	commands["greeter"] = func(ts *testscript.TestScript, neg bool, args []string) {
		need(ts, neg, args, 0)
		path, err := greeterServer()
		ts.Check(err)
		ts.Setenv("GREETER", path)
	}
}

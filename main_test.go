package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// binary is the directory of the built program, the one that people run.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "talaria-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = dir
	return m.Run()
}

// build makes the program once for the whole run; tests that only read the tree do not pay for it.
var build = sync.OnceValue(func() error { return compile(filepath.Join(binary, "talaria")) })

// watched makes the program that is used in terminals: with the race detector when the tests have it. Scripts start the
// program some two hundred times and take the plain one, which starts at once.
var watched = sync.OnceValues(func() (string, error) {
	if !raced {
		return filepath.Join(binary, "talaria"), build()
	}
	path := filepath.Join(binary, "watched")
	return path, compile(path, "-race")
})

// compile builds the program into path.
func compile(path string, flags ...string) error {
	cmd := exec.Command("go", append(append([]string{"build", "-ldflags", "-X main.version=v0-test", "-o", path}, flags...), ".")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// quick makes retries fast; every other setting has its default.
const quick = "retry: {base_seconds: 0.02, max_seconds: 0.05}\n"

// clean is the environment of a program under test: nothing of the developer's own keys, settings or proxies.
func clean(home, own string) []string {
	return []string{"HOME=" + home, "TALARIA_HOME=" + own, "PATH=" + binary + string(os.PathListSeparator) + os.Getenv("PATH"),
		"TMPDIR=" + os.TempDir(), "LANG=C.UTF-8", "SHELL=/bin/sh", "GORACE=halt_on_error=1 exitcode=66"}
}

// TestScripts runs the stories of testdata/script: each is a shell-like script around the real program, with a fake model
// server that says what the story says. See command_test.go for the words the scripts may use.
func TestScripts(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	setup := func(e *testscript.Env) error {
		at := func(name string) string { return filepath.Join(e.WorkDir, name) }
		for _, dir := range []string{"project", "home", "talaria"} {
			if err := os.MkdirAll(at(dir), 0o700); err != nil {
				return err
			}
		}
		if _, err := os.Stat(at("talaria/config.yaml")); errors.Is(err, os.ErrNotExist) {
			if err := os.WriteFile(at("talaria/config.yaml"), []byte(quick), 0o600); err != nil {
				return err
			}
		}
		keep := e.Vars[:0]
		for _, v := range e.Vars { // WORK, devnull and the like, but not the HOME and PATH of testscript
			if name, _, _ := strings.Cut(v, "="); name != "HOME" && name != "PATH" && name != "TMPDIR" {
				keep = append(keep, v)
			}
		}
		e.Vars = append(keep, clean(at("home"), at("talaria"))...)
		e.Cd = at("project")
		e.Values[storyKey] = &story{models: map[string]*model{}}
		return nil
	}
	testscript.Run(t, testscript.Params{Dir: filepath.Join("testdata", "script"), RequireUniqueNames: true, Cmds: commands, Setup: setup,
		Deadline: time.Now().Add(6 * patience)})
}

// dig walks a decoded JSON value along a path such as messages.-1.content; ok is false where it ends early.
func dig(v any, path string) (any, bool) {
	if path == "." {
		return v, true
	}
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil {
				return nil, false
			}
			if i < 0 {
				i += len(at)
			}
			if i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// plain writes a JSON value as a script compares it: strings without quotes, everything else as JSON.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// unpaired names what breaks the pairing of a request's messages: a call without exactly one result right behind it, or
// a result without its call. A strict server refuses such a request, and the session with it.
func unpaired(messages []any) string {
	open := map[string]bool{}
	for i, m := range messages {
		msg, _ := m.(map[string]any)
		role, _ := msg["role"].(string)
		if role == "tool" {
			id, _ := msg["tool_call_id"].(string)
			if !open[id] {
				return fmt.Sprintf("message %d answers %q, which is not open", i, id)
			}
			delete(open, id)
			if content, ok := msg["content"].(string); ok && content == "" {
				return fmt.Sprintf("message %d is an empty result", i)
			}
			continue
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d (%s) comes while calls are unanswered: %v", i, role, open)
		}
		calls, _ := msg["tool_calls"].([]any)
		for _, c := range calls {
			id, _ := dig(c, "id")
			args, _ := dig(c, "function.arguments")
			if s, ok := args.(string); !ok || !json.Valid([]byte(s)) {
				return fmt.Sprintf("call %v has arguments that are no JSON: %v", id, args)
			}
			open[plain(id)] = true
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("calls are unanswered at the end: %v", open)
	}
	return ""
}

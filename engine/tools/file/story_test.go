package file

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/tools"
)

// desk is a workspace in a fresh folder with the tools of it, as a model has them: every call goes through Resolve.
type desk struct {
	t   *testing.T
	w   *tools.Workspace
	dir string
	r   *tools.Registry
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := tools.Real(t.TempDir())
	w := tools.NewWorkspace(dir, filepath.Join(tools.Real(t.TempDir()), "results"))
	return &desk{t, w, dir, tools.NewRegistry(append(Tools(w), tools.TodoTool(nil), tools.ClarifyTool(nil))...)}
}

// do calls a tool with args, a value to be encoded or a string of JSON.
func (d *desk) do(name string, args any) engine.Result {
	d.t.Helper()
	return d.doCtx(context.Background(), name, args)
}

func (d *desk) doCtx(ctx context.Context, name string, args any) engine.Result {
	d.t.Helper()
	tool, c, refused := d.r.Resolve(d.call(name, args))
	if refused != nil {
		return *refused
	}
	res, err := tool.Run(ctx, c, nil)
	if err != nil {
		d.t.Fatalf("%s: %v", name, err)
	}
	if res.CallID != c.ID || res.Name != c.Name || strings.TrimSpace(res.Text) == "" {
		d.t.Fatalf("not an answer to the call: %+v", res)
	}
	return res
}

func (d *desk) call(name string, args any) engine.Call {
	d.t.Helper()
	text, ok := args.(string)
	if !ok {
		b, err := engine.Marshal(args)
		if err != nil {
			d.t.Fatal(err)
		}
		text = string(b)
	}
	return engine.Call{ID: "call_1", Name: name, Args: text}
}

func (d *desk) put(name, content string) string {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func (d *desk) holds(name, want string) {
	d.t.Helper()
	got, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil || string(got) != want {
		d.t.Fatalf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

type m = map[string]any

func expect(t *testing.T, r engine.Result, status engine.Status, parts ...string) {
	t.Helper()
	if r.Status != status {
		t.Fatalf("status %s, want %s: %s", r.Status, status, r.Text)
	}
	for _, p := range parts {
		if !strings.Contains(r.Text, p) {
			t.Fatalf("no %q in: %s", p, r.Text)
		}
	}
}

// noLitter fails when a write left a file of its own behind.
func (d *desk) noLitter() {
	d.t.Helper()
	_ = filepath.Walk(d.dir, func(path string, info os.FileInfo, err error) error {
		if strings.HasSuffix(path, ".tmp") {
			d.t.Errorf("left behind: %s", path)
		}
		return nil
	})
}

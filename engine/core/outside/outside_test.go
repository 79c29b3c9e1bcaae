package outside

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/tools"
)

// place is Outside over a configuration and an environment.
func place(t *testing.T, cfg config.Config, env map[string]string) (*Outside, *[]string) {
	t.Helper()
	dir := t.TempDir()
	notes := &[]string{}
	o := New(Deps{Config: cfg, Paths: config.PathsFor(func(string) string { return "" }, dir), Getenv: func(n string) string { return env[n] }, Dir: func() string { return dir }, Start: dir,
		Space: tools.NewWorkspace(dir, filepath.Join(dir, "results")), Session: func() string { return "s" }, Now: time.Now, Env: []string{"PATH=" + os.Getenv("PATH")},
		Note: func(_ engine.NoteKind, text string) { *notes = append(*notes, text) }, Aux: func(string) engine.Aux { return nil }, Sees: func() bool { return true }})
	t.Cleanup(o.Close)
	return o, notes
}

func TestSettingsOfServersReferToTheEnvironment(t *testing.T) {
	cfg := config.Defaults()
	cfg.MCPServers = map[string]config.MCPServer{
		"b": {Command: "b", Args: []string{"--token=${TOKEN}"}, Env: map[string]string{"KEY": "x${TOKEN}y"}},
		"a": {URL: "https://x.example/${TOKEN}", Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"}},
		"c": {Command: "c", Env: map[string]string{"KEY": "${MISSING}"}},
		"d": {}, "e": {Command: "e", URL: "https://e.example"},
	}
	servers, secrets := Servers(cfg, []string{"BASE=1"}, "/w", func(n string) string { return map[string]string{"TOKEN": "t0ps3cret"}[n] })
	if servers[0].Name != "a" || servers[0].URL != "https://x.example/t0ps3cret" || servers[0].Headers["Authorization"] != "Bearer t0ps3cret" {
		t.Errorf("%+v", servers[0])
	}
	if b := servers[1]; b.Args[0] != "--token=t0ps3cret" || !slices.Equal(b.Env, []string{"BASE=1", "KEY=xt0ps3crety"}) {
		t.Errorf("%+v", b)
	}
	for i, want := range []string{"", "", "${MISSING}", "neither", "both"} {
		if f := servers[i].Fault; want == "" && f != "" || !strings.Contains(f, want) {
			t.Errorf("%s: %q, want %q", servers[i].Name, f, want)
		}
	}
	if !slices.Contains(secrets, "t0ps3cret") {
		t.Errorf("what must be masked: %q", secrets)
	}
}

// The model is told once that a server is missing, and the user once; the tools of a turn stay as its first request had them.
func TestAMissingServerIsToldOnce(t *testing.T) {
	cfg := config.Defaults()
	cfg.MCPServers = map[string]config.MCPServer{"gone": {Command: "/no/such/program"}}
	o, notes := place(t, cfg, nil)
	o.Start()
	said, err := o.Context(t.Context(), "hi", engine.Route{})
	if err != nil || !strings.Contains(said, `"gone"`) || strings.Contains(said, "no such file") {
		t.Fatalf("%q %v", said, err)
	}
	if said, _ = o.Context(t.Context(), "hi", engine.Route{}); said != "" {
		t.Fatalf("told again: %q", said)
	}
	if len(*notes) != 1 {
		t.Fatalf("%q", *notes)
	}
}

func TestAStoppedTurnDoesNotWaitForServers(t *testing.T) {
	cfg := config.Defaults()
	cfg.MCPServers = map[string]config.MCPServer{"slow": {Command: "sleep", Args: []string{"1000"}}}
	o, _ := place(t, cfg, nil)
	o.Start()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done := make(chan struct{})
	go func() { defer close(done); _, _ = o.Context(ctx, "hi", engine.Route{}) }()
	select {
	case <-done:
	case <-time.After(60 * time.Second):
		t.Fatal("it waits")
	}
}

func TestAToolsetThatIsOffStartsNothing(t *testing.T) {
	cfg := config.Defaults()
	cfg.MCPServers = map[string]config.MCPServer{"x": {Command: "/no/such/program"}}
	cfg.Tools.DisabledToolsets = []string{"mcp", "skills"}
	o, notes := place(t, cfg, nil)
	o.Start()
	if said, _ := o.Context(t.Context(), "hi", engine.Route{}); said != "" || len(*notes) != 0 || o.Index() != "" {
		t.Fatalf("%q %q", said, *notes)
	}
}

func TestTheSearchServiceHasItsKeyFromItsOwnVariable(t *testing.T) {
	cfg := config.Defaults()
	cfg.Web.Search = config.WebSearch{Backend: "brave"}
	o, _ := place(t, cfg, map[string]string{"BRAVE_API_KEY": "b-key-1234", "OTHER": "o-key-5678"})
	if o.searchKey() != "b-key-1234" || !slices.Contains(o.Secrets(), "b-key-1234") || !has(o.Tools(), "web_search") {
		t.Error("the key of the service is not used or not masked")
	}
	cfg.Web.Search.APIKeyEnv = "OTHER"
	if o, _ = place(t, cfg, map[string]string{"BRAVE_API_KEY": "b", "OTHER": "o-key-5678"}); o.searchKey() != "o-key-5678" {
		t.Error("the named variable is not used")
	}
	if o, _ = place(t, cfg, nil); has(o.Tools(), "web_search") {
		t.Error("without a key there is a search")
	}
}

func has(ts []engine.Tool, name string) bool {
	return slices.ContainsFunc(ts, func(t engine.Tool) bool { return t.Spec().Name == name })
}

// A project's folder of skills is used when the directory is trusted, and never when it is a link.
func TestSkillsOfTheDirectoryNeedTrust(t *testing.T) {
	o, _ := place(t, config.Defaults(), nil)
	dir := filepath.Join(o.d.Start, ".talaria", "skills", "ours")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\nname: ours\ndescription: d\n---\nx"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o.Index() != "" {
		t.Fatal("an untrusted directory's skills are in the prompt")
	}
	if o.Trust(true); !strings.Contains(o.Index(), "- ours: d") || o.Expand("/ours go") == "/ours go" {
		t.Fatalf("%q", o.Index())
	}
	if err := os.Rename(filepath.Join(o.d.Start, ".talaria"), filepath.Join(o.d.Start, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(o.d.Start, ".talaria")); err != nil {
		t.Fatal(err)
	}
	if o.Index() != "" {
		t.Fatal("a link is followed")
	}
}

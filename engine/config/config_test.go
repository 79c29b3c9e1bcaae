package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
)

// world is a catalogue of three providers, split as "-m" is.
func world() Catalogue {
	return Catalogue{
		Builtins: []Builtin{
			{Name: "anthropic", Title: "Anthropic", BaseURL: "https://api.anthropic.com/v1", APIMode: engine.ChatCompletions, KeyEnv: []string{"ANTHROPIC_API_KEY"}, Model: "claude"},
			{Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.com/v1", APIMode: engine.ChatCompletions, KeyEnv: []string{"OPENAI_API_KEY"}, Model: "gpt-5"},
			{Name: "ollama", Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", APIMode: engine.ChatCompletions, Local: true},
			{Name: "bedrock", Title: "Amazon Bedrock", APIMode: engine.BedrockConverse, Missing: "this version does not speak bedrock_converse yet"},
			{Name: "demo", Title: "Offline demo", APIMode: engine.ChatCompletions, Model: "offline"},
		},
		Split: func(s string, known func(string) bool) (string, string, string) {
			effort := ""
			if i := strings.LastIndexByte(s, ':'); i >= 0 && contains(efforts, s[i+1:]) {
				s, effort = s[:i], s[i+1:]
			}
			if p, m, ok := strings.Cut(s, "/"); ok && known(p) {
				return p, m, effort
			}
			return "", s, effort
		},
		Serves: func(provider, model string) bool {
			return provider == "openai" && strings.HasPrefix(model, "gpt") || provider == "anthropic" && strings.HasPrefix(model, "claude")
		},
		Modes: []engine.APIMode{engine.ChatCompletions},
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func userConfig(t *testing.T, text string) string {
	return write(t, filepath.Join(t.TempDir(), "config.yaml"), text)
}

func TestDefaultsAreThoseOfTheContract(t *testing.T) {
	c := Defaults()
	for _, ok := range []bool{
		c.Agent == Agent{90, 3, 8}, c.Stream == Stream{90, 180, 30, 1800}, c.Retry == Retry{5, 120},
		c.Compression == Compression{true, 0.5, 0.2, 3, 20}, c.Model.Effort == "medium", c.CredentialPool.Strategy == "fill_first",
		c.PromptCaching == PromptCaching{true, "5m"}, c.Delegation == Delegation{50, 3, 1, false}, c.Memory == Memory{true, 2200, 1375, 10},
		c.Review == Review{true, false, 8, 10}, c.Terminal.Timeout == 180, c.Approvals.Mode == "ask", c.Tools.ResultChars == 100000,
		c.Tools.TurnResultChars == 200000, c.Checkpoints == Checkpoints{true, 500, 7, 10}, c.UI.Theme == "auto", c.UI.Esc == "graded",
		c.UI.BusyEnter == "steer", c.UI.Mouse == "all", !c.UI.Plain, c.UI.Glyphs == "unicode", c.Sessions.PruneDays == 0,
	} {
		if !ok {
			t.Fatalf("defaults differ: %+v", c)
		}
	}
	if c.Stream.StaleSeconds.Duration() != 90*time.Second || Seconds(0.5).Duration() != 500*time.Millisecond {
		t.Error("a number of seconds is not a duration")
	}
}

func TestEveryKeyHasADefaultAndADescription(t *testing.T) {
	docs := descriptions()
	for _, key := range fixedKeys() {
		_, there := docs[key]
		section := reflect.Indirect(mustFind(t, key)).Kind() == reflect.Struct
		aux := strings.HasPrefix(key, "auxiliary.")
		if !aux && !there || !section && !aux && docs[key] == "" {
			t.Errorf("defaults.yaml has nothing for %s", key)
		}
	}
}

func mustFind(t *testing.T, key string) reflect.Value {
	v, err := find(reflect.ValueOf(Config{}), key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAWrongSettingNamesFileLineKeyExpectationAndTheNearestKey(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"agent:\n  max_turn: 3\n", ":2: agent.max_turn: unknown key; expected one of max_turns, api_max_retries, tool_workers; nearest: agent.max_turns"},
		{"theme: dusk\n", ":1: theme: unknown key"},
		{"theme: dusk\n", "nearest: ui.theme"},
		{"agent: {max_turns: lots}\n", ":1: agent.max_turns: \"lots\" stands here; expected a number of iterations, 0 for no cap (whole) from 0 to 1000000"},
		{"agent: {max_turns: -1}\n", "\"-1\" stands here"},
		{"agent: {max_turns: 1.5}\n", "(whole)"},
		{"approvals: {mode: aks}\n", "expected one of ask, edit, plan, auto; nearest: ask"},
		{"compression: {threshold: 50}\n", "a part of the window from 0.05 to 0.95"},
		{"compression: {threshold: .nan}\n", "a part of the window"},
		{"ui: {plain: yes please}\n", "expected true or false"},
		{"ui: {theme: 1}\n", "expected the name of a theme, or auto"},
		{"model: gpt-5\n", ":1: model: \"gpt-5\" stands here; expected a section with the keys provider, name"},
		{"model:\n  name: a\n  name: b\n", ":3: model.name: stands twice (first in line 2)"},
		{"stream: {stale_seconds: 0}\n", "a number of seconds from 0.001"},
		{"providers: {x: {base_url: h.test/v1}}\n", "expected an address that begins with http:// or https://"},
		{"providers: {x: {apikey_env: A}}\n", "nearest: providers.x.api_key_env"},
		{"hooks: {pre_tool: []}\n", "nearest: pre_tool_call"},
		{"tools: {disabled_toolsets: [file, termnal]}\n", "nearest: terminal"},
		{"mcp_servers: {s: {args: {a: b}}}\n", "expected a list"},
		{"a: [\n", "not valid YAML"},
		{"agent: {}\n---\nagent: {}\n", "a second document follows"},
	} {
		path := userConfig(t, c.yaml)
		_, _, _, err := Load(UserFile(path, false, world()))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q:\n got %v\nwant %s%s", c.yaml, err, path, c.want)
		}
	}
}

func TestAllFaultsOfAFileAreToldAtOnce(t *testing.T) {
	_, _, _, err := Load(UserFile(userConfig(t, "agent: {max_turns: x}\nui: {esc: never}\nnope: 1\n"), false, world()))
	if got := Faults(err); len(got) != 3 || got[2].Line != 3 || got[2].Key != "nope" {
		t.Errorf("faults = %v", got)
	}
}

func TestAKeyThatWasPastedInsteadOfAVariableIsNotShown(t *testing.T) {
	key := "sk-ant-api03-ABCDEFGHIJKLMNOP"
	for _, y := range []string{"model: {api_key_env: " + key + "}\n", "providers: {x: {api_key: " + key + "}}\n", "providers: {x: {api_keys_env: [" + key + "]}}\n"} {
		_, _, _, err := Load(UserFile(userConfig(t, y), false, world()))
		if err == nil || strings.Contains(err.Error(), "sk-ant") {
			t.Errorf("%s: %v", y[:20], err)
		}
	}
}

func TestAnEmptyOrMissingFileIsTheDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "model:\n#  name: x\n"} {
		got, _, _, err := Load(UserFile(userConfig(t, text), false, world()))
		if err != nil || !reflect.DeepEqual(got, Defaults()) {
			t.Errorf("%q: %v", text, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "no.yaml")
	if _, _, _, err := Load(UserFile(missing, false, world())); err != nil {
		t.Error(err)
	}
	if _, _, _, err := Load(UserFile(missing, true, world())); err == nil {
		t.Error("TALARIA_CONFIG names a file that is not there, and nobody says so")
	}
}

func TestFlagOverEnvironmentOverProjectOverUserOverDefault(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".talaria", "config.yaml"), "ui: {theme: project}\ncompression: {threshold: 0.3}\nmodel: {effort: low}\n")
	user := userConfig(t, "ui: {theme: user, follow: head}\ncompression: {threshold: 0.4}\nmodel: {effort: max}\napprovals: {mode: plan}\n")
	env := Variables(func(n string) string {
		return map[string]string{"TALARIA_THEME": "env", "TALARIA_MODE": "edit", "TALARIA_PLAIN": "1", "TALARIA_MODEL": "  "}[n]
	})
	// The order of the arguments does not matter.
	c, o, w, err := Load(Values(Flag, world(), []Value{{"--mode", "approvals.mode", "auto"}}), Values(Environment, world(), env), ProjectFile(dir), UserFile(user, false, world()))
	if err != nil || len(w) != 0 {
		t.Fatal(err, w)
	}
	if c.Approvals.Mode != "auto" || c.UI.Theme != "env" || c.Compression.Threshold != 0.3 || c.UI.Follow != "head" || !c.UI.Plain || c.Model.Effort != "low" || c.UI.Esc != "graded" {
		t.Errorf("%+v", c)
	}
	for key, want := range map[string]string{
		"approvals.mode": "flag --mode", "ui.theme": "environment $TALARIA_THEME", "ui.follow": "user file " + user + ":1",
		"compression.threshold": "project file " + filepath.Join(dir, ".talaria", "config.yaml") + ":2", "ui.esc": "default", "model.name": "default",
	} {
		if got := o.Of(key).String(); got != want {
			t.Errorf("origin of %s = %q, want %q", key, got, want)
		}
	}
	if o.Set("ui.esc") || !o.Set("ui.theme") {
		t.Error("what the user decided is not told from a default")
	}
}

func TestAProjectFileMaySetOnlyWhatIsHarmless(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".talaria", "config.yaml"), `model: {name: small, effort: low, base_url: "http://evil.test", api_key_env: HOME}
agent: {max_turns: 500}
providers: {openai: {base_url: "http://evil.test"}}
approvals: {mode: auto}
tools: {disabled_toolsets: [web]}
hooks: {pre_tool_call: [{command: rm}]}
typo: 1
`)
	user := userConfig(t, "agent: {max_turns: 50}\ntools: {disabled_toolsets: [terminal]}\n")
	c, o, w, err := Load(UserFile(user, false, world()), ProjectFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	if c.Model.Name != "small" || c.Model.BaseURL != "" || c.Model.APIKeyEnv != "" || c.Agent.MaxTurns != 50 || len(c.Providers) != 0 || c.Approvals.Mode != "ask" || len(c.Hooks) != 0 {
		t.Errorf("%+v", c)
	}
	if o.Of("agent.max_turns").Layer != User {
		t.Errorf("origin of max_turns = %v", o.Of("agent.max_turns"))
	}
	if got := c.Tools.DisabledToolsets; !slices.Equal(got, []string{"web", "terminal"}) {
		t.Errorf("toolsets off = %v: a project gave one back", got)
	}
	text := ""
	for _, one := range w {
		text += string(one) + "\n"
	}
	for _, key := range []string{"model.base_url", "model.api_key_env", "agent.max_turns", "providers", "approvals", "hooks", "typo"} {
		if !strings.Contains(text, key+":") {
			t.Errorf("no warning about %s in\n%s", key, text)
		}
	}
	broken := t.TempDir()
	write(t, filepath.Join(broken, ".talaria", "config.yaml"), "compression: {threshold: x}\n")
	if _, _, _, err := Load(ProjectFile(broken)); err == nil {
		t.Error("nonsense in a setting that a project may have goes unnoticed")
	}
}

func TestAFlagWithANonsenseValueIsNamed(t *testing.T) {
	_, _, _, err := Load(Values(Flag, world(), []Value{{"--max-turns", "agent.max_turns", "many"}, {"--theme", "ui.theme", "dusk"}}))
	if err == nil || !strings.HasPrefix(err.Error(), "--max-turns: agent.max_turns: \"many\" stands here") {
		t.Errorf("%v", err)
	}
}

func TestASettingIsReadByItsKey(t *testing.T) {
	c, _, _, err := Load(UserFile(userConfig(t, "providers: {mine: {base_url: 'http://h.test/v1', models: [a, b]}}\n"), false, world()))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"agent.max_turns": 90, "providers.mine.base_url": "http://h.test/v1", "ui.plain": false, "stream.stale_seconds": 90} {
		if got, err := Get(c, key); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %#v (%v), want %#v", key, got, err, want)
		}
	}
	if got, _ := Get(c, "agent"); !reflect.DeepEqual(got, map[string]any{"max_turns": 90, "api_max_retries": 3, "tool_workers": 8}) {
		t.Errorf("agent = %#v", got)
	}
	_, err = Get(c, "agent.maxturns")
	if f := Faults(err); len(f) != 1 || f[0].Nearest != "agent.max_turns" {
		t.Errorf("%v", err)
	}
	if _, err := Get(c, "agent.max_turns.x"); err == nil {
		t.Error("a key below a number")
	}
}

func TestSettingAValueKeepsTheCommentsAndRefusesNonsense(t *testing.T) {
	path := userConfig(t, "# mine\nui:\n  theme: dusk # at night\n\n# loop\nagent: {max_turns: 5}\n")
	err := Set(path, Value{Key: "ui.theme", Text: "true"}, Value{Key: "agent.tool_workers", Text: "2"}, Value{Key: "providers.mine.base_url", Text: "http://h.test/v1"},
		Value{Key: "tools.disabled_toolsets", Text: "web, code"}, Value{Key: "model.name", Text: "1"})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	for _, want := range []string{"# mine", "# at night", "# loop", `"true"`, "max_turns: 5"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is gone from\n%s", want, data)
		}
	}
	c, _, _, err := Load(UserFile(path, true, world()))
	if err != nil || c.UI.Theme != "true" || c.Agent.ToolWorkers != 2 || c.Providers["mine"].BaseURL != "http://h.test/v1" || c.Model.Name != "1" || !slices.Equal(c.Tools.DisabledToolsets, []string{"web", "code"}) {
		t.Errorf("%v\n%s", err, data)
	}
	for _, v := range []Value{{Key: "agent.max_turns", Text: "x"}, {Key: "agent.nope", Text: "1"}, {Key: "ui.esc", Text: "later"}, {Key: "model", Text: "gpt"}} {
		if err := Set(path, v); err == nil {
			t.Errorf("set %s to %s went through", v.Key, v.Text)
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(data) {
		t.Error("a refused setting changed the file")
	}
	fresh := filepath.Join(t.TempDir(), "deep", "config.yaml")
	if err := Set(fresh, Value{Key: "ui.plain", Text: "on"}); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(fresh)
	dir, _ := os.Stat(filepath.Dir(fresh))
	if info.Mode().Perm() != 0o600 || dir.Mode().Perm() != 0o700 {
		t.Errorf("modes %v %v", info.Mode(), dir.Mode())
	}
}

func TestTheSchemaKnowsEveryKeyAndBound(t *testing.T) {
	var s struct {
		Properties map[string]struct {
			AdditionalProperties any
			Properties           map[string]map[string]any
		}
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Properties) != reflect.TypeFor[Config]().NumField() {
		t.Errorf("%d sections", len(s.Properties))
	}
	turns := s.Properties["agent"].Properties["max_turns"]
	if turns["type"] != "integer" || turns["default"] != 90.0 || turns["minimum"] != 0.0 || turns["description"] != "iterations of one turn; 0 means no cap" {
		t.Errorf("max_turns = %v", turns)
	}
	if mode := s.Properties["approvals"].Properties["mode"]; !reflect.DeepEqual(mode["enum"], []any{"ask", "edit", "plan", "auto"}) {
		t.Errorf("mode = %v", mode)
	}
	if s.Properties["agent"].AdditionalProperties != false {
		t.Error("an unknown key passes the schema")
	}
	if first := string(Schema()); string(Schema()) != first {
		t.Error("the schema is not the same twice")
	}
}

func TestFilesLieUnderTheHomeOrInTheXDGDirectories(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(n string) string { return m[n] } }
	flat := PathsFor(env(map[string]string{"TALARIA_HOME": "/x", "XDG_DATA_HOME": "/y"}), "/home/u")
	for got, want := range map[string]string{
		flat.Config: "/x/config.yaml", flat.Sessions: "/x/sessions.db", flat.Journal: "/x/journal", flat.Memories: "/x/memories", flat.Log: "/x/talaria.log",
		flat.Crash: "/x/crash", flat.Drafts: "/x/drafts", flat.Results: "/x/results", flat.Keys: "/x/keys.yaml", flat.Approvals: "/x/approvals.yaml", flat.Trust: "/x/trust.yaml",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	xdg := PathsFor(env(map[string]string{"XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "relative", "TALARIA_HOME": " "}), "/home/u")
	if xdg.Config != "/home/u/.config/talaria/config.yaml" || xdg.Sessions != "/d/talaria/sessions.db" || xdg.Log != "/home/u/.local/state/talaria/talaria.log" {
		t.Errorf("%+v", xdg)
	}
	named := PathsFor(env(map[string]string{"TALARIA_CONFIG": "/c/my.yaml"}), "/home/u")
	if named.Config != "/c/my.yaml" || !named.ConfigNamed || contains(named.Own(), "/c") {
		t.Errorf("%+v", named)
	}
}

func TestADirectoryIsTrustedByItsRealPathOnly(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	trust := OpenTrust(filepath.Join(home, "t", "trust.yaml"))
	if ok, err := trust.Has(dir); ok || err != nil {
		t.Fatal(ok, err)
	}
	link := filepath.Join(home, "link")
	if err := errors.Join(trust.Add(dir, time.Now()), os.Symlink(dir, link), os.Mkdir(filepath.Join(dir, "sub"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := trust.Add(link, time.Now()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{dir: true, link: true, filepath.Join(dir, "sub"): false, home: false} {
		if ok, err := trust.Has(path); ok != want || err != nil {
			t.Errorf("%s trusted = %v (%v)", path, ok, err)
		}
	}
	info, err := os.Stat(filepath.Join(home, "t", "trust.yaml"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	broken := OpenTrust(write(t, filepath.Join(t.TempDir(), "trust.yaml"), "trusted: [\n"))
	if ok, err := broken.Has(dir); ok || err == nil {
		t.Error("a broken file trusts somebody")
	}
	if err := broken.Add(dir, time.Now()); err == nil {
		t.Error("a file that could not be read was written over")
	}
}

package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
)

// life is a user's situation: environment, config.yaml, flags, saved keys.
type life struct {
	env   map[string]string
	yaml  string
	flags []Value
	saved [][3]string // provider, address, key
}

func (l life) resolver(t *testing.T) Resolver {
	t.Helper()
	getenv := func(n string) string { return l.env[n] }
	cfg, origins, _, err := Load(UserFile(userConfig(t, l.yaml), false, world()), Values(Environment, world(), Variables(getenv)), Values(Flag, world(), l.flags))
	if err != nil {
		t.Fatal(err)
	}
	keys := OpenKeys(filepath.Join(t.TempDir(), "keys.yaml"), deadRing{})
	for _, s := range l.saved {
		if _, err := keys.Save(s[0], s[1], s[2]); err != nil {
			t.Fatal(err)
		}
	}
	return Resolver{Config: cfg, Origins: origins, Catalogue: world(), Getenv: getenv, Keys: keys}
}

type deadRing struct{}

var errDead = errors.New("no keyring")

func (deadRing) Get(string) (string, error) { return "", errDead }
func (deadRing) Set(string, string) error   { return errDead }
func (deadRing) Delete(string) error        { return errDead }

func flag(name, text string) Value {
	return Value{name, map[string]string{"-m": "model.name", "--provider": "model.provider", "--base-url": "model.base_url", "--api-mode": "model.api_mode", "--api-key-env": "model.api_key_env"}[name], text}
}

const local = "http://127.0.0.1:8001/v1"

func TestG02AKeyGoesOnlyToTheAddressFromTheSameSource(t *testing.T) {
	ambient := map[string]string{"OPENAI_API_KEY": "env-key", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "ANTHROPIC_API_KEY": "ant-key"}
	with := func(more ...string) map[string]string {
		m := map[string]string{}
		for k, v := range ambient {
			m[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	for _, c := range []struct {
		story          string
		l              life
		provider, base string
		model, key     string
	}{
		{"a configured provider gets its own key", life{env: with("CFG", "cfg-key"), yaml: "model: {provider: x, name: m}\nproviders: {x: {base_url: '" + local + "', api_key_env: CFG}}"}, "x", local, "m", "cfg-key"},
		{"a configured provider without a key gets none", life{env: with(), yaml: "model: {provider: x, name: m}\nproviders: {x: {base_url: '" + local + "'}}"}, "x", local, "m", ""},
		{"a built-in provider moved elsewhere gets no ambient key", life{env: with(), yaml: "model: {provider: openai, name: m}\nproviders: {openai: {base_url: '" + local + "'}}"}, "openai", local, "m", ""},
		{"an address in model with a built-in name gets no ambient key", life{env: with(), yaml: "model: {provider: openai, name: m, base_url: '" + local + "'}"}, "openai", local, "m", ""},
		{"a built-in provider gets its own variable", life{env: with(), yaml: "model: {provider: openai}"}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"--base-url gets nothing ambient", life{env: with(), flags: []Value{flag("--base-url", local), flag("-m", "m")}}, "custom", local, "m", ""},
		{"--base-url gets TALARIA_API_KEY", life{env: with("TALARIA_API_KEY", "tal"), flags: []Value{flag("--base-url", local), flag("-m", "m")}}, "custom", local, "m", "tal"},
		{"--base-url gets --api-key-env", life{env: with("TALARIA_API_KEY", "tal", "MY", "mine"), flags: []Value{flag("--base-url", local), flag("--api-key-env", "MY"), flag("-m", "m")}}, "custom", local, "m", "mine"},
		{"--base-url does not get the configured key", life{env: with("CFG", "cfg-key"), yaml: "model: {provider: openai, name: m, api_key_env: CFG}", flags: []Value{flag("--base-url", local)}}, "custom", local, "m", ""},
		{"--base-url does not get a saved key", life{env: with(), flags: []Value{flag("--base-url", local), flag("-m", "m")}, saved: [][3]string{{"custom", local, "saved"}}}, "custom", local, "m", ""},
		{"--base-url with a built-in name still gets nothing ambient", life{env: with(), flags: []Value{flag("--base-url", local), flag("-m", "openai/m")}}, "openai", local, "m", ""},
		{"TALARIA_BASE_URL goes with TALARIA_API_KEY", life{env: with("TALARIA_BASE_URL", local, "TALARIA_API_KEY", "tal", "TALARIA_MODEL", "m"), yaml: "model: {provider: openai, name: gpt, api_key_env: CFG}"}, "custom", local, "m", "tal"},
		{"TALARIA_API_KEY does not follow -m to another place", life{env: with("TALARIA_BASE_URL", local, "TALARIA_API_KEY", "tal"), flags: []Value{flag("-m", "openai/gpt-5")}}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"TALARIA_API_KEY goes with TALARIA_PROVIDER", life{env: with("TALARIA_PROVIDER", "openai", "TALARIA_API_KEY", "tal")}, "openai", "https://api.openai.com/v1", "gpt-5", "tal"},
		{"but not with a provider from the file", life{env: with("TALARIA_API_KEY", "tal"), yaml: "model: {provider: openai}"}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"nor with one from a flag", life{env: with("TALARIA_API_KEY", "tal"), flags: []Value{flag("-m", "openai/gpt-5")}}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"nor to an address from the file", life{env: with("TALARIA_PROVIDER", "x", "TALARIA_MODEL", "m", "TALARIA_API_KEY", "tal"), yaml: "providers: {x: {base_url: '" + local + "'}}"}, "x", local, "m", ""},
		{"a local server gets no key", life{env: with(), flags: []Value{flag("-m", "ollama/qwen3")}}, "ollama", "http://127.0.0.1:11434/v1", "qwen3", ""},
		{"an address in model gets the key named beside it", life{env: with("CFG", "cfg-key"), yaml: "model: {name: m, base_url: '" + local + "/', api_key_env: CFG}"}, "custom", local + "/", "m", "cfg-key"},
		{"an address in model gets the key that was saved for it", life{env: with(), yaml: "model: {name: m, base_url: '" + local + "'}", saved: [][3]string{{"custom", local, "saved"}, {"custom", "http://other.test/v1", "no"}}}, "custom", local, "m", "saved"},
		{"a name chosen for another provider is not asked for", life{env: with(), yaml: "model: {provider: anthropic, name: claude-x}", flags: []Value{flag("--provider", "openai")}}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"a bare -m stays with the configured provider", life{env: with(), yaml: "model: {provider: anthropic, name: claude-x}", flags: []Value{flag("-m", "claude-y")}}, "anthropic", "https://api.anthropic.com/v1", "claude-y", "ant-key"},
		{"--provider keeps a maker's name in -m", life{env: with(), flags: []Value{flag("--provider", "openai"), flag("-m", "anthropic/claude")}}, "openai", "https://api.openai.com/v1", "anthropic/claude", "env-key"},
		{"a name in the file brings its provider", life{env: with(), yaml: "model: {name: anthropic/claude-z:high}"}, "anthropic", "https://api.anthropic.com/v1", "claude-z", "ant-key"},
		{"a blank variable is not set, so the saved key is taken", life{env: map[string]string{"OPENAI_API_KEY": "   "}, yaml: "model: {provider: openai}", saved: [][3]string{{"openai", "https://API.openai.com:443/v1/", "saved"}}}, "openai", "https://api.openai.com/v1", "gpt-5", "saved"},
		{"nothing is chosen: the first key found", life{env: map[string]string{"ANTHROPIC_API_KEY": " ", "OPENAI_API_KEY": "env-key"}}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"a bare name goes to who has it", life{env: ambient, flags: []Value{flag("-m", "gpt-9")}}, "openai", "https://api.openai.com/v1", "gpt-9", "env-key"},
		{"--api-key-env is not tried on a guess", life{env: map[string]string{"MY": "mine", "OPENAI_API_KEY": "env-key"}, flags: []Value{flag("--api-key-env", "MY")}}, "openai", "https://api.openai.com/v1", "gpt-5", "env-key"},
		{"the demo needs nothing", life{flags: []Value{flag("-m", "demo/offline")}}, "demo", "", "offline", ""},
		{"a pasted key is trimmed", life{env: map[string]string{"OPENAI_API_KEY": " “sk-x”\n"}, yaml: "model: {provider: openai}"}, "openai", "https://api.openai.com/v1", "gpt-5", "sk-x"},
	} {
		got, err := c.l.resolver(t).ResolveRoute()
		r := got.Route
		if err != nil || r.Provider != c.provider || r.BaseURL != c.base || r.Model != c.model || string(got.Key) != c.key {
			t.Errorf("%s:\n got %s at %s, model %s, key %q (%v)\nwant %s at %s, model %s, key %q", c.story, r.Provider, r.BaseURL, r.Model, string(got.Key), err, c.provider, c.base, c.model, c.key)
		}
		if r.APIMode != engine.ChatCompletions {
			t.Errorf("%s: mode %q", c.story, r.APIMode)
		}
	}
}

// A project's .env is a file like any other: no name in it is ever read, whatever the working directory.
func TestG03AProjectsEnvFileChoosesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".env"), "OPENAI_BASE_URL=http://127.0.0.1:9\nANTHROPIC_BASE_URL=http://127.0.0.1:9\nTALARIA_BASE_URL=http://127.0.0.1:9\nTALARIA_MODEL=evil\n")
	t.Chdir(dir)
	cfg, origins, _, err := Load(UserFile(userConfig(t, "model: {provider: x, name: m}\nproviders: {x: {base_url: '"+local+"', api_key_env: CFG}}"), true, world()), ProjectFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	r := Resolver{Config: cfg, Origins: origins, Catalogue: world(), Getenv: func(n string) string { return map[string]string{"CFG": "cfg-key"}[n] }}
	if got, err := r.ResolveRoute(); err != nil || got.Route.BaseURL != local || string(got.Key) != "cfg-key" {
		t.Errorf("%+v %v", got.Route, err)
	}
}

func TestNothingConfiguredSaysWhatCanBeDone(t *testing.T) {
	_, err := life{}.resolver(t).ResolveRoute()
	e := engine.AsError(err)
	if !errors.Is(err, ErrNotConnected) || e.Code != engine.CodeNoKey || (engine.Outcome{Exit: engine.ExitFailed, Err: e}).ExitCode() != 3 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"no model is connected", "ANTHROPIC_API_KEY", "--demo", "talaria connect"} {
		if !strings.Contains(e.Message+e.Hint, want) {
			t.Errorf("no %q in %s %s", want, e.Message, e.Hint)
		}
	}
	_, err = life{env: map[string]string{"TALARIA_API_KEY": "tal"}}.resolver(t).ResolveRoute()
	if h := engine.AsError(err).Hint; !strings.Contains(h, "TALARIA_API_KEY goes only to") {
		t.Errorf("a stray key is not explained: %s", h)
	}
}

func TestWhatCannotBeReachedIsExplained(t *testing.T) {
	for _, c := range []struct {
		l    life
		want string
	}{
		{life{yaml: "model: {provider: openai}"}, "no key for OpenAI: $OPENAI_API_KEY is not set or blank"},
		{life{yaml: "model: {provider: opnai}"}, "nearest: openai"},
		{life{flags: []Value{flag("-m", "bedrock/x")}}, "does not speak bedrock_converse yet"},
		{life{flags: []Value{flag("-m", "ollama/")}}, "-m ollama/MODEL"},
		{life{flags: []Value{flag("--base-url", local)}}, "no model is named for " + local},
		{life{yaml: "model: {provider: x, name: m}\nproviders: {x: {api_key_env: A}}"}, "providers.x.base_url: is not set"},
		{life{env: map[string]string{"OPENAI_API_KEY": "k"}, flags: []Value{flag("-m", "llama-99")}}, "it is not known which provider has \"llama-99\""},
		{life{flags: []Value{flag("--base-url", local), flag("-m", "m"), flag("--api-mode", "codex_responses")}}, "codex_responses is not there in this version"},
		{life{flags: []Value{flag("--base-url", local), flag("-m", "m"), flag("--api-key-env", "NOT_SET")}}, "$NOT_SET is not set"},
		{life{env: map[string]string{"OPENAI_API_KEY": "sk-тест"}, yaml: "model: {provider: openai}"}, "at position 4 (U+0442), 5 (U+0435)"},
	} {
		_, err := c.l.resolver(t).ResolveRoute()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "sk-") {
			t.Errorf("%+v:\n got %v\nwant %s", c.l, err, c.want)
		}
	}
}

func TestAProtocolIsDetectedOnlyForAddressesOfTheUsersOwn(t *testing.T) {
	r := life{flags: []Value{flag("--base-url", local), flag("-m", "m")}}.resolver(t)
	asked := ""
	r.Catalogue.Detect = func(_ engine.APIMode, provider, base string) (engine.APIMode, error) {
		asked = provider + " " + base
		return engine.ChatCompletions, nil
	}
	if _, err := r.ResolveRoute(); err != nil || asked != "custom "+local {
		t.Errorf("%q %v", asked, err)
	}
	r.Catalogue.Detect = func(engine.APIMode, string, string) (engine.APIMode, error) { return engine.AnthropicMessages, nil }
	if _, err := r.ResolveRoute(); err == nil || !strings.Contains(err.Error(), "anthropic_messages is not there in this version") {
		t.Errorf("%v", err)
	}
	known := life{env: map[string]string{"ANTHROPIC_API_KEY": "k"}, flags: []Value{flag("-m", "anthropic/claude")}}.resolver(t)
	known.Catalogue.Detect = r.Catalogue.Detect
	if got, err := known.ResolveRoute(); err != nil || got.Route.APIMode != engine.ChatCompletions {
		t.Errorf("Anthropic's compatible address: %v %v", got.Route, err)
	}
}

func TestASwitchStaysAtTheAddressUnlessAProviderIsNamed(t *testing.T) {
	r := life{env: map[string]string{"OPENAI_API_KEY": "o", "ANTHROPIC_API_KEY": "a"}, yaml: "model: {provider: anthropic, name: claude, effort: low}"}.resolver(t)
	first, err := r.ResolveRoute()
	if err != nil {
		t.Fatal(err)
	}
	other, err := r.Switch(first.Route, "claude-2:max")
	if err != nil || other.Route.Provider != "anthropic" || other.Route.Model != "claude-2" || other.Route.Effort != "max" || string(other.Key) != "a" {
		t.Errorf("%+v %v", other.Route, err)
	}
	far, err := r.Switch(other.Route, "openai/gpt-5")
	if err != nil || far.Route.BaseURL != "https://api.openai.com/v1" || string(far.Key) != "o" || far.Route.Effort != "max" {
		t.Errorf("%+v %v", far.Route, err)
	}
	if again, err := r.Switch(far.Route, "gpt-5-mini"); err != nil || again.Route.Provider != "openai" || string(again.Key) != "o" {
		t.Errorf("%+v %v", again.Route, err)
	}
}

func TestAStoredSessionCannotSendAKeyToItsOwnAddress(t *testing.T) {
	r := life{env: map[string]string{"OPENAI_API_KEY": "o", "TALARIA_API_KEY": "tal"}}.resolver(t)
	evil := engine.Route{Provider: "openai", Model: "gpt-5", BaseURL: "http://evil.test/v1", KeyEnv: "OPENAI_API_KEY", APIMode: engine.ChatCompletions}
	if got, err := r.Stored(evil); err != nil || got.Key != "" || got.Route.KeyEnv != "" || got.Route.BaseURL != evil.BaseURL {
		t.Errorf("%+v %q %v", got.Route, string(got.Key), err)
	}
	good := engine.Route{Provider: "openai", Model: "gpt-5", BaseURL: "https://api.openai.com/v1/", APIMode: engine.ChatCompletions, Effort: "high"}
	if got, err := r.Stored(good); err != nil || string(got.Key) != "o" || got.Route.Effort != "high" {
		t.Errorf("%+v %q %v", got.Route, string(got.Key), err)
	}
}

func TestAPoolGivesFurtherKeysAndFallbacksTheirOwn(t *testing.T) {
	r := life{env: map[string]string{"A": "a", "B": "b", "C": " ", "OPENAI_API_KEY": "o"}, yaml: `model: {provider: x, name: m}
providers: {x: {base_url: "http://h.test/v1", api_keys_env: [A, C, B], headers: {X-Token: hush-hush, X-Title: t}, timeouts: {stale_seconds: 7}, models: {m: {context_window: 9000}}}}
stream: {total_seconds: 60}
fallback_providers: [{provider: openai, model: gpt-5}, {provider: anthropic}, {base_url: "http://g.test/v1", model: z, api_key_env: B}]
`}.resolver(t)
	got, err := r.ResolveRoute()
	if err != nil || string(got.Key) != "a" || len(got.More) != 1 || got.More[0] != (Held{"b", "$B"}) || got.From != "$A" || got.Window != 9000 {
		t.Errorf("%+v %v", got, err)
	}
	if got.Clocks != (Stream{StaleSeconds: 7, TotalSeconds: 60}) {
		t.Errorf("clocks %+v: only what the user decided is set", got.Clocks)
	}
	more, errs := r.Fallbacks()
	if len(more) != 2 || string(more[0].Key) != "o" || more[1].Route.BaseURL != "http://g.test/v1" || string(more[1].Key) != "b" || len(errs) != 1 {
		t.Errorf("%+v %v", more, errs)
	}
	if all := strings.Join(r.KeyVariables(), " "); all != "A ANTHROPIC_API_KEY B C OPENAI_API_KEY TALARIA_API_KEY" {
		t.Error(all)
	}
	if s := r.Secrets(); len(s) != 4 || string(s[2]) != "hush-hush" {
		t.Errorf("%d secrets", len(s))
	}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s", got, got, got.Key, got.Key), must(json.Marshal(got))} {
		if strings.Contains(text, `"a"`) || strings.Contains(text, "{a") || strings.Contains(text, " a ") || !strings.Contains(text, "[key]") {
			t.Errorf("a key is printed: %s", text)
		}
	}
}

func must(b []byte, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestKnownConnectionsComeWithTheReadyOnesFirst(t *testing.T) {
	r := life{env: map[string]string{"OPENAI_API_KEY": "o"}, yaml: "providers: {mine: {base_url: '" + local + "', models: [a]}}"}.resolver(t)
	var got []string
	for _, c := range r.Known() {
		got = append(got, fmt.Sprintf("%s %v %s %s", c.Name, c.Ready, c.Found, c.Route.Model))
	}
	want := "mine true no key is needed a|OpenAI true $OPENAI_API_KEY is set gpt-5|Anthropic false  claude"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}

func TestASideTaskHasItsOwnModelAndFallbacksOrTheConversations(t *testing.T) {
	r := life{env: map[string]string{"OPENAI_API_KEY": "o", "ANTHROPIC_API_KEY": "a"}, yaml: `model: {provider: openai, name: gpt-5, context_window: 5000}
auxiliary:
  title: {provider: anthropic, model: claude-small, fallback: [{provider: openai, model: gpt-5-mini}, {provider: nobody}]}
  vision: {model: gpt-5-eye}
  approval: {model: anthropic/claude}
  review: {provider: nowhere}
`}.resolver(t)
	main := engine.Route{Provider: "openai", Model: "gpt-5", BaseURL: "https://api.openai.com/v1", APIMode: engine.ChatCompletions}
	for name, want := range map[string]string{"title": "true anthropic/claude-small a [gpt-5-mini] 1 <nil>", "vision": "true openai/gpt-5-eye o [] 0 <nil>",
		"approval": "true anthropic/claude a [] 0 <nil>", "compression": "false /  [] 0 <nil>"} {
		task, skipped, err := r.Auxiliary(name, main)
		var more []string
		for _, f := range task.Fallbacks {
			more = append(more, f.Route.Model)
		}
		if got := fmt.Sprint(task.Own, " ", task.Main.Route.Provider, "/", task.Main.Route.Model, " ", string(task.Main.Key), " ", more, " ", len(skipped), " ", err); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if name == "title" && (task.Main.Window != 0 || !strings.Contains(skipped[0].Error(), "auxiliary.title.fallback.1 is left out")) {
			t.Errorf("window %d, skipped %v", task.Main.Window, skipped)
		}
	}
	if _, _, err := r.Auxiliary("review", main); err == nil {
		t.Error("a provider that is not there was resolved")
	}
	if _, _, err := r.Auxiliary("nonsense", main); err == nil {
		t.Error("a task that is not there was resolved")
	}
}

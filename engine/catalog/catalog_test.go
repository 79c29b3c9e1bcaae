package catalog

import (
	"math"
	"testing"

	"talaria/engine"
)

func TestK01CachedTokensAreNotChargedTwice(t *testing.T) {
	m := ModelInfo{Price: Price{In: 0.50, Read: 0.05, Out: 3.00}}
	u := engine.Usage{Input: 20212, CacheRead: 16298, Output: 931}
	got := m.Cost(u)
	if got == nil || math.Abs(*got-0.0055649) > 1e-9 {
		t.Fatalf("cost = %v, want 0.0055649 (3914 at the full price, 16298 cached, 931 out)", got)
	}
}

// Anthropic reports input_tokens without the cache; the provider layer adds them up, so Input is 2613 here.
func TestK02AnthropicUsageCountsCacheReadsOnTop(t *testing.T) {
	m, _ := Model("anthropic", "claude-sonnet-4-5-20250929")
	u := engine.Usage{Input: 53 + 2560, CacheRead: 2560, Output: 10}
	want := (53*3 + 2560*0.3 + 10*15) / 1e6
	if got := m.Cost(u); got == nil || math.Abs(*got-want) > 1e-12 {
		t.Fatalf("cost = %v, want %v", got, want)
	}
}

func TestCacheWritesCostWhatTheProviderAsks(t *testing.T) {
	m, _ := Model("anthropic", "claude-sonnet-4-5")
	if got := *m.Cost(engine.Usage{Input: 1e6, CacheWrite: 1e6}); got != 3.75 {
		t.Errorf("writes at Anthropic = %v, want 3.75", got)
	}
	o, _ := Model("openai", "gpt-5")
	if got := *o.Cost(engine.Usage{Input: 1e6, CacheWrite: 1e6}); got != 1.25 {
		t.Errorf("writes where they cost as input = %v, want 1.25", got)
	}
}

func TestAPriceThatIsNotKnownIsNilAndNeverZero(t *testing.T) {
	u := engine.Usage{Input: 1000, Output: 10}
	for _, c := range [][2]string{
		{"ollama", "qwen3:8b"}, {"demo", "offline"}, {"custom", "gpt-5"}, {"", "claude-sonnet-4-5"}, {"openai", "gpt-9"},
		{"openai", "gpt-5.5-pro"}, {"openrouter", "z-ai/glm-5.2:free"}, {"openrouter", "deepseek/deepseek-v4-pro"}, {"anthropic", "claude-opus-5-fast"},
	} {
		m, _ := Model(c[0], c[1])
		if got := m.Cost(u); got != nil {
			t.Errorf("%s/%s costs %v, want unknown", c[0], c[1], *got)
		}
	}
	m, _ := Model("groq", "qwen/qwen3-32b")
	if m.Cost(u) == nil {
		t.Error("a plain call at a known price has no cost")
	}
	if got := m.Cost(engine.Usage{Input: 1000, CacheRead: 500}); got != nil {
		t.Errorf("cached input without a published price costs %v, want unknown", *got)
	}
}

func TestTheLongestNameInTheTableWins(t *testing.T) {
	for _, c := range []struct {
		provider, model, row string
		window               int
		priced               bool
	}{
		{"openai", "gpt-5-mini-2025-08-07", "gpt-5-mini", 400000, true},
		{"openai", "GPT-5", "gpt-5", 400000, true},
		{"openai", "gpt-4o-2024-11-20", "gpt-4o", 128000, true},
		{"openai", "gpt-5.2-codex", "gpt-5.2-codex", 400000, true},
		{"anthropic", "claude-opus-4-20250514", "claude-opus-4", 200000, true},
		{"anthropic", "claude-opus-4-9", "claude-opus-4", 200000, false},
		{"gemini", "gemini-3-flash-preview", "gemini-3-flash", 1048576, true},
		{"mistral", "mistral-large-latest", "mistral-large", 262144, true},
		{"openrouter", "anthropic/claude-sonnet-4.6", "claude-sonnet-4-6", 200000, true},
		{"openrouter", "moonshotai/kimi-k2.6", "kimi-k2.6", 262144, false},
		{"custom", "gpt-5-mini", "gpt-5-mini", 400000, false},
		{"groq", "moonshotai/kimi-k2-instruct-0905", "moonshotai/kimi-k2-instruct", 131072, true},
	} {
		m, ok := Model(c.provider, c.model)
		if !ok || m.Name != c.row || m.Window != c.window || (m.Price != Price{}) != c.priced {
			t.Errorf("%s/%s = %+v, %v; want row %s, window %d, priced %v", c.provider, c.model, m, ok, c.row, c.window, c.priced)
		}
	}
	if m, ok := Model("openai", "gpt-4oh-no"); ok {
		t.Errorf("gpt-4oh-no is taken for %q", m.Name)
	}
}

func TestAModelIsNamedWithProviderAndEffort(t *testing.T) {
	known := func(s string) bool { _, ok := Provider(s); return ok || s == "mine" }
	for _, c := range []struct{ in, provider, model, effort string }{
		{"gpt-5", "", "gpt-5", ""},
		{"openai/gpt-5:high", "openai", "gpt-5", "high"},
		{"qwen3:8b", "", "qwen3:8b", ""},
		{"ollama/qwen3:8b:off", "ollama", "qwen3:8b", "off"},
		{"meta-llama/llama-4", "", "meta-llama/llama-4", ""},
		{"openrouter/meta-llama/llama-4:free", "openrouter", "meta-llama/llama-4:free", ""},
		{"mine/x:max", "mine", "x", "max"},
		{" demo/offline ", "demo", "offline", ""},
		{"gpt-5:HIGH", "", "gpt-5:HIGH", ""},
		{":high", "", "", "high"},
		{"openai/", "openai", "", ""},
		{"", "", "", ""},
	} {
		p, m, e := ParseModel(c.in, known)
		if p != c.provider || m != c.model || e != c.effort {
			t.Errorf("ParseModel(%q) = %q %q %q, want %q %q %q", c.in, p, m, e, c.provider, c.model, c.effort)
		}
	}
}

func TestEveryProviderCanBeUsedOrSaysWhyNot(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Providers() {
		if seen[p.Name] || p.Title == "" || p.APIMode == "" {
			t.Errorf("%s: twice, or without title or mode", p.Name)
		}
		seen[p.Name] = true
		if p.Missing != "" || p.Name == "demo" {
			continue
		}
		if p.Name == "bedrock" {
			if p.APIMode != engine.BedrockConverse || p.BaseURL != "" || p.KeyEnv != nil || p.Local() {
				t.Errorf("bedrock's address is the region's, and what signs is not ours to hold: %+v", p)
			}
			continue
		}
		if p.BaseURL == "" {
			t.Errorf("%s cannot be reached and does not say so", p.Name)
		}
		if !p.Local() && (len(p.KeyEnv) == 0 || p.Model == "") {
			t.Errorf("%s has no key variable or no default model", p.Name)
		}
		if _, ok := Model(p.Name, p.Model); !ok && !p.Local() {
			t.Errorf("the default model of %s, %s, is not in the table", p.Name, p.Model)
		}
	}
	for _, name := range []string{"anthropic", "openai", "openrouter", "gemini", "deepseek", "xai", "groq", "mistral", "kimi", "glm", "ollama", "lmstudio", "llamacpp", "bedrock", "demo"} {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestTheModelTableHasNoDoubleAndNoNegative(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range models {
		id := m.Provider + "/" + normal(m.Name)
		if _, ok := Provider(m.Provider); !ok || seen[id] || m.Window <= 0 {
			t.Errorf("%s: unknown provider, twice, or no window", id)
		}
		seen[id] = true
		if p := m.Price; p != (Price{}) && (p.In <= 0 || p.Out < p.In || p.Read < 0 || p.Read > p.In) {
			t.Errorf("%s: price %+v", id, p)
		}
	}
}

func TestWhatIsKeptForAnHourCostsMoreToKeep(t *testing.T) {
	written := engine.Usage{Input: 1_000_000, CacheWrite: 1_000_000}
	for _, c := range []struct {
		provider, model string
		cache           engine.Cache
		want            float64
	}{
		{"anthropic", "claude-sonnet-4-5", engine.CacheMinutes, 3.75},
		{"anthropic", "claude-sonnet-4-5", engine.CacheHour, 6},
		{"openrouter", "anthropic/claude-sonnet-4.5", engine.CacheHour, 6},
		{"openai", "gpt-5.6-luna", engine.CacheHour, 1.25}, // is not asked for an hour
	} {
		m, _ := Model(c.provider, c.model)
		if got := m.KeptFor(c.cache).Cost(written); got == nil || *got != c.want {
			t.Errorf("%s/%s kept for %q: %v, want %v", c.provider, c.model, c.cache, got, c.want)
		}
	}
}

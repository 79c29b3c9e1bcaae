package catalog

import (
	"strings"
	"testing"
)

func TestAModelIsKnownToSeeOrNotUnderAnyName(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		sees, known     bool
	}{
		{"anthropic", "claude-sonnet-4-5-20250929", true, true},
		{"openrouter", "anthropic/claude-sonnet-4.6", true, true},
		{"bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", true, true},
		{"bedrock", "anthropic.claude-3-haiku-20240307-v1:0", true, true},
		{"bedrock", "us.amazon.nova-micro-v1:0", false, true},
		{"bedrock", "deepseek.r1-v1:0", false, false}, // without its maker the name says nothing
		{"openai", "gpt-5.2", true, true},
		{"openai", "gpt-4o-mini", true, true},
		{"openai", "gpt-4.1-nano", true, true},
		{"openai", "gpt-4", false, true},
		{"openai", "gpt-4-0613", false, true},
		{"openai", "gpt-3.5-turbo", false, true},
		{"openai", "o3-mini", false, true},
		{"openai", "o4-mini", true, true},
		{"groq", "openai/gpt-oss-120b", false, true},
		{"gemini", "gemini-3-flash-preview", true, true},
		{"deepseek", "deepseek-v4-pro", false, true},
		{"deepseek", "deepseek-v4-flash-vision-exp", true, true},
		{"deepseek", "deepseek-v4.1-flash", true, true},
		{"glm", "glm-5.2", false, false},
		{"openrouter", "qwen/qwen3-8b", false, true},
		{"ollama", "qwen3.5:9b", true, true},
		{"ollama", "gemma2:9b", false, true},
		{"openrouter", "google/gemma-4-27b-it", false, false},
		{"fireworks", "accounts/fireworks/models/deepseek-v3p1", false, true},
		{"ollama", "deepseek-ocr:3b", true, true},
		{"xai", "grok-4.5", true, true},
		{"xai", "grok-code-fast-1", false, true},
		{"mistral", "mistral-large-latest", true, true},
		{"mistral", "mistral-large-2411", false, true},
		{"mistral", "codestral-2508", false, true},
		{"mistral", "mistral-small-2501", false, true},
		{"mistral", "mistral-small-latest", true, true},
		{"kimi", "kimi-k2.6", true, true},
		{"groq", "moonshotai/kimi-k2-instruct-0905", false, true},
		{"kimi", "kimi-k2-thinking", false, true},
		{"glm", "glm-4.5v", true, true},
		{"glm", "glm-5v-turbo", true, true},
		{"glm", "glm-5.1", false, true},
		{"ollama", "qwen3:8b", false, true},
		{"ollama", "qwen2.5vl:7b", true, true},
		{"ollama", "qwen3-vl:32b", true, true},
		{"ollama", "qwen3-coder:30b", false, true},
		{"ollama", "gemma3:1b", false, true},
		{"ollama", "gemma3:12b", true, true},
		{"ollama", "llama3.2-vision", true, true},
		{"ollama", "llama3.2:3b", false, true},
		{"ollama", "llava:13b", true, true},
		{"", "meta-llama/Llama-3.3-70B-Instruct", false, true},
		{"", "meta-llama/Llama-4-Scout-17B-16E-Instruct", true, true},
		{"", "gemini-3-pro-image-preview", false, false},
		{"", "somebody/unheard-of-7b", false, false},
		{"", "", false, false},
		{"demo", "offline", false, true},
	} {
		if sees, known := Sees(c.provider, c.model); sees != c.sees || known != c.known {
			t.Errorf("Sees(%q, %q) = %v, %v; want %v, %v", c.provider, c.model, sees, known, c.sees, c.known)
		}
	}
}

func TestAbilitiesComeWithTheModel(t *testing.T) {
	for _, c := range []struct {
		provider, model        string
		vision, reasons, tools bool
	}{
		{"anthropic", "claude-3-haiku-20240307", true, false, true},
		{"anthropic", "claude-opus-4-5", true, true, true},
		{"openai", "gpt-5-mini", true, true, true},
		{"openai", "gpt-5-chat-latest", true, false, true},
		{"openai", "gpt-4.1", true, false, true},
		{"xai", "grok-4-fast-non-reasoning", true, false, true},
		{"ollama", "qwen3:8b", false, true, true}, // not in the table of models, and known all the same
		{"ollama", "llava", true, false, false},
		{"custom", "unheard-of", false, false, false},
	} {
		m, _ := Model(c.provider, c.model)
		if m.Vision != c.vision || m.Reasons != c.reasons || m.Tools != c.tools {
			t.Errorf("%s/%s: vision %v, reasons %v, tools %v", c.provider, c.model, m.Vision, m.Reasons, m.Tools)
		}
	}
}

// A model whose numbers are in the table is one whose family somebody knew.
func TestEveryModelOfTheTableHasAFamily(t *testing.T) {
	for _, m := range models {
		if abilityOf(m.Name) == (ability{}) {
			t.Errorf("%s/%s: no family", m.Provider, m.Name)
		}
	}
	for _, p := range Providers() {
		if p.Model != "" && p.Name != "demo" && !abilityOf(p.Model).tools.true() {
			t.Errorf("the default model of %s, %s, is not known to call tools", p.Name, p.Model)
		}
	}
}

func TestFamiliesAreWrittenAsNamesAreCompared(t *testing.T) {
	for i, f := range families {
		if f.pattern != strings.ToLower(f.pattern) || strings.Contains(f.pattern, "/") {
			t.Errorf("row %d, %s: names are lower case and have no maker", i, f.pattern)
		}
		for j := range i {
			if families[j].pattern == f.pattern {
				t.Errorf("row %d, %s, is there twice", i, f.pattern)
			}
		}
	}
}

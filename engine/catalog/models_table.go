package catalog

// AsOf is the day on which the prices and windows below were true, as the providers published them. What models can do
// (the table of families) is older or younger than that.
const AsOf = "2026-08-19"

// models is the table of well-known models. A price that is left out was not published for that model.
var models = []row{
	{"anthropic", "claude-opus-5", 1000000, 128000, Price{In: 5, Out: 25, Read: 0.5, Write: 6.25}},
	{"anthropic", "claude-opus-4-8", 1000000, 128000, Price{In: 5, Out: 25, Read: 0.5, Write: 6.25}},
	{"anthropic", "claude-opus-4-7", 1000000, 128000, Price{In: 5, Out: 25, Read: 0.5, Write: 6.25}},
	{"anthropic", "claude-opus-4-6", 200000, 128000, Price{In: 5, Out: 25, Read: 0.5, Write: 6.25}},
	{"anthropic", "claude-opus-4-5", 200000, 64000, Price{In: 5, Out: 25, Read: 0.5, Write: 6.25}},
	{"anthropic", "claude-opus-4-1", 200000, 32000, Price{In: 15, Out: 75, Read: 1.5, Write: 18.75}},
	{"anthropic", "claude-opus-4", 200000, 32000, Price{In: 15, Out: 75, Read: 1.5, Write: 18.75}},
	{"anthropic", "claude-sonnet-5", 1000000, 128000, Price{In: 2, Out: 10, Read: 0.2, Write: 2.5}},
	{"anthropic", "claude-sonnet-4-6", 200000, 128000, Price{In: 3, Out: 15, Read: 0.3, Write: 3.75}},
	{"anthropic", "claude-sonnet-4-5", 200000, 64000, Price{In: 3, Out: 15, Read: 0.3, Write: 3.75}},
	{"anthropic", "claude-sonnet-4", 200000, 64000, Price{In: 3, Out: 15, Read: 0.3, Write: 3.75}},
	{"anthropic", "claude-haiku-4-5", 200000, 64000, Price{In: 1, Out: 5, Read: 0.1, Write: 1.25}},
	{"anthropic", "claude-3-haiku", 200000, 4096, Price{In: 0.25, Out: 1.25, Read: 0.03, Write: 0.3}},

	{"openai", "gpt-5.6-sol", 1050000, 128000, Price{In: 5, Out: 30, Read: 0.5, Write: 6.25}},
	{"openai", "gpt-5.6-terra", 1050000, 128000, Price{In: 2.5, Out: 15, Read: 0.25, Write: 3.125}},
	{"openai", "gpt-5.6-luna", 1050000, 128000, Price{In: 1, Out: 6, Read: 0.1, Write: 1.25}},
	{"openai", "gpt-5.5", 1050000, 128000, Price{In: 5, Out: 30, Read: 0.5}},
	{"openai", "gpt-5.4", 1050000, 128000, Price{In: 2.5, Out: 15, Read: 0.25}},
	{"openai", "gpt-5.4-mini", 400000, 128000, Price{In: 0.75, Out: 4.5, Read: 0.075}},
	{"openai", "gpt-5.4-nano", 400000, 128000, Price{In: 0.2, Out: 1.25, Read: 0.02}},
	{"openai", "gpt-5.3-codex", 400000, 128000, Price{In: 1.75, Out: 14, Read: 0.175}},
	{"openai", "gpt-5.2", 400000, 128000, Price{In: 1.75, Out: 14, Read: 0.175}},
	{"openai", "gpt-5.2-codex", 400000, 128000, Price{In: 1.75, Out: 14, Read: 0.175}},
	{"openai", "gpt-5.1", 400000, 128000, Price{In: 1.25, Out: 10, Read: 0.125}},
	{"openai", "gpt-5.1-codex", 400000, 128000, Price{In: 1.25, Out: 10, Read: 0.125}},
	{"openai", "gpt-5.1-codex-mini", 400000, 128000, Price{In: 0.25, Out: 2, Read: 0.025}},
	{"openai", "gpt-5", 400000, 128000, Price{In: 1.25, Out: 10, Read: 0.125}},
	{"openai", "gpt-5-codex", 400000, 128000, Price{In: 1.25, Out: 10, Read: 0.125}},
	{"openai", "gpt-5-mini", 400000, 128000, Price{In: 0.25, Out: 2, Read: 0.025}},
	{"openai", "gpt-5-nano", 400000, 128000, Price{In: 0.05, Out: 0.4, Read: 0.005}},
	{"openai", "gpt-4.1", 1047576, 32768, Price{In: 2, Out: 8, Read: 0.5}},
	{"openai", "gpt-4.1-mini", 1047576, 32768, Price{In: 0.4, Out: 1.6, Read: 0.1}},
	{"openai", "gpt-4.1-nano", 1047576, 32768, Price{In: 0.1, Out: 0.4, Read: 0.025}},
	{"openai", "gpt-4o", 128000, 16384, Price{In: 2.5, Out: 10, Read: 1.25}},
	{"openai", "gpt-4o-mini", 128000, 16384, Price{In: 0.15, Out: 0.6, Read: 0.075}},
	{"openai", "o3", 200000, 100000, Price{In: 2, Out: 8, Read: 0.5}},
	{"openai", "o3-mini", 200000, 100000, Price{In: 1.1, Out: 4.4, Read: 0.55}},
	{"openai", "o4-mini", 200000, 100000, Price{In: 1.1, Out: 4.4, Read: 0.275}},

	{"gemini", "gemini-3.6-flash", 1048576, 65536, Price{In: 1.5, Out: 7.5, Read: 0.15}},
	{"gemini", "gemini-3.1-pro", 1048576, 64000, Price{In: 2, Out: 12, Read: 0.2}},
	{"gemini", "gemini-3-pro", 1048576, 64000, Price{In: 2, Out: 12, Read: 0.2}},
	{"gemini", "gemini-3-flash", 1048576, 65536, Price{In: 0.5, Out: 3, Read: 0.05}},
	{"gemini", "gemini-2.5-pro", 1048576, 65536, Price{In: 1.25, Out: 10, Read: 0.125}},
	{"gemini", "gemini-2.5-flash", 1048576, 65536, Price{In: 0.3, Out: 2.5, Read: 0.03}},

	{"deepseek", "deepseek-v4-pro", 1000000, 384000, Price{In: 0.435, Out: 0.87, Read: 0.003625}},
	{"deepseek", "deepseek-v4-flash", 1000000, 384000, Price{In: 0.14, Out: 0.28, Read: 0.0028}},

	{"xai", "grok-4.6", 200000, 0, Price{In: 2, Out: 6, Read: 0.5}},
	{"xai", "grok-4.5", 500000, 0, Price{In: 2, Out: 6, Read: 0.3}},
	{"xai", "grok-4.3", 200000, 0, Price{In: 1.25, Out: 2.5, Read: 0.2}},
	{"xai", "grok-4.20", 200000, 0, Price{In: 1.25, Out: 2.5, Read: 0.2}},

	{"groq", "moonshotai/kimi-k2-instruct", 131072, 16384, Price{In: 1, Out: 3, Read: 0.5}},
	{"groq", "qwen/qwen3-32b", 131072, 40960, Price{In: 0.29, Out: 0.59}},

	{"mistral", "mistral-large", 262144, 0, Price{In: 0.5, Out: 1.5, Read: 0.05}},
	{"mistral", "mistral-medium-3-5", 262144, 0, Price{In: 1.5, Out: 7.5}},
	{"mistral", "mistral-small", 262144, 0, Price{In: 0.15, Out: 0.6, Read: 0.015}},
	{"mistral", "codestral", 256000, 0, Price{In: 0.3, Out: 0.9, Read: 0.03}},

	{"kimi", "kimi-k3", 1048576, 131072, Price{In: 3, Out: 15, Read: 0.3}},
	{"kimi", "kimi-k2.7-code", 262144, 32768, Price{In: 0.95, Out: 4, Read: 0.19}},
	{"kimi", "kimi-k2.6", 262144, 32768, Price{In: 0.95, Out: 4, Read: 0.16}},
	{"kimi", "kimi-k2.5", 262144, 32768, Price{In: 0.6, Out: 3, Read: 0.1}},

	{"glm", "glm-5.3", 1000000, 131072, Price{In: 1.4, Out: 4.4, Read: 0.26}},
	{"glm", "glm-5.2", 1000000, 131072, Price{}},
	{"glm", "glm-5.1", 204800, 65536, Price{In: 1.4, Out: 4.4, Read: 0.26}},
	{"glm", "glm-5", 204800, 65536, Price{In: 1, Out: 3.2, Read: 0.2}},
	{"glm", "glm-4.7", 204800, 98000, Price{In: 0.6, Out: 2.2, Read: 0.11}},
	{"glm", "glm-4.6", 204800, 102400, Price{In: 0.6, Out: 2.2, Read: 0.11}},
	{"glm", "glm-4.5-air", 131072, 49152, Price{In: 0.2, Out: 1.1, Read: 0.03}},
}

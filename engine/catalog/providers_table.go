package catalog

import "talaria/engine"

// providers is the table of built-in providers, best known first, each with its own protocol. OpenAI's host speaks
// chat_completions unless told otherwise (RULINGS 13).
var providers = []ProviderInfo{
	{Name: "anthropic", Title: "Anthropic", BaseURL: "https://api.anthropic.com", APIMode: engine.AnthropicMessages,
		KeyEnv: []string{"ANTHROPIC_API_KEY"}, Model: "claude-sonnet-4-6"},
	{Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.com/v1", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"OPENAI_API_KEY"}, Model: "gpt-5.2"},
	{Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"OPENROUTER_API_KEY"}, Model: "anthropic/claude-sonnet-4.6"},
	{Name: "gemini", Title: "Google Gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"GEMINI_API_KEY"}, Model: "gemini-3-flash-preview"},
	{Name: "deepseek", Title: "DeepSeek", BaseURL: "https://api.deepseek.com/v1", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"DEEPSEEK_API_KEY"}, Model: "deepseek-v4-pro"},
	{Name: "xai", Title: "xAI", BaseURL: "https://api.x.ai/v1", APIMode: engine.CodexResponses,
		KeyEnv: []string{"XAI_API_KEY"}, Model: "grok-4.5"},
	{Name: "groq", Title: "Groq", BaseURL: "https://api.groq.com/openai/v1", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"GROQ_API_KEY"}, Model: "moonshotai/kimi-k2-instruct-0905"},
	{Name: "mistral", Title: "Mistral", BaseURL: "https://api.mistral.ai/v1", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"MISTRAL_API_KEY"}, Model: "mistral-large-latest"},
	{Name: "kimi", Title: "Moonshot Kimi", BaseURL: "https://api.moonshot.ai/v1", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"KIMI_API_KEY"}, Model: "kimi-k2.6"},
	{Name: "glm", Title: "Z.ai GLM", BaseURL: "https://api.z.ai/api/paas/v4", APIMode: engine.ChatCompletions,
		KeyEnv: []string{"GLM_API_KEY"}, Model: "glm-5.1"},
	{Name: "ollama", Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", APIMode: engine.ChatCompletions, Port: 11434},
	{Name: "lmstudio", Title: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1", APIMode: engine.ChatCompletions, Port: 1234},
	{Name: "llamacpp", Title: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", APIMode: engine.ChatCompletions, Port: 8080},
	{Name: "bedrock", Title: "Amazon Bedrock", APIMode: engine.BedrockConverse, // the address is the region's; AWS_* or a profile signs
		Signs: []string{"AWS_BEARER_TOKEN_BEDROCK", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE",
			"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"},
		Model: "global.anthropic.claude-sonnet-4-5-20250929-v1:0"}, // a profile that every commercial region has
	{Name: "demo", Title: "Offline demo", APIMode: engine.ChatCompletions, Model: "offline"},
}

// vendors maps the maker in an aggregator's "maker/model" to the provider whose rows describe the model.
var vendors = map[string]vendor{
	"anthropic":  {"anthropic", true},
	"openai":     {"openai", true},
	"google":     {"gemini", true},
	"x-ai":       {"xai", true},
	"mistralai":  {"mistral", false},
	"deepseek":   {"deepseek", false},
	"moonshotai": {"kimi", false},
	"z-ai":       {"glm", false},
}

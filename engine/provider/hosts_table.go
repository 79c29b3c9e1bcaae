package provider

import "talaria/engine"

// rootHosts publish their endpoints at the root, where adding /v1 is wrong or needless.
var rootHosts = []string{
	"api.perplexity.ai",                // docs.perplexity.ai, API reference
	"api.githubcopilot.com",            // GitHub Copilot's chat endpoint
	"models.inference.ai.azure.com",    // GitHub Models
	"api.deepseek.com",                 // api-docs.deepseek.com: https://api.deepseek.com, /v1 is an alias
	"api.individual.githubcopilot.com", // Copilot by plan
	"api.business.githubcopilot.com",   // Copilot by plan
	"api.enterprise.githubcopilot.com", // Copilot by plan
}

// modeOfProvider is BEHAVIOUR 3.2, step 2.
var modeOfProvider = map[string]engine.APIMode{
	"openai-codex": engine.CodexResponses,
	"xai":          engine.CodexResponses,
	"xai-oauth":    engine.CodexResponses,
	"anthropic":    engine.AnthropicMessages,
	"bedrock":      engine.BedrockConverse,
}

// modeOfHost is BEHAVIOUR 3.2, step 3: exact host, with the path that must begin the URL's. Hosts with a region are in
// DetectMode.
var modeOfHost = []struct {
	host, path string
	mode       engine.APIMode
}{
	{"chatgpt.com", "/backend-api/codex", engine.CodexResponses},
	{"api.x.ai", "", engine.CodexResponses},
	{"api.anthropic.com", "", engine.AnthropicMessages},
}

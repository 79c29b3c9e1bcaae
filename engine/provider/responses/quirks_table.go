package responses

import "talaria/engine/provider"

// quirks is what a server wants otherwise than most. The zero value is a server of which nothing is known.
type quirks struct {
	keyHeader string // the key's header; "": Authorization: Bearer
	noCap     bool   // refuses max_output_tokens
	noSummary bool   // knows no reasoning.summary
}

var quirkRows = []provider.Row[quirks]{
	// learn.microsoft.com, Azure OpenAI REST reference: header api-key, otherwise as OpenAI.
	{Providers: []string{"azure", "azure-foundry"}, Hosts: []string{".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"}, Want: quirks{keyHeader: "api-key"}},
	// BEHAVIOUR 3.3: no output cap on the ChatGPT backend.
	{Providers: []string{"openai-codex"}, Hosts: []string{"chatgpt.com"}, Want: quirks{noCap: true}},
	// docs.x.ai, Responses API: the summary is always given and cannot be asked for.
	{Providers: []string{"xai", "xai-oauth"}, Hosts: []string{"api.x.ai"}, Want: quirks{noSummary: true}},
}

// reasoningFamilies are models that reason (platform.openai.com/docs/models, docs.x.ai/docs/models).
var reasoningFamilies = []string{"gpt-5", "gpt-6", "gpt-oss", "o1", "o3", "o4", "codex", "grok-3-mini", "grok-4", "grok-code"}

// plainFamilies and plainWords are models that do not, and refuse to be asked for it (same sources).
var (
	plainFamilies = []string{"gpt-4", "gpt-4o", "gpt-3", "chatgpt-4o"}
	plainWords    = []string{"-chat", "non-reasoning"}
)

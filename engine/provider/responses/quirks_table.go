package responses

// quirks is what a server wants otherwise than most. The zero value is a server of which nothing is known.
type quirks struct {
	keyHeader string // the key's header; "": Authorization: Bearer
	noCap     bool   // refuses max_output_tokens
	noSummary bool   // knows no reasoning.summary
}

// quirkRows: the first row whose provider name or host fits. A host that begins with a dot fits every host below it.
var quirkRows = []struct {
	providers, hosts []string
	quirks
}{
	// learn.microsoft.com, Azure OpenAI REST reference: header api-key, otherwise as OpenAI.
	{[]string{"azure", "azure-foundry"}, []string{".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"}, quirks{keyHeader: "api-key"}},
	// BEHAVIOUR 3.3: no output cap on the ChatGPT backend.
	{[]string{"openai-codex"}, []string{"chatgpt.com"}, quirks{noCap: true}},
	// docs.x.ai, Responses API: the summary is always given and cannot be asked for.
	{[]string{"xai", "xai-oauth"}, []string{"api.x.ai"}, quirks{noSummary: true}},
}

// reasoningFamilies are models that reason (platform.openai.com/docs/models, docs.x.ai/docs/models).
var reasoningFamilies = []string{"gpt-5", "gpt-6", "gpt-oss", "o1", "o3", "o4", "codex", "grok-3-mini", "grok-4", "grok-code"}

// plainFamilies and plainWords are models that do not, and refuse to be asked for it (same sources).
var (
	plainFamilies = []string{"gpt-4", "gpt-4o", "gpt-3", "chatgpt-4o"}
	plainWords    = []string{"-chat", "non-reasoning"}
)

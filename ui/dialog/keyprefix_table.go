package dialog

// keyPrefixes tell a provider by how its keys begin, as the providers' own documentation shows them.
var keyPrefixes = map[string]string{
	"sk-ant-": "anthropic",
	"sk-or-":  "openrouter",
	"sk-":     "openai",
	"gsk_":    "groq",
	"AIza":    "gemini",
	"xai-":    "xai",
	"nvapi-":  "nvidia",
	"hf_":     "huggingface",
}

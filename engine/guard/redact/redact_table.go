package redact

import (
	"regexp"
	"sync"
)

// pattern is where a secret stands: in a group of re.
type pattern struct {
	re    *regexp.Regexp
	group int
}

// patterns are all of them, by kind. They are made when first used: that takes longer than what most programs do at their start.
var patterns = sync.OnceValue(func() (all []pattern) {
	for _, expr := range contexts {
		all = append(all, pattern{regexp.MustCompile(expr), 2})
	}
	all = append(all, pattern{regexp.MustCompile(tokens), 1})
	for _, expr := range named {
		all = append(all, pattern{regexp.MustCompile(expr), 2})
	}
	return all
})

// tokens are the forms in which providers write keys (BEHAVIOUR 7.6): what begins so and is long enough is one, wherever
// it stands.
const tokens = `(?:^|[^A-Za-z0-9_-])(` +
	`sk-[A-Za-z0-9_-]{10,}` + // OpenAI, Anthropic, OpenRouter
	`|(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{10,}|glpat-[A-Za-z0-9_-]{10,}` +
	`|xox[baprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}` +
	`|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}` +
	`|(?:AKIA|ASIA)[A-Z0-9]{16}` +
	`|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{10,}` +
	`|SG\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)?` +
	`|(?:hf|r8|npm|gsk|fal|tvly|exa|syt|ntn|am|sk|bb_live|dop_v1|doo_v1|dp\.pt|shpat|lin_api|secret|nvapi|csk|fw|jina|co)[_-][A-Za-z0-9_-]{16,}` +
	`|pplx-[A-Za-z0-9]{10,}|fc-[A-Za-z0-9]{10,}|pypi-[A-Za-z0-9_-]{10,}|xai-[A-Za-z0-9]{30,}|gAAAA[A-Za-z0-9_=-]{20,}` +
	`|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}` + // Telegram bots
	`|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?` + // JSON web tokens
	`|AGE-SECRET-KEY-1[A-Z0-9]{50,}` +
	`)`

// pem is a block of private key material.
var pem = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)(-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----).*?(-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|\z)`)
})

// contexts are places whose value is a secret whatever it looks like. The first group stays, the second is masked.
var contexts = []string{
	// Authorization: Bearer x, also as -H and in JSON
	`(?i)((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|apikey|digest)?\s+)([^\s"',;]{6,})`,
	`(?i)(\bbearer\s+)([A-Za-z0-9._~+/=-]{12,})`,
	`(?i)((?:x-api-key|api-key|x-goog-api-key|x-auth-token|x-amz-security-token|set-cookie|cookie)["']?\s*:\s*["']?)([^\s"',]{6,})`,
	// user:password@host
	`([a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"']*:)([^\s/@"']+)@`,
	// ?token=x&
	`(?i)([?&](?:access_token|refresh_token|id_token|token|key|api_key|apikey|code|client_secret|password|secret|signature|sig|x-amz-signature|x-amz-security-token|x-amz-credential)=)([^\s&#"'<>]{4,})`,
}

// named are values whose name says that they are secret: NAME=value and "name": "value". Source code is full of such
// names without a secret, so Code leaves them out.
var named = []string{
	`(\b[A-Z0-9_]*(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|PRIVATE_KEY|ACCESS_KEY|AUTH)[A-Z0-9_]*\s*=\s*["']?)([^\s"'$;&|)]{6,})`,
	`(?i)("(?:[a-z0-9_-]*(?:api_?-?key|access_?-?token|refresh_?-?token|auth_?-?token|id_?-?token|client_?-?secret|private_?-?key|secret_?-?key|secret_?-?access_?-?key|bearer)|token|secret|password|passwd)"\s*:\s*")((?:[^"\\]|\\.){6,})`,
	`(?i)(\b(?:api_?key|access_?token|client_?secret|password|passwd|secret_?access_?key)\s*[:=]\s*["']?)([^\s"',;$(){}\[\]]{8,})`,
}

// keyVariables are variables that hold a provider's key under a name without _API_KEY (CONTRACT 4).
var keyVariables = []string{
	"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_KEY", "GOOGLE_GENERATIVE_AI_KEY", "HF_TOKEN", "HUGGINGFACE_TOKEN",
	"HUGGING_FACE_HUB_TOKEN", "REPLICATE_API_TOKEN", "COHERE_KEY", "CEREBRAS_KEY", "GITHUB_COPILOT_TOKEN", "COPILOT_GITHUB_TOKEN", "CLOUDFLARE_AI_TOKEN",
	"NOUS_PORTAL_TOKEN", "AZURE_OPENAI_KEY", "MINIMAX_KEY", "XAI_KEY", "AI_GATEWAY_TOKEN", "TALARIA_KEY",
}

// codeEndings are the endings of source files.
var codeEndings = []string{
	".go", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".java", ".kt", ".kts", ".scala", ".swift", ".m", ".mm", ".py", ".pyi", ".rb", ".php", ".pl", ".pm", ".lua",
	".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte", ".dart", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".zig", ".nim", ".jl", ".r", ".sql", ".sh", ".bash",
	".zsh", ".fish", ".ps1", ".html", ".htm", ".css", ".scss", ".md", ".rst", ".tex", ".proto", ".graphql", ".diff", ".patch",
}

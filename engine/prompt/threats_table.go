package prompt

import (
	"regexp"
	"sync"
)

// forbidden is what a text must not say. The pattern is made when first used: all of them together take as long as the rest of a start.
type forbidden struct {
	why     string
	pattern func() *regexp.Regexp
}

func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// threats are what an instruction file of an honest project does not say: words that turn the model against its user.
// The reason completes "it was left out, since it ...".
var threats = []forbidden{
	{"asks to ignore other instructions", lazily(`(?i)\b(ignore|disregard|forget)\s+(all\s+|any\s+|your\s+|the\s+|of\s+)*(previous|prior|above|earlier|preceding|system)\s+(instructions?|prompts?|rules|messages?)`)},
	{"claims to replace the system prompt", lazily(`(?i)\bsystem\s+prompt\s+override\b`)},
	{"asks to act without restrictions", lazily(`(?i)\b(act|respond|behave|answer)\s+(as\s+(if|though)\s+(you\s+)?(have|had)\s+no|without(\s+any)?)\s+(restrictions?|limits?|filters?|safeguards?)`)},
	{"asks to keep things from the user", lazily(`(?i)\b(do\s+not|don't|never)\s+(tell|inform|mention\s+(this\s+)?to|reveal\s+(this\s+)?to)\s+the\s+user\b`)},
	{"hides instructions in an HTML comment", lazily(`(?is)<!--[^>]{0,400}\b(ignore|override|system)\b[^>]{0,100}\b(instructions?|prompts?|rules)\b`)},
	{"hides text in an invisible element", lazily(`(?i)<(div|span|p)[^>]*style\s*=\s*["'][^"']*display\s*:\s*none`)},
	{"asks to translate and execute", lazily(`(?i)\btranslate\b[^.\n]{0,80}\band\s+(then\s+)?(execute|run)\b`)},
	{"sends a secret over the network", lazily(`(?i)\b(curl|wget)\b[^\n]*\$\{?[A-Z_]*(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)`)},
	{"reads files that hold secrets", lazily(`(?i)\bcat\s+[^\n|;]*(\.env\b|\.netrc\b|\.pgpass\b|/credentials\b|\.ssh/|id_rsa\b|id_ed25519\b)`)},
	{"asks for the system prompt", lazily(`(?i)\b(output|print|reveal|repeat)\s+(your\s+|the\s+)?(full\s+|entire\s+)?system\s+prompt\b`)},
	{"gives the model another identity", lazily(`(?i)\byou\s+are\s+now\s+(a|an|the)\s+\w+`)},
	{"speaks of a remote controller", lazily(`(?i)\b(register\s+(yourself\s+)?as\s+a\s+node|beacon\s+(back\s+)?to|pull\s+tasks\s+from|must\s+(report|beacon)\s+(back\s+)?to)\b`)},
}

// strictThreats are what a text that a model keeps for later sessions must not hold either: a way for keys to leave, or
// for others to come in.
var strictThreats = []forbidden{
	{"sends what is said or known to an address", lazily(`(?i)\b(send|post|upload|forward|exfiltrate)\b[^.\n]{0,80}\b(conversation|chat|history|secrets?|keys?|tokens?|credentials?|passwords?|environment)\b[^.\n]{0,80}\bhttps?://`)},
	{"opens a way in by authorized_keys", lazily(`(?i)\bauthorized_keys\b`)},
	{"works on ~/.ssh", lazily(`(?i)(~|\$HOME|/home/[a-z0-9_.-]+|/root)/\.ssh\b`)},
	{"holds a key or password", lazily(`(?i)\b(api[_-]?key|secret|token|password|passwd)\b\s*[:=]\s*["']?(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|AIza|eyJ)[A-Za-z0-9_\-.]{8,}`)},
	{"prints the conversation", lazily(`(?i)\b(print|output|repeat|dump)\s+(the\s+)?(whole\s+|full\s+|entire\s+)?(conversation|chat\s+history)\b`)},
	{"changes the agent's own settings", lazily(`(?i)\b(edit|change|modify|write\s+to|append\s+to)\b[^.\n]{0,60}\b(approvals\.yaml|trust\.yaml|hooks\.yaml|keys\.yaml)\b`)},
}

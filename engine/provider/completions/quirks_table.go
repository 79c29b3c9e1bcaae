package completions

// quirks is what a server wants otherwise than most. The zero value is a server of which nothing is known.
type quirks struct {
	keyHeader   string    // the key's header; "": Authorization: Bearer
	completion  bool      // the output cap is max_completion_tokens
	developer   bool      // gpt-5 and codex models take the system prompt as role developer
	echo        echoRule  // reasoning goes back as reasoning_content
	details     bool      // sealed reasoning goes back as reasoning_details
	noExtra     bool      // refuses extra_content on calls
	noUsageFlag bool      // refuses stream_options; tells usage anyway
	nineIDs     bool      // wants call ids of exactly nine letters or digits
	effort      effortWay // how the effort is said
}

type echoRule uint8

// echoCalls: on messages with calls, a single blank when there was none; echoAll: wherever there was reasoning, too.
const (
	echoNever echoRule = iota
	echoCalls
	echoAll
)

type effortWay uint8

// effortFlat: "reasoning_effort":"high"; effortObject: "reasoning":{"effort":"high"}; effortNone: not at all.
const (
	effortFlat effortWay = iota
	effortObject
	effortNone
)

// quirkRows: the first row whose provider name or host fits. A host that begins with a dot fits every host below it.
var quirkRows = []struct {
	providers, hosts []string
	quirks
}{
	// platform.openai.com/docs: max_tokens is deprecated and refused by reasoning models; developer replaces system.
	{[]string{"openai"}, []string{"api.openai.com"}, quirks{completion: true, developer: true, noExtra: true}},
	// learn.microsoft.com, Azure OpenAI REST reference: header api-key, otherwise as OpenAI.
	{[]string{"azure", "azure-foundry"}, []string{".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"},
		quirks{keyHeader: "api-key", completion: true, developer: true, noExtra: true}},
	// BEHAVIOUR 3.3: Copilot counts with OpenAI here.
	{[]string{"copilot", "github-copilot"}, []string{".githubcopilot.com"}, quirks{completion: true, noExtra: true}},
	// openrouter.ai/docs, reasoning tokens: the reasoning object, and reasoning_details to be sent back unchanged.
	{[]string{"openrouter"}, []string{"openrouter.ai"}, quirks{details: true, effort: effortObject}},
	// vercel.com/docs/ai-gateway, OpenAI-compatible API, reasoning.
	{[]string{"vercel", "ai-gateway"}, []string{"ai-gateway.vercel.sh"}, quirks{details: true, effort: effortObject}},
	// api-docs.deepseek.com, thinking mode with tool calls: reasoning_content has to come back with the calls.
	{[]string{"deepseek"}, []string{"api.deepseek.com"}, quirks{echo: echoCalls, noExtra: true}},
	// platform.moonshot.ai, thinking models: keep reasoning_content in the context.
	{[]string{"kimi", "moonshot", "moonshotai"}, []string{"api.moonshot.ai", "api.moonshot.cn", "api.kimi.com"}, quirks{echo: echoAll, noExtra: true}},
	// BEHAVIOUR 5, step 2, names MiMo beside the two above.
	{[]string{"mimo", "xiaomi"}, []string{".xiaomimimo.com"}, quirks{echo: echoCalls, noExtra: true}},
	// docs.mistral.ai: unknown fields are refused with 422, usage comes in the last chunk unasked.
	{[]string{"mistral"}, []string{"api.mistral.ai", "codestral.mistral.ai"}, quirks{noExtra: true, noUsageFlag: true, nineIDs: true, effort: effortNone}},
	// console.groq.com/docs/api-reference: max_tokens is deprecated.
	{[]string{"groq"}, []string{"api.groq.com"}, quirks{completion: true, noExtra: true}},
	// inference-docs.cerebras.ai: max_completion_tokens.
	{[]string{"cerebras"}, []string{"api.cerebras.ai"}, quirks{completion: true, noExtra: true}},
	// docs.x.ai: max_tokens is deprecated; only some models take an effort, and refuse it otherwise.
	{[]string{"xai"}, []string{"api.x.ai"}, quirks{completion: true, noExtra: true, effort: effortFlat}},
}

// completionFamilies are models that refuse max_tokens wherever they are served (platform.openai.com/docs, reasoning).
var completionFamilies = []string{"gpt-5", "gpt-6", "o1", "o3", "o4", "codex"}

// developerFamilies are the models of BEHAVIOUR 3.3 that take role developer.
var developerFamilies = []string{"gpt-5", "codex"}

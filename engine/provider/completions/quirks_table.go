package completions

import "talaria/engine/provider"

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
	marks       bool      // passes cache marks on to models that take them (markFamilies)
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

var quirkRows = []provider.Row[quirks]{
	// platform.openai.com/docs: max_tokens is deprecated and refused by reasoning models; developer replaces system.
	{Providers: []string{"openai"}, Hosts: []string{"api.openai.com"}, Want: quirks{completion: true, developer: true, noExtra: true}},
	// learn.microsoft.com, Azure OpenAI REST reference: header api-key, otherwise as OpenAI.
	{Providers: []string{"azure", "azure-foundry"}, Hosts: []string{".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"}, Want: quirks{keyHeader: "api-key", completion: true, developer: true, noExtra: true}},
	// BEHAVIOUR 3.3: Copilot counts with OpenAI here.
	{Providers: []string{"copilot", "github-copilot"}, Hosts: []string{".githubcopilot.com"}, Want: quirks{completion: true, noExtra: true}},
	// openrouter.ai/docs, reasoning tokens: the reasoning object, and reasoning_details to be sent back unchanged.
	{Providers: []string{"openrouter"}, Hosts: []string{"openrouter.ai"}, Want: quirks{details: true, effort: effortObject, marks: true}},
	// BEHAVIOUR 11 names these beside OpenRouter.
	{Providers: []string{"nous"}, Hosts: []string{"inference-api.nousresearch.com"}, Want: quirks{marks: true}},
	{Providers: []string{"opencode"}, Hosts: []string{"opencode.ai"}, Want: quirks{marks: true}},
	{Providers: []string{"alibaba", "dashscope"}, Hosts: []string{"dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"}, Want: quirks{marks: true}},
	// vercel.com/docs/ai-gateway, OpenAI-compatible API, reasoning.
	{Providers: []string{"vercel", "ai-gateway"}, Hosts: []string{"ai-gateway.vercel.sh"}, Want: quirks{details: true, effort: effortObject}},
	// api-docs.deepseek.com, thinking mode with tool calls: reasoning_content has to come back with the calls.
	{Providers: []string{"deepseek"}, Hosts: []string{"api.deepseek.com"}, Want: quirks{echo: echoCalls, noExtra: true}},
	// platform.moonshot.ai, thinking models: keep reasoning_content in the context.
	{Providers: []string{"kimi", "moonshot", "moonshotai"}, Hosts: []string{"api.moonshot.ai", "api.moonshot.cn", "api.kimi.com"}, Want: quirks{echo: echoAll, noExtra: true}},
	// BEHAVIOUR 5, step 2, names MiMo beside the two above.
	{Providers: []string{"mimo", "xiaomi"}, Hosts: []string{".xiaomimimo.com"}, Want: quirks{echo: echoCalls, noExtra: true}},
	// docs.mistral.ai: unknown fields are refused with 422, usage comes in the last chunk unasked.
	{Providers: []string{"mistral"}, Hosts: []string{"api.mistral.ai", "codestral.mistral.ai"}, Want: quirks{noExtra: true, noUsageFlag: true, nineIDs: true, effort: effortNone}},
	// console.groq.com/docs/api-reference: max_tokens is deprecated.
	{Providers: []string{"groq"}, Hosts: []string{"api.groq.com"}, Want: quirks{completion: true, noExtra: true}},
	// inference-docs.cerebras.ai: max_completion_tokens.
	{Providers: []string{"cerebras"}, Hosts: []string{"api.cerebras.ai"}, Want: quirks{completion: true, noExtra: true}},
	// docs.x.ai: max_tokens is deprecated; only some models take an effort, and refuse it otherwise.
	{Providers: []string{"xai"}, Hosts: []string{"api.x.ai"}, Want: quirks{completion: true, noExtra: true, effort: effortFlat}},
}

// markFamilies are the models whose cache has to be told what to keep, by how their bare names begin (BEHAVIOUR 11). hour:
// they can be asked to keep it for an hour (openrouter.ai/docs, prompt caching).
var markFamilies = []struct {
	begins string
	hour   bool
}{
	{"claude", true},
	{"qwen", false},
}

// completionFamilies are models that refuse max_tokens wherever they are served (platform.openai.com/docs, reasoning).
var completionFamilies = []string{"gpt-5", "gpt-6", "o1", "o3", "o4", "codex"}

// developerFamilies are the models of BEHAVIOUR 3.3 that take role developer.
var developerFamilies = []string{"gpt-5", "codex"}

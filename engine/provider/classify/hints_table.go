package classify

import "talaria/engine"

// hint is what the user can do, with {provider} and {url}.
type hint string

// hints has a line for every reason.
var hints = map[engine.Reason]hint{
	engine.ReasonAuth:              "check the key for {provider}, or choose another provider",
	engine.ReasonAuthPermanent:     "the key for {provider} does not work any more; enter a new one or choose another provider",
	engine.ReasonBilling:           "add credit or raise the limit at {provider}, or choose another provider",
	engine.ReasonRateLimit:         "wait, or choose another model; {provider} limits how often it may be asked",
	engine.ReasonOverloaded:        "{provider} is busy; wait a little or choose another model",
	engine.ReasonServerError:       "the fault is at {provider}; try again later or choose another model",
	engine.ReasonTimeout:           "check the connection, then try again",
	engine.ReasonContextOverflow:   "compact the conversation, start a new one, or choose a model with a larger window",
	engine.ReasonPayloadTooLarge:   "compact the conversation or attach less",
	engine.ReasonModelNotFound:     "choose another model; {provider} does not offer this one to your key",
	engine.ReasonFormatError:       "{provider} refuses this request; choose another model, and report it if it goes on",
	engine.ReasonThinkingSignature: "the stored reasoning does not fit this model; it is left out when the request is repeated",
	engine.ReasonLongContextTier:   "your plan has no long context here; compact the conversation or choose another model",
	engine.ReasonUnknown:           "try again, or choose another model",
	engine.ReasonContentPolicy:     "the provider's safety rules stopped this; put it in other words or choose another model",
	engine.ReasonProviderPolicy:    "your privacy settings exclude every provider of this model; change them at https://openrouter.ai/settings/privacy",
	engine.ReasonImageTooLarge:     "attach a smaller image",
	engine.ReasonMaxTokensTooLarge: "lower the output limit (max_tokens)",
	engine.ReasonEmptyResponse:     "{provider} answered with nothing, often a sign of overload; try again or choose another model",
}

// These are for what the reason alone does not tell.
const (
	hintNoConnection hint = "is the server running? talaria connects to {url}"
	hintOffline      hint = "check the network and the base URL; talaria connects to {url}"
	hintAddress      hint = "check the base URL; talaria called {url}"
	hintBadURL       hint = "correct the base URL in the settings"
	hintCertificate  hint = "if a company's proxy stands between, add its certificate to the system's"
	hintBadKey       hint = "enter the key for {provider} again, without quotes or line ends"
	hintNoKey        hint = "no key for {provider} is set; enter one or choose another provider"
	hintRedirect     hint = "set the base URL to the address it names"
	hintBadRequest   hint = "choose a model"
	hintProxy        hint = "the proxy wants a login; write it into HTTPS_PROXY, as in http://user:password@host:port"
	hintPortal       hint = "this network wants you to log in first; open any page in a browser"
)

// telling are hints that the words of the server call for, whoever it is; the first that fits.
var telling = []struct {
	any  []string
	hint hint
}{
	{[]string{"requires --enable-auto-tool-choice"}, "start vllm with --enable-auto-tool-choice and --tool-call-parser, which tool calls need"},
	{[]string{"--jinja"}, "start llama-server with --jinja, which tool calls need"},
	{noTools, "this model or its endpoint has no tool support; choose another model"},
	{noVision, "{model} cannot read pictures; send the message without them, or choose another model"},
	{[]string{"unsupported_country_region_territory", "country, region, or territory not supported", "user location is not supported"},
		"{provider} does not serve the place that you connect from; choose another provider"},
	{[]string{"requires explicit opt in"}, "agree to where the model is hosted at the address in the message, or choose another model"},
	{[]string{"only afford"}, "add credit at {provider}, or lower model.max_output_tokens to what the message names"},
	{[]string{"max size: 8000 tokens", "tokens_limit_reached"}, "GitHub Models takes only short requests; choose another provider for {model}"},
	{tooLargeForLimit, "one request is larger than your limit per minute; compact the conversation, or ask {provider} for a higher limit"},
	{[]string{"try pulling it"}, "ollama pull {model} fetches it"},
	{[]string{"requires more system memory"}, "choose a smaller model, or free memory where it runs"},
	{[]string{"no models loaded"}, "load a model in LM Studio, or with lms load"},
	{[]string{"reasoning_content"}, "{model} wants its reasoning back, which this conversation no longer has; start a new one or turn the effort off"},
	{[]string{"must be verified"}, "verify the organisation at https://platform.openai.com/settings/organization/general, or choose another model"},
	{[]string{"signature expired", "signature not yet current"}, "set this machine's clock; {provider} compares it with its own"},
	{[]string{"budget has been exceeded", "budget_exceeded"}, "the proxy's budget for this key is spent; raise it there, or choose another provider"},
	{[]string{"service_disabled", "has not been used in project"}, "switch the API on for this project at the address in the message"},
}

// hintsOf are the addresses where something can be done, by provider of the catalogue.
var hintsOf = map[string]map[engine.Reason]hint{
	"anthropic": {
		engine.ReasonAuth:       "check the key at https://console.anthropic.com/settings/keys, or choose another provider",
		engine.ReasonBilling:    "add credit at https://console.anthropic.com/settings/billing, or choose another provider",
		engine.ReasonRateLimit:  "wait, or choose another model; your limits: https://console.anthropic.com/settings/limits",
		engine.ReasonOverloaded: "wait a little, or choose another model; status page: https://status.anthropic.com",
	},
	"openai": {
		engine.ReasonAuth:       "check the key at https://platform.openai.com/api-keys, or choose another provider",
		engine.ReasonBilling:    "add credit at https://platform.openai.com/settings/organization/billing, or choose another provider",
		engine.ReasonRateLimit:  "wait, or choose another model; your limits: https://platform.openai.com/settings/organization/limits",
		engine.ReasonOverloaded: "wait a little, or choose another model; status page: https://status.openai.com",
	},
	"openrouter": {
		engine.ReasonAuth:           "check the key at https://openrouter.ai/settings/keys, or choose another provider",
		engine.ReasonBilling:        "add credit at https://openrouter.ai/settings/credits, or choose another provider",
		engine.ReasonRateLimit:      "wait, choose another model, or add a key of your own at https://openrouter.ai/settings/integrations",
		engine.ReasonProviderPolicy: "your privacy settings exclude every provider of {model}; change them at https://openrouter.ai/settings/privacy",
	},
	"gemini": {
		engine.ReasonAuth:      "check the key at https://aistudio.google.com/apikey, or choose another provider",
		engine.ReasonBilling:   "switch billing on at https://aistudio.google.com/apikey, or choose another provider",
		engine.ReasonRateLimit: "wait, or choose another model; your limits: https://aistudio.google.com/usage",
	},
	"deepseek": {
		engine.ReasonAuth:       "check the key at https://platform.deepseek.com/api_keys, or choose another provider",
		engine.ReasonBilling:    "add credit at https://platform.deepseek.com/top_up, or choose another provider",
		engine.ReasonOverloaded: "wait a little, or choose another model; status page: https://status.deepseek.com",
	},
	"xai": {
		engine.ReasonAuth:    "check the key at https://console.x.ai, or choose another provider",
		engine.ReasonBilling: "add credit or raise the spending limit at https://console.x.ai, or choose another provider",
	},
	"groq": {
		engine.ReasonAuth:            "check the key at https://console.groq.com/keys, or choose another provider",
		engine.ReasonBilling:         "add a way to pay at https://console.groq.com/settings/billing, or choose another provider",
		engine.ReasonRateLimit:       "wait, or choose another model; your limits: https://console.groq.com/settings/limits",
		engine.ReasonPayloadTooLarge: "one request is larger than your limit per minute (https://console.groq.com/settings/limits); compact the conversation",
	},
	"mistral": {
		engine.ReasonAuth:    "check the key at https://console.mistral.ai/api-keys, or choose another provider",
		engine.ReasonBilling: "add a way to pay at https://admin.mistral.ai/organization/billing, or choose another provider",
	},
	"kimi": {
		engine.ReasonAuth:    "check the key at https://platform.moonshot.ai/console/api-keys, or choose another provider",
		engine.ReasonBilling: "add credit at https://platform.moonshot.ai/console/pay, or choose another provider",
	},
	"glm": {
		engine.ReasonAuth:    "check the key at https://z.ai/manage-apikey/apikey-list, or choose another provider",
		engine.ReasonBilling: "add credit at https://z.ai/manage-apikey/billing, or choose another provider",
	},
	"bedrock": {
		engine.ReasonAuth:          "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and the right to call bedrock:InvokeModelWithResponseStream",
		engine.ReasonModelNotFound: "ask for access to {model} in the Bedrock console of this region, use its inference profile (us., eu., apac. before the id), or choose another model",
	},
	"ollama": {
		engine.ReasonModelNotFound:   "ollama pull {model} fetches it; ollama list shows what is there",
		engine.ReasonContextOverflow: "compact the conversation, or start ollama with a larger OLLAMA_CONTEXT_LENGTH",
		engine.ReasonServerError:     "ollama's own log says more; try again, or choose a smaller model",
	},
	"lmstudio": {
		engine.ReasonModelNotFound:   "load {model} in LM Studio, or with lms load",
		engine.ReasonContextOverflow: "compact the conversation, or load the model with a larger context length in LM Studio",
	},
	"llamacpp": {
		engine.ReasonContextOverflow: "compact the conversation, or start llama-server with a larger -c",
	},
}

// starts say how a server on this machine is started, by provider of the catalogue.
var starts = map[string]hint{
	"ollama":   "start it with ollama serve; talaria connects to {url}",
	"lmstudio": "start its server in LM Studio, or with lms server start; talaria connects to {url}",
	"llamacpp": "start it with llama-server --jinja -m FILE; talaria connects to {url}",
}

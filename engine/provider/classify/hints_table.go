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

// Hints for what the reason alone does not tell.
const (
	hintNoConnection hint = "is the server running? talaria connects to {url}"
	hintAddress      hint = "check the base URL; talaria called {url}"
	hintBadURL       hint = "correct the base URL in the settings"
	hintCertificate  hint = "if a company's proxy stands between, add its certificate to the system's"
	hintBadKey       hint = "enter the key for {provider} again, without quotes or line ends"
	hintNoKey        hint = "no key for {provider} is set; enter one or choose another provider"
	hintNoTools      hint = "this model or its endpoint has no tool support; choose another model"
	hintRedirect     hint = "set the base URL to the address it names"
	hintBadRequest   hint = "choose a model"
	hintJinja        hint = "start llama-server with --jinja, which tool calls need"
)

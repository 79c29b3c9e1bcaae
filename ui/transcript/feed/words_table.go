package feed

import (
	"talaria/engine"
	"talaria/themes"
)

// titles are the names of providers as their makers write them; the catalogue is not the screen's to read.
var titles = map[string]string{
	"anthropic": "Anthropic", "openai": "OpenAI", "openrouter": "OpenRouter", "ollama": "Ollama", "bedrock": "Bedrock", "gemini": "Gemini",
	"google": "Google", "groq": "Groq", "mistral": "Mistral", "deepseek": "DeepSeek", "xai": "xAI", "lmstudio": "LM Studio", "": "The model server",
}

// reasons finish the sentence "<provider> …".
var reasons = map[engine.Reason]string{
	engine.ReasonAuth:              "did not accept the key",
	engine.ReasonAuthPermanent:     "refuses this account",
	engine.ReasonBilling:           "says that the account has no credit left",
	engine.ReasonRateLimit:         "limits how much may be asked",
	engine.ReasonOverloaded:        "is overloaded",
	engine.ReasonServerError:       "had an internal error",
	engine.ReasonTimeout:           "did not answer in time",
	engine.ReasonContextOverflow:   "says that the conversation is longer than the model's window",
	engine.ReasonPayloadTooLarge:   "says that the request is too big",
	engine.ReasonModelNotFound:     "does not offer this model",
	engine.ReasonFormatError:       "did not understand the request",
	engine.ReasonThinkingSignature: "did not take back its own reasoning",
	engine.ReasonLongContextTier:   "does not allow such a long context on this plan",
	engine.ReasonUnknown:           "failed",
	engine.ReasonContentPolicy:     "refused this because of its content policy",
	engine.ReasonProviderPolicy:    "does not allow this request",
	engine.ReasonImageTooLarge:     "says that an image is too big",
	engine.ReasonMaxTokensTooLarge: "does not allow an answer that long",
	engine.ReasonEmptyResponse:     "sent an empty answer",
}

// codes finish the same sentence where a code says more than the reason.
var codes = map[string]string{
	engine.CodeNoConnection: "could not be reached",
	engine.CodeCut:          "broke off in the middle of its answer",
	engine.CodeNoKey:        "needs a key, and there is none",
}

// remedies say what the user can do when the error itself has no hint.
var remedies = map[engine.Reason]string{
	engine.ReasonAuth:            "/connect takes another key · /model chooses another model",
	engine.ReasonAuthPermanent:   "/connect takes another key · /model chooses another model",
	engine.ReasonBilling:         "Add credit, then Enter asks again · /model chooses another model",
	engine.ReasonModelNotFound:   "/model chooses another model",
	engine.ReasonContextOverflow: "/compact summarises older turns · /new starts afresh",
	engine.ReasonPayloadTooLarge: "/compact summarises older turns · /new starts afresh",
	engine.ReasonContentPolicy:   "Type it differently · /model chooses another model",
	engine.ReasonImageTooLarge:   "Attach a smaller image",
}

const usualRemedy = "Enter asks again · /model chooses another model"

// ending is how a turn that ended early is told.
type ending struct {
	role       themes.Role
	head, hint string
}

var endings = map[engine.Exit]ending{
	engine.ExitInterrupted:  {themes.Warning, "You stopped this turn. Nothing is lost.", "Enter asks again · type to redirect"},
	engine.ExitIterations:   {themes.Warning, "This turn reached its limit of steps. It stopped between two of them.", "Type to go on from here"},
	engine.ExitBudget:       {themes.Warning, "This turn reached its budget. It stopped between two steps.", "Type to go on from here"},
	engine.ExitApproval:     {themes.Warning, "This turn needs an approval that nobody could give.", "Type to go on from here"},
	engine.ExitBlocked:      {themes.Warning, "A rule stopped this turn.", "Type to go on in another way"},
	engine.ExitTruncated:    {themes.Warning, "The answer reached its greatest length and was cut off.", "Type \"go on\" for the rest"},
	engine.ExitInvalidCalls: {themes.Error, "The model kept making calls that cannot be carried out.", usualRemedy},
}

// actions say what the program does about a failure it recovers from. Where it waits, the countdown stands before.
var actions = map[engine.Action]string{
	engine.ActionRetry:    "Asking again",
	engine.ActionRotate:   "Trying another key",
	engine.ActionFallback: "Changing to %s",
	engine.ActionCompress: "Summarising older turns, then asking again",
	engine.ActionFix:      "Asking again with a changed request",
	engine.ActionContinue: "Asking it to go on",
	engine.ActionReask:    "Asking again",
}

package classify

import "talaria/engine"

// rule gives a reason to a text (in lower case) that holds one phrase of any and, if also is set, one of that too.
type rule struct {
	reason engine.Reason
	any    []string
	also   []string
}

// The phrases below are BEHAVIOUR 9.4 unless the line says otherwise.

var contentPolicy = []string{
	"content_filter", "responsibleaipolicyviolation", "trusted access for cyber", "your request was flagged by", "prompt was flagged by our safety",
	"violates our usage policies", "violates openai's usage policies", "flagged for possible cybersecurity risk", "responses cannot be generated due to safety",
	"content management policy", // Azure OpenAI, error 400 of its content filter
}

var billingText = []string{
	"out of funds", "credit balance", "balance_depleted", "payment required", "run out of funds", "credits exhausted", "no usable credits",
	"billing hard limit", "insufficient_quota", "top up your credits", "insufficient balance", "insufficient credits", "plan does not include",
	"account is deactivated", "credits have been exhausted", "exceeded your current quota", "not available on the free tier", "model_not_supported_on_free_tier",
	"hard billing limit",            // E11
	"spend limit", "spending limit", // E09
	"requires more credits",               // OpenRouter, 402
	"billing_error", "billing_not_active", // Anthropic error types; OpenAI error codes
}

var rateText = []string{
	"throttled", "rate limit", "rate_limit", "rate-limit", "try again in", "requests per day", "tokens per minute", "too many requests",
	"please retry after", "resource_exhausted", "requests per minute", "throttlingexception", "rate increased too quickly",
	"too many concurrent requests", "servicequotaexceededexception",
}

// usageLimit may be a quota that comes back or one that does not.
var usageLimit = []string{"quota", "usage limit", "usage_limit", "limit exceeded", "key limit exceeded", "spending limit", "spend limit"}

// passingWords say that a limit goes away by itself.
var passingWords = []string{"wait", "retry", "window", "periodic", "reset in", "resets in", "resets at", "try again", "requests remaining", "resets_in_seconds", "per minute", "per second"}

// tooLargeForLimit: one request is larger than a limit per minute (OpenAI and Groq, 429).
var tooLargeForLimit = []string{"request too large for", "must be reduced in order to run"}

var overflow = []string{
	"上下文长度", "超过最大长度", "n_ctx_slot", "token limit", "context size", "slot context", "max_model_len", "prompt length", "context length", "context_length",
	"context window", "max input token", "maximum context", "too many tokens", "truncating input", "exceeds the limit", "input is too long",
	"reduce the length", "prompt is too long", "maximum model length", "maximum number of tokens", "prompt exceeds max length",
	"exceeds the maximum number of input tokens",
	"input tokens exceed", "input token count", "number of input tokens", // Bedrock; Vertex
	"messages is too long", "too_many_prompt_tokens", // Perplexity
	"exceed_context_size", "exceed context limit", // llama.cpp (E02); Anthropic
	"context_window_exceeded", "model_context_window_exceeded", "max_tokens_exceeded",
	"cannot truncate prompt with n_keep", "tokens to keep from the initial prompt", // LM Studio
	"tokens + `max_new_tokens` must be <=",                                                      // Together, TGI
	"exceeded model token limit", "range of input length should be", "too large for model with", // Kimi; Alibaba; Mistral
	"longer than the model's context", "exceeds the maximum allowed length", // SGLang
}

// outputCap: the cap alone is above what the model can write.
var outputCap = []string{
	"maximum allowed number of output tokens",                                                                  // Anthropic: max_tokens: 200000 > 64000, which is the ...
	"max_tokens is too large", "max_completion_tokens is too large", "completion tokens, whereas you provided", // OpenAI
	"'max_tokens' or 'max_completion_tokens' is too large", // vLLM
	"max_output_tokens is too large", "max_tokens must be less than or equal to",
	"maximum tokens you requested exceeds the model limit",       // Bedrock
	"valid range of max_tokens", "range of max_tokens should be", // DeepSeek; Alibaba
	"max_tokens` must be less than or equal to", "max_completion_tokens` must be less than or equal to", // Groq
	"maxoutputtokens value of", // Vertex
}

var badParameter = []string{
	"unknown parameter", "unknown_parameter", "unsupported parameter", "unsupported_parameter", "unrecognized request argument", "unsupported_value",
	"is not supported with this model", // OpenAI: "Unsupported parameter: 'max_tokens' is not supported with this model"
}

var imageSize = []string{
	"image exceeds", "image too large", "image_too_large", "image size exceeds", "max allowed size: 8000", "image dimensions exceed", "dimensions exceed max allowed size",
}

var toolContent = []string{
	"text is not set", "tool message must be a string", "expected string, got list", "expected string, got array", "tool_call.content must be string",
	"message content must be a string", "tool content must be a string",
}

var modelText = []string{
	"invalid model", "no such model", "unknown model", "model not found", "model_not_found", "unsupported model", "is not a valid model",
	"supported api model names are",                                                           // DeepSeek, 400
	"model identifier is invalid", "on-demand throughput isn", "resolve the foundation model", // Bedrock
	"not found, try pulling it",                // Ollama, 404
	"decommissioned", "deprecated, learn more", // Groq; OpenAI
	"does not have access to model", // OpenAI, 403
}

// noTools: the model is there but cannot use tools, which another model can (E15).
var noTools = []string{"no endpoints found that support tool use", "does not support tools", "does not support tool use", "does not support function calling"}

var dataPolicy = []string{
	"no endpoints found matching your data policy", "no endpoints available matching your guardrail", "no endpoints available matching your data policy",
}

var authText = []string{
	"forbidden", "unauthorized", "access denied", "invalid token", "token expired", "token revoked", "authentication", "invalid api key", "invalid_api_key",
	"incorrect api key", "api key not valid", "api_key_invalid", // OpenAI; Gemini answers 400
	"api key is invalid", "invalid x-api-key", "no auth credentials found", // Anthropic; OpenRouter
	"grok subscription", // BEHAVIOUR 9.3, step 5
}

var timeoutText = []string{"timed out", "deadline exceeded"}

var disconnect = []string{
	"unexpected eof", "server disconnected", "connection was closed", "peer closed connection", "incomplete chunked read", "network connection lost",
	"connection reset by peer", "broken pipe", "upstream connect error", "connection terminated", // BEHAVIOUR 4.6
}

var tlsText = []string{
	"[ssl:", "ssl alert", "ssl_alert", "tls alert", "tls_alert", "bad record mac", "bad_record_mac", "tlsv1 alert", "sslv3 alert", "ssl handshake failure", "tls handshake",
}

var busy = []string{"overloaded", "temporarily unavailable", "server is busy", "at capacity", "no capacity", "request limit reached"} // S07; Anthropic, DeepSeek

var validation = []string{"unknown parameter", "unknown_parameter", "invalid_request_error", "unsupported parameter", "unsupported_parameter", "unrecognized request argument"}

// grammar: the server could not turn a tool's schema into a grammar; the same request fails again (E18).
var grammar = []string{"json schema conversion failed", "failed to parse grammar", "unrecognized schema", "error parsing grammar"}

// anyStatus are texts that mean the same whatever the status is (BEHAVIOUR 9.3, steps 0 to 5).
var anyStatus = []rule{
	{engine.ReasonContentPolicy, contentPolicy, nil},
	{engine.ReasonThinkingSignature, []string{"signature"}, []string{"thinking", "reasoning"}},
	{engine.ReasonThinkingSignature, []string{"invalid_encrypted_content", "encrypted content"}, nil},
	{engine.ReasonThinkingSignature, []string{"without its required following item"}, []string{"reasoning"}}, // OpenAI Responses: reasoning replayed alone
	{engine.ReasonLongContextTier, []string{"extra usage"}, []string{"long context"}},
	{engine.ReasonLongContextTier, []string{"long context beta"}, []string{"not", "forbidden"}},
	{engine.ReasonFormatError, grammar, nil},
}

// badRequest is the order of BEHAVIOUR 9.5 for 400 and 422. Parameters come before overflow, whose phrases they share.
var badRequest = []rule{
	{engine.ReasonFormatError, toolContent, nil},
	{engine.ReasonImageTooLarge, imageSize, nil},
	{engine.ReasonFormatError, badParameter, nil},
	{engine.ReasonMaxTokensTooLarge, outputCap, nil},
	{engine.ReasonContextOverflow, overflow, nil},
	{engine.ReasonAuth, authText, nil},
	{engine.ReasonProviderPolicy, dataPolicy, nil},
	{engine.ReasonModelNotFound, modelText, nil},
	{engine.ReasonModelNotFound, noTools, nil},
	{engine.ReasonModelNotFound, []string{"does not exist"}, []string{"model"}},
	{engine.ReasonRateLimit, rateText, nil},
	{engine.ReasonBilling, billingText, nil},
}

var notFound = []rule{
	{engine.ReasonBilling, billingText, nil},
	{engine.ReasonProviderPolicy, dataPolicy, nil},
	{engine.ReasonModelNotFound, noTools, nil},
	{engine.ReasonModelNotFound, modelText, nil},
	{engine.ReasonModelNotFound, []string{"does not exist", "not found", "no endpoints found"}, []string{"model", "no endpoints found"}},
	{engine.ReasonModelNotFound, []string{"model:"}, []string{"not_found_error"}}, // Anthropic names the model and says no more
}

// serverFault is what a 5xx may really be.
var serverFault = []rule{
	{engine.ReasonMaxTokensTooLarge, outputCap, nil},
	{engine.ReasonContextOverflow, overflow, nil},
	{engine.ReasonFormatError, validation, nil},
	{engine.ReasonFormatError, []string{"roles must alternate", "jinja exception"}, nil},            // H06: the template refuses the history, the same next time
	{engine.ReasonFormatError, []string{"--jinja", "cannot use both json_schema and grammar"}, nil}, // llama.cpp: a start option, the same next time
}

// noStatus is the order of BEHAVIOUR 9.3, step 8, with rate before the ambiguous limits (E11); noStatusLast what comes
// after those.
var noStatus = []rule{
	{engine.ReasonPayloadTooLarge, []string{"error code: 413", "payload too large", "request entity too large"}, nil},
	{engine.ReasonFormatError, toolContent, nil},
	{engine.ReasonImageTooLarge, imageSize, nil},
	{engine.ReasonMaxTokensTooLarge, outputCap, nil},
	{engine.ReasonContextOverflow, overflow, nil},
	{engine.ReasonOverloaded, busy, nil},
	{engine.ReasonBilling, billingText, nil},
	{engine.ReasonRateLimit, rateText, nil},
}

var noStatusLast = []rule{
	{engine.ReasonTimeout, tlsText, nil},
	{engine.ReasonTimeout, disconnect, nil},
	{engine.ReasonAuth, authText, nil},
	{engine.ReasonProviderPolicy, dataPolicy, nil},
	{engine.ReasonModelNotFound, modelText, nil},
	{engine.ReasonModelNotFound, noTools, nil},
	{engine.ReasonTimeout, timeoutText, nil},
	{engine.ReasonFormatError, validation, nil},
	{engine.ReasonServerError, []string{"internal server error", "internal error"}, nil},
}

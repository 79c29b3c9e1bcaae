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
	"content management policy",                                                           // Azure OpenAI, error 400 of its content filter
	"potentially violating our usage policy", "rejected as a result of our safety system", // OpenAI
	"output blocked by content filtering policy",                  // Anthropic
	"requires moderation and your input was flagged",              // OpenRouter, 403
	"content violates usage guidelines",                           // xAI, 403
	"content exists risk",                                         // DeepSeek
	"considered high risk",                                        // Kimi
	"data_inspection_failed", "may contain inappropriate content", // Alibaba Model Studio
	"不安全或敏感内容", "unsafe or sensitive content", // GLM, code 1301
}

var billingText = []string{
	"out of funds", "credit balance", "balance_depleted", "payment required", "run out of funds", "credits exhausted", "no usable credits",
	"billing hard limit", "insufficient_quota", "top up your credits", "insufficient balance", "insufficient credits", "plan does not include",
	"account is deactivated", "credits have been exhausted", "exceeded your current quota", "not available on the free tier", "model_not_supported_on_free_tier",
	"hard billing limit",            // E11
	"spend limit", "spending limit", // E09
	"requires more credits",               // OpenRouter, 402
	"billing_error", "billing_not_active", // Anthropic error types; OpenAI error codes
	"doesn't have any credits", "used all available credits", // xAI, 403 and 429
	"exceeded_current_quota_error",                // Kimi, 429: the account is empty, not the minute
	"余额不足",                                        // GLM, 429 with code 1113
	"failure to pay past invoices",                // Fireworks, 412
	"payment instrument",                          // Bedrock, 403
	"account is in good standing",                 // Alibaba Model Studio, 400 Arrearage
	"free tier of the model has been exhausted",   // Alibaba Model Studio, 403
	"enable billing",                              // Gemini, 400 where there is no free tier
	"credit card on file",                         // Vercel AI Gateway, 403
	"requires a subscription",                     // Ollama cloud, 403
	"included credits",                            // Hugging Face, 402
	"budget has been exceeded", "budget_exceeded", // LiteLLM
	"credit limit exceeded", // Together, 402
}

var rateText = []string{
	"throttled", "rate limit", "rate_limit", "rate-limit", "try again in", "requests per day", "tokens per minute", "too many requests",
	"please retry after", "resource_exhausted", "requests per minute", "throttlingexception", "rate increased too quickly",
	"too many concurrent requests", "servicequotaexceededexception",
	"too_many_tokens_error", "token_quota_exceeded", // Cerebras
}

// usageLimit may be a quota that comes back or one that does not.
var usageLimit = []string{"quota", "usage limit", "usage_limit", "limit exceeded", "key limit exceeded", "spending limit", "spend limit"}

// passingWords say that a limit goes away by itself.
var passingWords = []string{"wait", "retry", "window", "periodic", "reset in", "resets in", "resets at", "try again", "requests remaining", "resets_in_seconds", "per minute", "per second",
	"regain access", // Anthropic, 400 at the cap that an organisation set itself
	"will reset",    // GLM, Gemini: "your quota will reset after 27h41m36s"
}

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
	"contextwindowexceedederror",                                // LiteLLM
	"increasing context size",                                   // GPUStack: failed to decode, try again, increasing context size
	"requested tokens exceed context window",                    // llama-cpp-python
	"model_max_prompt_tokens_exceeded", "prompt token count of", // GitHub Copilot
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
	"supports at most",         // OpenAI: this model supports at most 16384 completion tokens
}

var badParameter = []string{
	"unknown parameter", "unknown_parameter", "unsupported parameter", "unsupported_parameter", "unrecognized request argument", "unsupported_value",
	"is not supported with this model",                  // OpenAI: "Unsupported parameter: 'max_tokens' is not supported with this model"
	"unsupported value",                                 // OpenAI: "Unsupported value: 'temperature' does not support 0.2 with this model"
	"extra inputs are not permitted", "extra_forbidden", // Anthropic, Mistral and others that check with pydantic
	"unknown name",                // Gemini: Invalid JSON payload received. Unknown name "x"
	"does not support parameters", // LiteLLM: UnsupportedParamsError
}

var imageSize = []string{
	"image exceeds", "image too large", "image_too_large", "image size exceeds", "max allowed size: 8000", "image dimensions exceed", "dimensions exceed max allowed size",
}

var toolContent = []string{
	"text is not set", "tool message must be a string", "expected string, got list", "expected string, got array", "tool_call.content must be string",
	"message content must be a string", "tool content must be a string",
	"input should be a valid string", // servers that check with pydantic
}

// noVision: the model, or this server's copy of it, cannot read pictures (BEHAVIOUR 4.12).
var noVision = []string{
	"does not support image", "do not support image", "doesn't support image", "image input is not supported", "images are not supported", "no endpoints found that support image",
	"does not support vision", "model is not multimodal", "not a multimodal model", "unknown variant `image_url`", // DeepSeek
	"image_url is only supported by certain models",               // OpenAI
	"this model does not support the image", "provide the mmproj", // Bedrock; llama.cpp
}

var modelText = []string{
	"invalid model", "no such model", "unknown model", "model not found", "model_not_found", "unsupported model", "is not a valid model",
	"supported api model names are", "model not exist", // DeepSeek, 400
	"model identifier is invalid", "on-demand throughput isn", "resolve the foundation model", // Bedrock
	"not found, try pulling it",                // Ollama, 404
	"decommissioned", "deprecated, learn more", // Groq; OpenAI
	"does not have access to model", "does not have access to the model", // OpenAI, 403
	"access to the model with the specified model id", "use case details have not been submitted", // Bedrock, 403 and 404
	"is not supported when using codex",             // ChatGPT accounts, 400
	"model_not_supported", "model is not supported", // GitHub Copilot; Hugging Face
	"unable to access model",                                     // Together, 404
	"no models loaded",                                           // LM Studio
	"key not allowed to access model", "key_model_access_denied", // LiteLLM, 401
	"requires more system memory",        // Ollama, 500: the model does not fit into this machine, now or later
	"no allowed providers are available", // OpenRouter, 404
}

// noTools: the model is there but cannot use tools, which another model can (E15).
var noTools = []string{"no endpoints found that support tool use", "does not support tools", "does not support tool use", "does not support function calling",
	"requires --enable-auto-tool-choice", // vLLM
	"tool use is not supported", "tool calling is not supported", "function calling is not enabled for",
}

var dataPolicy = []string{
	"no endpoints found matching your data policy", "no endpoints available matching your guardrail", "no endpoints available matching your data policy",
	"requires explicit opt in", // OpenCode, 403: where the model is hosted has to be agreed to
}

var authText = []string{
	"forbidden", "unauthorized", "access denied", "invalid token", "token expired", "token revoked", "authentication", "invalid api key", "invalid_api_key",
	"incorrect api key", "api key not valid", "api_key_invalid", // OpenAI; Gemini answers 400
	"api key is invalid", "invalid x-api-key", "no auth credentials found", // Anthropic; OpenRouter
	"only authorized for use with", // Anthropic, 400: a token of another program
}

// deadAuth: the account or its key is gone for good, or never works from here.
var deadAuth = []string{
	"account associated with this api key has been deactivated", "account_deactivated", // OpenAI, 401
	"organization has been disabled", "account has been disabled", // Anthropic, 400 and 403
	"key has been revoked", "key has been disabled", "invalid_grant", // BEHAVIOUR 9.9: dead entries of a pool
	"unsupported_country_region_territory", "country, region, or territory not supported", // OpenAI, 403
	"user location is not supported", // Gemini, 400
	"account has been locked",        // GLM, code 1112
}

var timeoutText = []string{"timed out", "deadline exceeded", "i/o timeout"}

var disconnect = []string{
	"unexpected eof", "server disconnected", "connection was closed", "peer closed connection", "incomplete chunked read", "network connection lost",
	"connection reset by peer", "broken pipe", "upstream connect error", "connection terminated", // BEHAVIOUR 4.6
	"network error", "network connection", "connection lost", "connection closed", "connection reset", "peer closed", // BEHAVIOUR 4.6
	"server closed idle connection", "use of closed network connection", "goaway", "stream error: stream id", "client connection lost", // net/http
}

var tlsText = []string{
	"[ssl:", "ssl alert", "ssl_alert", "tls alert", "tls_alert", "bad record mac", "bad_record_mac", "tlsv1 alert", "sslv3 alert", "ssl handshake failure", "tls handshake",
	"remote error: tls", // crypto/tls
}

// busy: too many ask at once; it is not this account's limit.
var busy = []string{
	"overloaded", "temporarily unavailable", "server is busy", "at capacity", "no capacity", "request limit reached", // S07; Anthropic, DeepSeek
	"service is too busy", "server busy", // DeepSeek; Ollama
	"currently loading", "loading model", "not ready for inference", // Hugging Face; llama.cpp; Bedrock
	"experiencing high traffic", "queue_exceeded", // Cerebras
	"model_capacity_exhausted", "flex tier capacity exceeded", // Gemini; Groq
}

var validation = []string{"unknown parameter", "unknown_parameter", "invalid_request_error", "unsupported parameter", "unsupported_parameter", "unrecognized request argument"}

// grammar: the server could not turn a tool's schema into a grammar; the same request fails again (E18).
var grammar = []string{"json schema conversion failed", "failed to parse grammar", "unrecognized schema", "error parsing grammar", "unable to parse grammar"}

// template: the model's own prompt template refuses the history, and will the next time (H06, llama.cpp, LM Studio, vLLM).
var template = []string{
	"roles must alternate", "jinja exception", "with jinja template", "prompt template", "chat template", "only user, assistant and tool roles are supported",
	"only user and assistant roles are supported", "--jinja", "cannot use both json_schema and grammar",
}

// anyStatus are texts that mean the same whatever the status is (BEHAVIOUR 9.3, steps 0 to 5).
var anyStatus = []rule{
	{engine.ReasonContentPolicy, contentPolicy, nil},
	{engine.ReasonThinkingSignature, []string{"signature"}, []string{"thinking", "reasoning"}},
	{engine.ReasonThinkingSignature, []string{"invalid_encrypted_content", "encrypted content"}, nil},
	{engine.ReasonThinkingSignature, []string{"without its required following item"}, []string{"reasoning"}},     // OpenAI Responses: reasoning replayed alone
	{engine.ReasonThinkingSignature, []string{"redacted_thinking"}, []string{"cannot be modified", "but found"}}, // Anthropic: thinking replayed changed, or not at all
	{engine.ReasonLongContextTier, []string{"extra usage"}, []string{"long context"}},
	{engine.ReasonLongContextTier, []string{"long context beta"}, []string{"not", "forbidden"}},
	{engine.ReasonFormatError, grammar, nil},
	{engine.ReasonAuth, []string{"grok subscription"}, nil}, // step 5
	{engine.ReasonAuthPermanent, deadAuth, nil},
	{engine.ReasonProviderPolicy, dataPolicy, nil},
}

// badRequest is the order of BEHAVIOUR 9.5 for 400 and 422. Parameters come before overflow, whose phrases they share.
var badRequest = []rule{
	{engine.ReasonFormatError, noVision, nil},
	{engine.ReasonFormatError, toolContent, nil},
	{engine.ReasonImageTooLarge, imageSize, nil},
	{engine.ReasonFormatError, badParameter, nil},
	{engine.ReasonMaxTokensTooLarge, outputCap, nil},
	{engine.ReasonContextOverflow, overflow, nil},
	{engine.ReasonBilling, []string{"account is in good standing"}, nil}, // says "access denied" too
	{engine.ReasonAuth, authText, nil},
	{engine.ReasonModelNotFound, modelText, nil},
	{engine.ReasonModelNotFound, noTools, nil},
	{engine.ReasonModelNotFound, []string{"does not exist"}, []string{"model"}},
	{engine.ReasonServerError, []string{"has crashed"}, nil}, // LM Studio reports its model's crash as 400
	{engine.ReasonRateLimit, rateText, nil},
	{engine.ReasonBilling, billingText, nil},
}

var notFound = []rule{
	{engine.ReasonBilling, billingText, nil},
	{engine.ReasonFormatError, noVision, nil},
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
	{engine.ReasonFormatError, template, nil},
	{engine.ReasonFormatError, noVision, nil},
	{engine.ReasonModelNotFound, []string{"requires more system memory"}, nil}, // Ollama
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
	{engine.ReasonModelNotFound, modelText, nil},
	{engine.ReasonModelNotFound, noTools, nil},
	{engine.ReasonTimeout, timeoutText, nil},
	{engine.ReasonFormatError, template, nil},
	{engine.ReasonFormatError, noVision, nil},
	{engine.ReasonFormatError, validation, nil},
	{engine.ReasonServerError, []string{"internal server error", "internal error"}, nil},
}

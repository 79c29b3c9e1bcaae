package classify

import "talaria/engine"

// codes gives a reason to an error's code or type, in lower case.
var codes = map[string]engine.Reason{
	// BEHAVIOUR 9.3, step 7
	"resource_exhausted": engine.ReasonRateLimit, "throttled": engine.ReasonRateLimit, "rate_limit_exceeded": engine.ReasonRateLimit,
	"insufficient_quota": engine.ReasonBilling, "billing_not_active": engine.ReasonBilling, "payment_required": engine.ReasonBilling,
	"insufficient_credits": engine.ReasonBilling, "no_usable_credits": engine.ReasonBilling, "balance_depleted": engine.ReasonBilling,
	"model_not_supported_on_free_tier": engine.ReasonBilling,
	"model_not_found":                  engine.ReasonModelNotFound, "model_not_available": engine.ReasonModelNotFound, "invalid_model": engine.ReasonModelNotFound,
	"context_length_exceeded": engine.ReasonContextOverflow, "max_tokens_exceeded": engine.ReasonContextOverflow,
	"invalid_encrypted_content": engine.ReasonThinkingSignature,
	// E11; BEHAVIOUR 9.9
	"terminal_quota_exhausted": engine.ReasonBilling, "usage_limit_reached": engine.ReasonRateLimit,
	// llama.cpp (E02), Perplexity
	"exceed_context_size_error": engine.ReasonContextOverflow, "too_many_prompt_tokens": engine.ReasonContextOverflow,
	// OpenAI: invalid_api_key; Azure: DeploymentNotFound; OpenAI in streams: server_error
	"invalid_api_key": engine.ReasonAuth, "deploymentnotfound": engine.ReasonModelNotFound, "server_error": engine.ReasonServerError,
	"tool_use_failed": engine.ReasonFormatError, // Groq: the model wrote a call that is none
	// Moonshot: 429 with this type is load, not a limit
	"engine_overloaded_error": engine.ReasonOverloaded, "server_is_overloaded": engine.ReasonOverloaded,
	// docs.anthropic.com, errors
	"overloaded_error": engine.ReasonOverloaded, "rate_limit_error": engine.ReasonRateLimit, "authentication_error": engine.ReasonAuth,
	"permission_error": engine.ReasonAuth, "billing_error": engine.ReasonBilling, "not_found_error": engine.ReasonModelNotFound,
	"request_too_large": engine.ReasonPayloadTooLarge, "api_error": engine.ReasonServerError, "timeout_error": engine.ReasonTimeout,
	"invalid_request_error": engine.ReasonFormatError,
	// Bedrock API reference, ConverseStream, errors
	"throttlingexception": engine.ReasonRateLimit, "servicequotaexceededexception": engine.ReasonRateLimit,
	"serviceunavailableexception": engine.ReasonOverloaded, "modelnotreadyexception": engine.ReasonOverloaded,
	"internalserverexception": engine.ReasonServerError, "modelstreamerrorexception": engine.ReasonServerError, "modelerrorexception": engine.ReasonServerError,
	"modeltimeoutexception": engine.ReasonTimeout, "accessdeniedexception": engine.ReasonAuth, "expiredtokenexception": engine.ReasonAuth,
	"unrecognizedclientexception": engine.ReasonAuth, "resourcenotfoundexception": engine.ReasonModelNotFound,
	// google.rpc.Code
	"unauthenticated": engine.ReasonAuth, "permission_denied": engine.ReasonAuth, "unavailable": engine.ReasonOverloaded, "deadline_exceeded": engine.ReasonTimeout,
	"internal": engine.ReasonServerError,
	// OpenAI, error codes of the API and of response.failed
	"billing_hard_limit_reached": engine.ReasonBilling, "account_deactivated": engine.ReasonAuthPermanent, "content_policy_violation": engine.ReasonContentPolicy,
	"moderation_blocked": engine.ReasonContentPolicy, "invalid_prompt": engine.ReasonContentPolicy, "image_content_policy_violation": engine.ReasonContentPolicy,
	"image_too_large": engine.ReasonImageTooLarge, "image_file_too_large": engine.ReasonImageTooLarge, "usage_not_included": engine.ReasonBilling,
	"unsupported_country_region_territory": engine.ReasonAuthPermanent, "model_not_supported": engine.ReasonModelNotFound, "model_decommissioned": engine.ReasonModelNotFound,
	// Azure OpenAI; Alibaba Model Studio; GitHub Models and Copilot
	"content_filter": engine.ReasonContentPolicy, "arrearage": engine.ReasonBilling, "data_inspection_failed": engine.ReasonContentPolicy,
	"ratelimitreached": engine.ReasonRateLimit, "unknown_model": engine.ReasonModelNotFound, "quota_exceeded": engine.ReasonBilling,
	"model_max_prompt_tokens_exceeded": engine.ReasonContextOverflow,
	// Kimi; Cerebras; OpenCode; Vercel AI Gateway; LiteLLM
	"exceeded_current_quota_error": engine.ReasonBilling, "rate_limit_reached_error": engine.ReasonRateLimit, "invalid_authentication_error": engine.ReasonAuth,
	"queue_exceeded": engine.ReasonOverloaded, "token_quota_exceeded": engine.ReasonRateLimit, "creditserror": engine.ReasonBilling,
	"modelerror": engine.ReasonModelNotFound, "customer_verification_required": engine.ReasonBilling, "budget_exceeded": engine.ReasonBilling,
	"key_model_access_denied": engine.ReasonModelNotFound,
}

package engine

// The reasons, named as in CONTRACT 6.
const (
	ReasonAuth              Reason = "auth"
	ReasonAuthPermanent     Reason = "auth_permanent"
	ReasonBilling           Reason = "billing"
	ReasonRateLimit         Reason = "rate_limit"
	ReasonOverloaded        Reason = "overloaded"
	ReasonServerError       Reason = "server_error"
	ReasonTimeout           Reason = "timeout"
	ReasonContextOverflow   Reason = "context_overflow"
	ReasonPayloadTooLarge   Reason = "payload_too_large"
	ReasonModelNotFound     Reason = "model_not_found"
	ReasonFormatError       Reason = "format_error"
	ReasonThinkingSignature Reason = "thinking_signature"
	ReasonLongContextTier   Reason = "long_context_tier"
	ReasonUnknown           Reason = "unknown"
	ReasonContentPolicy     Reason = "content_policy"
	ReasonProviderPolicy    Reason = "provider_policy"
	ReasonImageTooLarge     Reason = "image_too_large"
	ReasonMaxTokensTooLarge Reason = "max_tokens_too_large"
	ReasonEmptyResponse     Reason = "empty_response"
)

// Codes of our own, for what a status cannot say.
const (
	CodeNoConnection = "no_connection" // refused, no route, unknown host: nothing was ever answered
	CodeOffline      = "offline"       // this machine has no network, or lost the server that it had
	CodeCut          = "cut"           // the stream ended before the reply did
	CodeNoKey        = "no_key"
	CodeInternal     = "internal"     // a fault of our own
	CodeOutputLimit  = "output_limit" // the request succeeded, but its reply was cut by the output cap
)

// The actions of a recovery.
const (
	ActionRetry    Action = "retry"
	ActionRotate   Action = "rotate"
	ActionFallback Action = "fallback"
	ActionCompress Action = "compress"
	ActionFix      Action = "fix"
	ActionContinue Action = "continue"
	ActionReask    Action = "reask"
)

// The fixes. FixSanitise repairs what a strict server refuses; FixLowerCap lowers the output cap.
const (
	FixNone            Fix = ""
	FixSanitise        Fix = "sanitise"
	FixLowerCap        Fix = "lower_output_cap"
	FixStripSignatures Fix = "strip_signatures"
	FixShrinkImages    Fix = "shrink_images"
	FixReduceTier      Fix = "reduce_context_tier"
)

// The exit reasons.
const (
	ExitFinished     Exit = "finished"
	ExitIterations   Exit = "max_iterations"
	ExitBudget       Exit = "budget"
	ExitInterrupted  Exit = "interrupted"
	ExitApproval     Exit = "approval_required"
	ExitBlocked      Exit = "blocked"
	ExitTruncated    Exit = "truncated"
	ExitInvalidCalls Exit = "invalid_tool_calls"
	ExitFailed       Exit = "failed"
)

// The reasons of the unified response (BEHAVIOUR 3.4).
const (
	StopEnd           Stop = "stop"
	StopCalls         Stop = "tool_calls"
	StopLength        Stop = "length"
	StopContentFilter Stop = "content_filter"
	StopRefusal       Stop = "refusal"
	StopPause         Stop = "pause"
	StopUnknown       Stop = "unknown"
)

// The side tasks that models do beside the conversation (CONTRACT 5, auxiliary). Each may have a model of its own.
const (
	TaskCompression   = "compression"
	TaskTitle         = "title"
	TaskApproval      = "approval"
	TaskVision        = "vision"
	TaskWebExtract    = "web_extract"
	TaskSessionSearch = "session_search"
	TaskReview        = "review"
)

// The kinds of notes. Degraded: saving fails, Text says why. Saved: it works again. Mode: the approval mode is now Text.
const (
	NoteInfo     NoteKind = "info"
	NoteWarning  NoteKind = "warning"
	NoteError    NoteKind = "error"
	NoteStopping NoteKind = "stopping"
	NoteDegraded NoteKind = "degraded"
	NoteSaved    NoteKind = "saved"
	NoteMode     NoteKind = "mode"
	NoteModel    NoteKind = "model"
	NoteTitle    NoteKind = "title"
)

package engine

import (
	"errors"
	"fmt"
	"time"
)

// Reason is what kind of failure an Error is (CONTRACT 6).
type Reason string

// Error is a failure that the loop understands. Status is the HTTP status, 0 without one. Message says what the provider
// said, without keys or HTML; Hint what the user can do. After is how long the server asks to wait, 0 when it does not.
// Window and Room are what an overflow tells in tokens, 0 when it does not: the model's real context, and the output that
// would still fit. Usage is what the failed request was billed, as far as the server told.
type Error struct {
	Reason  Reason        `json:"reason"`
	Status  int           `json:"status,omitempty"`
	Code    string        `json:"code,omitempty"`
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
	After   time.Duration `json:"after_ns,omitempty"`
	Window  int           `json:"window,omitempty"`
	Room    int           `json:"room,omitempty"`
	Usage   Usage         `json:"usage,omitzero"`
	Err     error         `json:"-"`
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (%s, %d)", e.Message, e.Reason, e.Status)
	}
	return fmt.Sprintf("%s (%s)", e.Message, e.Reason)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// AsError returns err as an *Error; what is none becomes one of reason unknown. Nil stays nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Reason: ReasonUnknown, Message: err.Error(), Err: err}
}

// Action is what was done about a failure.
type Action string

// Fix names a change to the request before it is sent again.
type Fix string

// Plan is what is done about a reason: SameKey tries with the same key at first, Attempts in all with backoff, then
// another key, another provider, or a smaller history.
type Plan struct {
	SameKey, Attempts          int
	Rotate, Fallback, Compress bool
	Fix                        Fix
}

// PlanOf returns the plan for r; an unknown name has the plan of "unknown".
func PlanOf(r Reason) Plan {
	if p, ok := plans[r]; ok {
		return p
	}
	return plans[ReasonUnknown]
}

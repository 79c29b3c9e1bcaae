package engine

import "context"

// Aux asks the model of one side task and returns its whole reply. Of req, Route is not needed, except for its Effort. It
// has its own retries and fallbacks, and what it costs is counted in the session, but not in the turn that may wait for it.
// It may be called from any goroutine and blocks: bound it by ctx. The error is an *Error.
type Aux func(ctx context.Context, req Request) (Message, error)

// Text asks with one message and returns the visible text of the reply.
func (a Aux) Text(ctx context.Context, system, prompt string) (string, error) {
	m, err := a(ctx, Request{System: system, Messages: []Message{{Role: RoleUser, Parts: Parts{Text{prompt}}}}})
	return m.Text(), err
}

// Package inner carries out calls that one tool makes of others: a program of execute_code. Each goes through the same
// gates as a call of the model, and always comes to a result.
package inner

import (
	"context"
	"fmt"
	"io"

	"talaria/engine"
	"talaria/engine/tools"
)

// Toolbox finds the tool of a call, as an agent's does.
type Toolbox interface {
	Specs() []engine.Spec
	Resolve(c engine.Call) (engine.Tool, engine.Call, *engine.Result)
}

// Do resolves call in box, asks the gates in order, and runs it.
func Do(ctx context.Context, box Toolbox, gates []engine.Gate, call engine.Call) engine.Result {
	t, call, refused := box.Resolve(call)
	if refused != nil {
		return *refused
	}
	for _, g := range gates {
		v, err := g(ctx, call, t.Spec())
		if r := objection(call, v, err); r != nil {
			return *r
		}
		if v.Call != nil {
			call = *v.Call
		}
	}
	if ctx.Err() != nil {
		return engine.Result{CallID: call.ID, Name: call.Name, Status: engine.StatusStopped, Text: "not started: stopped by the user"}
	}
	return run(ctx, t, call)
}

// objection is the result of a call that a gate did not let pass, nil when it did.
func objection(call engine.Call, v engine.Verdict, err error) *engine.Result {
	var r engine.Result
	switch {
	case err != nil:
		r = engine.Failed(call, "not run: the permission check failed: %v", err)
		r.Status = engine.StatusDenied
	case v.Decision == engine.NeedsApproval:
		r = engine.Badly(call, "approval is needed and there is nobody to ask: %s", v.Reason)
	case v.Decision == engine.Deny && v.Policy:
		r = engine.Badly(call, "%s", v.Reason)
	case v.Decision == engine.Deny:
		r = engine.Failed(call, "%s", v.Reason)
		r.Status = engine.StatusDenied
	default:
		return nil
	}
	return &r
}

// run runs the tool; a panic or an error becomes a result.
func run(ctx context.Context, t engine.Tool, call engine.Call) (r engine.Result) {
	defer func() {
		if v := recover(); v != nil {
			r = engine.Failed(call, "the tool %s failed by a fault of its own: %v", call.Name, v)
		}
	}()
	r, err := t.Run(tools.Scripted(ctx), call, io.Discard) // its progress is told by the line of the call
	if err != nil {
		return engine.Failed(call, "%v", fmt.Errorf("the tool %s failed: %w", call.Name, err))
	}
	if r.Status == "" {
		r.Status = engine.StatusDone
	}
	return r
}

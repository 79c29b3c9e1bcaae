package core

import (
	"context"
	"fmt"
	"io"

	"talaria/engine"
	"talaria/engine/tools"
	"talaria/engine/tools/code"
)

// withCode adds execute_code to the tools of list; keep says which of them are enabled. The second registry is what a
// program can use.
func (c *Core) withCode(list []engine.Tool, keep func(*tools.Registry) *tools.Registry) (all, inner *tools.Registry) {
	inner = keep(tools.NewRegistry(list...))
	c.programs.Store(c.out.Box(inner))
	script := code.New(code.Options{Tools: func() []engine.Spec { return c.programs.Load().Specs() }, Call: c.inner, Cap: c.space.Cap})
	return keep(tools.NewRegistry(append(list, script)...)), inner
}

// newPrograms takes stock of the tools that programs have, for one turn.
func (c *Core) newPrograms() { c.programs.Store(c.out.Box(c.innerBox)) }

// inner carries out a call that a program of execute_code makes: through the same gates as a call of the model.
func (c *Core) inner(ctx context.Context, call engine.Call) engine.Result {
	t, call, refused := c.programs.Load().Resolve(call)
	if refused != nil {
		return *refused
	}
	_, gates := c.toolbox()
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
	return runInner(ctx, t, call)
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

// runInner runs the tool; a panic or an error becomes a result.
func runInner(ctx context.Context, t engine.Tool, call engine.Call) (r engine.Result) {
	defer func() {
		if v := recover(); v != nil {
			r = engine.Failed(call, "the tool %s failed by a fault of its own: %v", call.Name, v)
		}
	}()
	r, err := t.Run(ctx, call, io.Discard) // its progress is told by the line of the call
	if err != nil {
		return engine.Failed(call, "%v", fmt.Errorf("the tool %s failed: %w", call.Name, err))
	}
	if r.Status == "" {
		r.Status = engine.StatusDone
	}
	return r
}

package core

import (
	"context"

	"talaria/engine"
	"talaria/engine/core/inner"
	"talaria/engine/tools"
	"talaria/engine/tools/code"
)

// withCode adds execute_code to the tools of list; keep says which of them are enabled. The second registry is what a
// program can use.
func (c *Core) withCode(list []engine.Tool, keep func(*tools.Registry) *tools.Registry) (all, own *tools.Registry) {
	own = keep(tools.NewRegistry(list...))
	c.programs.Store(c.out.Box(own))
	script := code.New(code.Options{Tools: func() []engine.Spec { return c.programs.Load().Specs() }, Call: c.inner, Cap: c.space.Cap})
	return keep(tools.NewRegistry(append(list, script)...)), own
}

// newPrograms takes stock of the tools that programs have, for one turn.
func (c *Core) newPrograms() { c.programs.Store(c.out.Box(c.innerBox)) }

// inner carries out a call that a program makes.
func (c *Core) inner(ctx context.Context, call engine.Call) engine.Result {
	_, gates := c.toolbox()
	return inner.Do(tools.Scripted(ctx), c.programs.Load(), gates, call)
}

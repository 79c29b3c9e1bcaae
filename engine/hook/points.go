package hook

import (
	"context"
	"iter"
	"strings"
	"time"

	"talaria/engine"
)

// Gate is the hooks of pre_tool_call: the first that blocks refuses the call with its text.
func (r *Runner) Gate(ctx context.Context, c engine.Call, s engine.Spec) (engine.Verdict, error) {
	block, _ := r.all(ctx, PreToolCall, s.Name, r.input(PreToolCall, map[string]any{"tool": s.Name, "args": arguments(c), "call_id": c.ID}))
	if ctx.Err() != nil {
		return engine.Verdict{Decision: engine.Deny, Reason: "stopped by the user"}, ctx.Err()
	}
	if block == "" {
		return engine.Verdict{}, nil
	}
	return engine.Verdict{Decision: engine.Deny, Policy: true, Reason: "a hook of the user blocked this call: " + block}, nil
}

// Wrap is t with the hooks of post_tool_call after it; t itself when there are none.
func (r *Runner) Wrap(t engine.Tool) engine.Tool {
	if !r.any(PostToolCall) {
		return t
	}
	return wrapped{engine.Wrapped{Tool: t}, r}
}

// wrapped is a tool with hooks after it.
type wrapped struct {
	engine.Wrapped
	r *Runner
}

// Run runs the tool, then the hooks; context that they give stands at the end of the result.
func (w wrapped) Run(ctx context.Context, c engine.Call, out engine.Output) (engine.Result, error) {
	began := time.Now()
	res, err := w.Tool.Run(ctx, c, out)
	if err != nil {
		return res, err
	}
	name := w.Spec().Name
	block, said := w.r.all(ctx, PostToolCall, name, w.r.input(PostToolCall, map[string]any{"tool": name, "args": arguments(c), "call_id": c.ID,
		"result": res.Text, "status": string(res.Status), "duration_ms": time.Since(began).Milliseconds()}))
	if block != "" { // it has happened; what remains is to tell the model
		said = append(said, block)
	}
	if len(said) > 0 {
		res.Text += "\n\n[a hook of the user says: " + strings.Join(said, "\n") + "]"
	}
	return res, nil
}

// Context is what the hooks of the session's start and of pre_llm_call add to the user's message, for this turn's
// requests only. An error means that one of them blocked the turn.
func (r *Runner) Context(ctx context.Context, text string, route engine.Route) (string, error) {
	r.mu.Lock()
	begun := r.begun
	r.mu.Unlock()
	if begun != nil {
		select {
		case <-begun:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	r.mu.Lock()
	said := r.greet
	r.greet = nil
	r.mu.Unlock()
	if !r.any(PreLLMCall) {
		return strings.Join(said, "\n\n"), nil
	}
	block, more := r.all(ctx, PreLLMCall, "", r.input(PreLLMCall, map[string]any{"text": text, "model": route.Model, "provider": route.Provider}))
	if block != "" {
		return "", Blocked(block)
	}
	return strings.Join(append(said, more...), "\n\n"), nil
}

// Blocked is the end of a turn that a hook does not want.
func Blocked(reason string) *engine.Error {
	return &engine.Error{Reason: engine.ReasonProviderPolicy, Code: "hook", Message: "a hook stopped this turn: " + reason, Hint: "Change what you ask, or the hook in your config.yaml."}
}

// Write is the hooks of on_session_start: an Opened event starts them beside the engine. It never fails.
func (r *Runner) Write(_ time.Time, e engine.Event) error {
	opened, ok := e.(engine.Opened)
	if !ok || !r.any(SessionStart) {
		return nil
	}
	in := r.input(SessionStart, map[string]any{"session_id": opened.Session.ID, "resumed": opened.Resumed})
	begun := make(chan struct{})
	r.mu.Lock()
	r.begun = begun
	r.mu.Unlock()
	engine.Go("hooks of the session's start", func() {
		defer close(begun)
		block, said := r.all(r.ctx, SessionStart, "", in)
		if block != "" {
			r.o.Note("a hook says: " + block)
		}
		r.mu.Lock()
		r.greet = said
		r.mu.Unlock()
	})
	return nil
}

// Provider is p with the hooks of pre_api_request before each request and those of post_api_request after it; p itself
// when there are none. They stand outside of retries: one request of the loop is one run.
func (r *Runner) Provider(p engine.Provider) engine.Provider {
	if !r.any(PreRequest, PostRequest) {
		return p
	}
	return asked{p, r}
}

type asked struct {
	engine.Provider
	r *Runner
}

// Stream runs the hooks around one request.
func (a asked) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		about := map[string]any{"model": req.Route.Model, "provider": req.Route.Provider, "api_mode": string(req.Route.APIMode),
			"messages": len(req.Messages), "tools": len(req.Tools), "input_tokens_estimate": req.Estimate}
		block, _ := a.r.all(ctx, PreRequest, "", a.r.input(PreRequest, about))
		if block != "" {
			yield(nil, Blocked(block))
			return
		}
		began := time.Now()
		after := func(more map[string]any) {
			more["duration_ms"] = time.Since(began).Milliseconds()
			for k, v := range about {
				more[k] = v
			}
			a.r.all(ctx, PostRequest, "", a.r.input(PostRequest, more)) // what they say has nothing to act on
		}
		for d, err := range a.Provider.Stream(ctx, req) {
			if !yield(d, err) {
				return
			}
			if err != nil {
				e := engine.AsError(err)
				after(map[string]any{"error": map[string]any{"reason": string(e.Reason), "status": e.Status, "message": e.Message}})
				return
			}
			if done, ok := d.(engine.Done); ok {
				more := map[string]any{"stop": string(done.Stop)}
				if done.Usage != nil {
					more["usage"] = *done.Usage
				}
				after(more)
				return
			}
		}
	}
}

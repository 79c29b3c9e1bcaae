package route

import (
	"log/slog"

	"talaria/engine"
)

// logRetry writes why another request is made. Keys are named by where they come from; an error text holds none.
func (x *exchange) logRetry(r engine.Retry) {
	args := []any{"action", r.Action, "provider", r.Provider, "model", r.Model, "after_ms", r.After.Milliseconds(), "session", x.req.SessionID}
	if r.Key != "" {
		args = append(args, "key", r.Key)
	}
	x.c.o.Log.Info("request repeated", append(args, about(r.Err)...)...)
}

func (x *exchange) logEnd(err error) {
	args := []any{"provider", x.name(), "model", x.next.Route.Model, "requests", x.requests, "session", x.req.SessionID}
	x.c.o.Log.Warn("request failed", append(args, about(engine.AsError(err))...)...)
}

func about(e *engine.Error) []any {
	if e == nil {
		return nil
	}
	return []any{slog.Any("reason", e.Reason), "status", e.Status, "code", e.Code, "message", e.Message}
}

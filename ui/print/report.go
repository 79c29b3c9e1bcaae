package print

import "talaria/engine"

// report is o as the object of CONTRACT 2.1.
func report(o engine.Outcome) map[string]any {
	files, rec := o.FilesChanged, o.Recoveries
	if files == nil {
		files = []string{}
	}
	if rec == nil {
		rec = []engine.Recovery{}
	}
	var fault any
	if o.Err != nil {
		fault = map[string]any{"reason": o.Err.Reason, "status": o.Err.Status, "message": o.Err.Message, "hint": o.Err.Hint}
	}
	return map[string]any{
		"session_id": o.SessionID, "parent_session_id": o.ParentID, "task_id": o.TaskID,
		"final_response": o.Final, "completed": o.Completed, "interrupted": o.Interrupted, "partial": o.Partial,
		"exit_reason": o.Exit, "api_calls": o.APICalls, "iterations": o.Iterations,
		"messages": engine.ExportChat(o.System, o.Messages), "usage": o.Usage, "cost_usd": o.Cost,
		"model": o.Route.Model, "provider": o.Route.Provider, "api_mode": o.Route.APIMode, "duration_ms": o.DurationMS,
		"files_changed": files, "recoveries": rec, "pending_steer": o.PendingSteer, "error": fault,
	}
}

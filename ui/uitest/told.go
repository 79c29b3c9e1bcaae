package uitest

import (
	"fmt"
	"time"

	"talaria/engine"
)

// The words of a story: events as an engine tells them, short enough to read. Some are several events.

func flatten(events []any) []engine.Event {
	var out []engine.Event
	for _, e := range events {
		switch e := e.(type) {
		case engine.Event:
			out = append(out, e)
		case []engine.Event:
			out = append(out, e...)
		default:
			panic(fmt.Sprintf("not an event: %T", e))
		}
	}
	return out
}

// User is a message of the user's that was stored.
func User(text string) engine.Event {
	return engine.Appended{Message: engine.UserMessage(text, time.Time{})}
}

// Steer is a steer that was delivered and stored.
func Steer(text string) engine.Event {
	m := engine.UserMessage(text, time.Time{})
	m.Steer = true
	return engine.Appended{Message: m}
}

// Says is streamed text.
func Says(text string) engine.Event { return engine.Streamed{Delta: engine.TextDelta{Text: text}} }

// Thinks is streamed reasoning.
func Thinks(text string) engine.Event { return engine.Streamed{Delta: engine.ThoughtDelta{Text: text}} }

// Reply is a whole reply, streamed and stored.
func Reply(text string) []engine.Event {
	return []engine.Event{Says(text), engine.Streamed{Delta: engine.Done{Stop: engine.StopEnd}},
		engine.Appended{Message: engine.Message{ID: "m" + text, Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: text}}}}}
}

// Cut is a partial reply that a stop kept.
func Cut(text string) engine.Event {
	return engine.Appended{Message: engine.Message{ID: "m" + text, Role: engine.RoleAssistant, Aside: true, Parts: engine.Parts{engine.Text{Text: text}}}}
}

// Runs is a tool that begins.
func Runs(id, line string) engine.Event {
	return engine.CallBegan{Call: engine.Call{ID: id, Name: "tool", Args: "{}"}, Line: line}
}

// Prints is output of a running tool.
func Prints(id, text string) engine.Event { return engine.CallWrote{CallID: id, Text: text} }

// Done is a tool that ended well.
func Done(id, line, note string, took time.Duration) engine.Event {
	return engine.CallEnded{Result: engine.Result{CallID: id, Name: "tool", Text: "ok", Status: engine.StatusDone, Note: note}, Line: line, DurationMS: took.Milliseconds()}
}

// Killed is a tool that was stopped.
func Killed(id, line string, took time.Duration) engine.Event {
	return engine.CallEnded{Result: engine.Result{CallID: id, Name: "tool", Text: "stopped by the user", Status: engine.StatusStopped}, Line: line, DurationMS: took.Milliseconds()}
}

// Finished is the end of a turn that went well.
func Finished() engine.Event {
	return engine.Ended{Why: engine.ExitFinished, Outcome: engine.Outcome{Completed: true, Exit: engine.ExitFinished}}
}

// Stopped is the end of a turn that the user stopped.
func Stopped() engine.Event {
	return engine.Ended{Why: engine.ExitInterrupted, Outcome: engine.Outcome{Interrupted: true, Exit: engine.ExitInterrupted}}
}

// Cost is a Used of so many tokens of a window; dollars below 0 is a price that is not known.
func Cost(context, window int, dollars float64) engine.Event {
	u := engine.Used{Usage: engine.Usage{Input: context, Output: 1800}, Context: context, Window: window}
	if dollars >= 0 {
		u.Cost = &dollars
	}
	return u
}

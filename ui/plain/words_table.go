package plain

// words begin lines of the program's own that must not be passed off: those that ask, and those that tell what was done.
// They are in lower case, and may be followed by more before the colon ("Tool started:").
var words = []string{"you", "needs approval", "question", "answered", "kept", "tool", "agent", "mode", "done", "stopped", "failed", "warning", "session"}

package engine

// Exit is why a turn ended (the exit_reason table of CONTRACT 2.1).
type Exit string

// Outcome is what a turn came to. Iterations counts rounds of the loop, APICalls successful requests. Messages is the
// whole history after the turn as it would be sent, Stored the same as it is kept, System its system prompt; none is in
// the JSON of an event, since the journal holds them already. Cost is in US dollars, nil when a price is not known.
type Outcome struct {
	SessionID    string     `json:"session_id"`
	ParentID     string     `json:"parent_session_id,omitempty"`
	TaskID       string     `json:"task_id,omitempty"`
	Final        string     `json:"final_response"`
	Reasoning    string     `json:"-"`
	Completed    bool       `json:"completed"`
	Interrupted  bool       `json:"interrupted"`
	Partial      bool       `json:"partial"`
	Exit         Exit       `json:"exit_reason"`
	APICalls     int        `json:"api_calls"`
	Iterations   int        `json:"iterations"`
	System       string     `json:"-"`
	Messages     []Message  `json:"-"`
	Stored       []Message  `json:"-"`
	Usage        Usage      `json:"usage"`
	Cost         *float64   `json:"cost_usd"`
	Route        Route      `json:"route"`
	DurationMS   int64      `json:"duration_ms"`
	FilesChanged []string   `json:"files_changed"`
	Recoveries   []Recovery `json:"recoveries"`
	PendingSteer string     `json:"pending_steer,omitempty"`
	Err          *Error     `json:"error,omitempty"`
}

// Recovery is one repeated, continued or re-asked request.
type Recovery struct {
	Reason   Reason `json:"reason"`
	Action   Action `json:"action"`
	AfterMS  int64  `json:"after_ms"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// ExitCode is the exit code of print mode for o (CONTRACT 2.1), signals apart.
func (o Outcome) ExitCode() int {
	switch o.Exit {
	case ExitFinished:
		return 0
	case ExitIterations, ExitBudget:
		return 5
	case ExitInterrupted:
		return 130
	case ExitApproval:
		return 6
	case ExitBlocked:
		return 7
	case ExitTruncated, ExitInvalidCalls:
		return 1
	case ExitFailed:
		return o.failedCode()
	}
	return 1
}

func (o Outcome) failedCode() int {
	if o.Err == nil {
		return 1
	}
	switch o.Err.Reason {
	case ReasonAuth, ReasonAuthPermanent:
		return 3
	case ReasonTimeout:
		if o.APICalls == 0 && o.Err.Code == CodeNoConnection {
			return 3
		}
	case ReasonUnknown:
		if o.Err.Code == CodeInternal {
			return 1
		}
	}
	return 4
}

package engine

// Event is what the engine tells: one of the types of this file, or Unknown from a later version. What belongs to the
// conversation stands in the journal, so a session is its log of events and ops. Streamed and CallWrote do not, since what
// is appended at the end of each holds it, nor do notes that are about the program and not the session.
type Event interface{ event() }

// Opened: this session is now the one on screen. Past are the records to draw first, its end; Earlier is where it goes on
// before them, nil when it does not. Both are read from the store and not part of the event's JSON.
type Opened struct {
	Session Session  `json:"session"`
	Resumed bool     `json:"resumed,omitempty"`
	Past    []Record `json:"-"`
	Earlier *Place   `json:"-"`
}

// Began: a turn started. Turn counts from 1.
type Began struct {
	Turn  int   `json:"turn"`
	Route Route `json:"route"`
}

// Stepped: a further iteration of the turn starts. Calls are the names of the tools that ran in the one before.
type Stepped struct {
	Iteration int      `json:"iteration"`
	Calls     []string `json:"calls,omitempty"`
}

// Streamed: a piece of the reply arrived. Not journalled.
type Streamed struct {
	Delta Delta `json:"delta"`
}

// Appended: the message is part of the session, on disk unless the degraded notice is on.
type Appended struct {
	Message Message `json:"message"`
}

// CallBegan: a tool starts to run. Line names the action with its path or command ("$ npm test").
type CallBegan struct {
	Call Call   `json:"call"`
	Line string `json:"line"`
}

// CallWrote: the running tool printed. Not journalled.
type CallWrote struct {
	CallID string `json:"call_id"`
	Text   string `json:"text"`
}

// CallEnded: the call has its result. A call that was refused or denied ends without having begun. Line is as in CallBegan.
type CallEnded struct {
	Result     Result `json:"result"`
	DurationMS int64  `json:"duration_ms"`
	Line       string `json:"line,omitempty"`
}

// Asked: the turn waits for the user.
type Asked struct {
	Question Question `json:"question"`
}

// Withdrawn: the question needs no answer any more. Choice is what was answered, "" when it was dropped.
type Withdrawn struct {
	ID     string `json:"id"`
	Choice string `json:"choice,omitempty"`
}

// Steered: these steers wait for the next tool result. An empty list means that all were delivered or taken back.
type Steered struct {
	Waiting []Waiting `json:"waiting"`
	Paused  bool      `json:"paused,omitempty"`
}

// Queued: these messages wait for the end of the turn.
type Queued struct {
	Waiting []Waiting `json:"waiting"`
	Paused  bool      `json:"paused,omitempty"`
}

// Waiting is a message of the user that was not delivered yet.
type Waiting struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Compacted: the history was summarised; the session goes on as Child, "" when it did not come to that. Before and After
// are tokens of the whole request. While it runs the same event tells how far it is, and is not journalled: Kept messages
// stay word for word, Old ones are summarised, Part of Parts is done.
type Compacted struct {
	Child   string `json:"child"`
	Summary string `json:"summary"`
	Before  int    `json:"before_tokens"`
	After   int    `json:"after_tokens"`
	Running bool   `json:"running,omitempty"`
	Kept    int    `json:"kept,omitempty"`
	Old     int    `json:"old,omitempty"`
	Part    int    `json:"part,omitempty"`
	Parts   int    `json:"parts,omitempty"`
}

// Rewound: an undo, or with Back the redo of the undo ID. From is the message with which the part that left the chat
// begins, "" when only files were restored; Turn is its number, Turns and Messages how many left the chat, Text the
// user's words there. Files were restored, Kept were left as the user has them; both are absolute paths. Line tells it
// all. What left the chat stays in the journal: Standing leaves it out.
type Rewound struct {
	ID       string   `json:"id"`
	Back     bool     `json:"back,omitempty"`
	Turn     int      `json:"turn"`
	Turns    int      `json:"turns,omitempty"`
	From     string   `json:"from,omitempty"`
	Messages int      `json:"messages,omitempty"`
	Text     string   `json:"text,omitempty"`
	Files    []string `json:"files,omitempty"`
	Kept     []string `json:"kept,omitempty"`
	Line     string   `json:"line"`
}

// Used: what the last request cost. Total is the session's. Context is how full the model's window is in tokens: the last
// request and its reply as the server counted them, else an estimate. Window is the model's limit, 0 when unknown. Cost is
// in US dollars for the session, nil when the price is not known.
type Used struct {
	Usage   Usage    `json:"usage"`
	Total   Usage    `json:"total"`
	Cost    *float64 `json:"cost"`
	Context int      `json:"context"`
	Window  int      `json:"window"`
}

// Planned: the task list changed.
type Planned struct {
	Tasks []Task `json:"todo"`
}

// Task is one entry of the task list. Status is pending, in_progress, completed or cancelled.
type Task struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Status  string `json:"status"`
}

// NoteKind says what a Noted is about.
type NoteKind string

// Noted: something the user should know.
type Noted struct {
	Kind NoteKind `json:"kind"`
	Text string   `json:"text"`
}

// Child: a delegated agent told this.
type Child struct {
	Agent string `json:"agent"`
	Event Event  `json:"event"`
}

// Ended: the turn is over. Why is the exit_reason of CONTRACT 2.1.
type Ended struct {
	Why     Exit    `json:"why"`
	Outcome Outcome `json:"outcome"`
}

// Transient reports whether e is left out of the journal because a replay recreates it.
func Transient(e Event) bool {
	_, streamed := e.(Streamed)
	_, wrote := e.(CallWrote)
	compacted, _ := e.(Compacted)
	if child, ok := e.(Child); ok {
		return Transient(child.Event)
	}
	return streamed || wrote || compacted.Running
}

// Merge joins two neighbouring events into one of the same meaning, if it can: pieces of the same stream.
// Nothing else is merged, so nothing is dropped or reordered (law 7).
func Merge(a, b Event) (Event, bool) {
	if x, ok := a.(CallWrote); ok {
		if y, ok := b.(CallWrote); ok && x.CallID == y.CallID {
			return CallWrote{x.CallID, x.Text + y.Text}, true
		}
		return nil, false
	}
	x, ok1 := a.(Streamed)
	y, ok2 := b.(Streamed)
	if !ok1 || !ok2 {
		return nil, false
	}
	if p, ok := x.Delta.(TextDelta); ok {
		if q, ok := y.Delta.(TextDelta); ok {
			return Streamed{TextDelta{p.Text + q.Text}}, true
		}
	}
	if p, ok := x.Delta.(ThoughtDelta); ok && p.Signature == "" {
		if q, ok := y.Delta.(ThoughtDelta); ok {
			return Streamed{ThoughtDelta{p.Text + q.Text, q.Signature}}, true
		}
	}
	return mergeCalls(x.Delta, y.Delta)
}

func mergeCalls(a, b Delta) (Event, bool) {
	p, ok1 := a.(CallDelta)
	q, ok2 := b.(CallDelta)
	if !ok1 || !ok2 || p.Index != q.Index || q.ID != "" || q.Name != "" || q.Extra != nil {
		return nil, false
	}
	p.Args += q.Args
	return Streamed{p}, true
}

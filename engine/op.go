package engine

// Op is what the screen, or a script, asks of the engine: one of the types of this file, or Unknown.
type Op interface{ op() }

// Submit sends a message. During a turn it is queued. Attachments are paths.
type Submit struct {
	Text        string   `json:"text"`
	Attachments []string `json:"attachments,omitempty"`
}

// Steer gives the running turn a word: it goes in with the next tool results, or is the next message. An ID that names
// a waiting item replaces its text; an empty Text takes it back. Swap names another one that it changes places with, in
// one step: neither is changed when one of them does not wait any more. Outside a turn it is a Submit.
type Steer struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	Swap string `json:"swap,omitempty"`
}

// Queue keeps a message for the end of the turn. ID and Swap as in Steer. Outside a turn it is a Submit.
type Queue struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	Swap string `json:"swap,omitempty"`
}

// Interrupt stops the turn. Graceful lets running tools finish first (RULINGS 6).
type Interrupt struct {
	Graceful bool `json:"graceful,omitempty"`
}

// Continue repeats the request from the stored history, without a new user message.
type Continue struct{}

// Answer answers a question. Choice is a Choice.Value, several joined by a comma for a Multi question; Text is a
// free answer, a note, the reason of a denial, or a call as the user changed it. Rule is the Rung that was chosen, "" for the usual one.
type Answer struct {
	ID     string `json:"id"`
	Choice string `json:"choice,omitempty"`
	Text   string `json:"text,omitempty"`
	Rule   string `json:"rule,omitempty"`
}

// RetryNow ends a wait at once.
type RetryNow struct{}

// Compact summarises the history, with Focus in mind. From is the id of the user message that opened a turn: then this
// turn and all after it are summarised, and what came before stays word for word.
type Compact struct {
	Focus string `json:"focus,omitempty"`
	From  string `json:"from,omitempty"`
}

// Open changes to a session by id; "" starts a new one.
type Open struct {
	Session string `json:"session"`
}

// Switch changes the model. Model is [PROVIDER/]MODEL[:EFFORT]; Route, when set, wins (the connect screen).
type Switch struct {
	Model string `json:"model"`
	Route *Route `json:"route,omitempty"`
}

// Set changes the approval mode (ask, edit, plan or auto; "" leaves it), and what a turn may take: Budget in US dollars,
// also of the turn that runs, and Turns in rounds, from the next turn on. 0 takes the cap away, nil leaves it.
type Set struct {
	Mode   string   `json:"mode,omitempty"`
	Budget *float64 `json:"budget,omitempty"`
	Turns  *int     `json:"turns,omitempty"`
}

// Undo takes back the turns from Turn on. Turns count from 1; 0 and -1 are the last one, -2 the last two. What says of what: UndoChat, UndoFiles or "" for both.
// Where the user changed a file since, nothing is done before they chose: Edited is their choice, UndoAll or UndoMine,
// "" asks. Redo, instead, brings back what the last Undo took, until the next message is sent.
type Undo struct {
	Turn   int    `json:"turn"`
	What   string `json:"what,omitempty"`
	Edited string `json:"edited,omitempty"`
	Redo   bool   `json:"redo,omitempty"`
}

// The words of an Undo.
const (
	UndoChat  = "chat"
	UndoFiles = "files"
	UndoAll   = "all"  // also files that the user changed since
	UndoMine  = "mine" // all but those
)

package engine

import "context"

// QuestionKind says what kind of answer a question wants.
type QuestionKind string

// Approval asks whether a call may run. Clarify is the model's own question. Trust asks about a directory.
const (
	Approval QuestionKind = "approval"
	Clarify  QuestionKind = "clarify"
	Trust    QuestionKind = "trust"
)

// The choices of an approval. Once allows this call; Session the Rule until the program ends; Always the Rule in this project from now
// on; Edit takes the call as the answer's Text has it; Deny takes a reason.
// A trust question is answered with Yes or No.
const (
	ChoiceOnce    = "once"
	ChoiceSession = "session"
	ChoiceAlways  = "always"
	ChoiceEdit    = "edit"
	ChoiceDeny    = "deny"
	ChoiceSkip    = "skip"
	ChoiceYes     = "yes"
	ChoiceNo      = "no"
)

// Question is what the user is asked. For an approval: Title is the action ("Edit src/a.go"), Body the exact command,
// Diff a unified diff, Why the reason it asks, Rule what "this session" would allow, Danger the danger table's words,
// "" for an ordinary call. Rungs are the rules that may be remembered, narrowest first, and At the one that Rule is.
// Esc is the choice that Esc stands for, "" where it leaves the question for later.
// Tool is the name of a tool whose arguments, JSON, Body is; "" when Body is a command.
// Draft is what "edit first" edits, Timeout after how many seconds nobody's answer is a denial. Choice values are unique.
type Question struct {
	ID      string       `json:"id"`
	Kind    QuestionKind `json:"kind"`
	Title   string       `json:"title"`
	Body    string       `json:"body,omitempty"`
	Diff    string       `json:"diff,omitempty"`
	Why     string       `json:"why,omitempty"`
	Rule    string       `json:"rule,omitempty"`
	Danger  string       `json:"danger,omitempty"`
	CallID  string       `json:"call_id,omitempty"`
	Choices []Choice     `json:"choices,omitempty"`
	Multi   bool         `json:"multi,omitempty"`
	Esc     string       `json:"esc,omitempty"`
	Rungs   []Rung       `json:"rungs,omitempty"`
	At      int          `json:"at,omitempty"`
	Draft   string       `json:"draft,omitempty"`
	Tool    string       `json:"tool,omitempty"`
	Timeout int          `json:"timeout_seconds,omitempty"`
}

// Rung is one rule that may be remembered: its whole text, and the words for it in a choice.
type Rung struct {
	Rule  string `json:"rule"`
	Label string `json:"label"`
}

// Choice is one possible answer.
type Choice struct {
	Value       string `json:"value"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

// Ask puts a question to the user and blocks until it is answered or ctx ends. A nil Ask means there is nobody.
type Ask func(ctx context.Context, q Question) (Answer, error)

package past

import (
	"strings"

	"talaria/engine"
)

// What a call is answered with that the program's end cut off at a question. Such a call is known not to have run, or to
// have its answer already; any other cut call may have run in part, which is said when it is sent.
const (
	neverRan   = "this call never ran: the program ended while the user was being asked whether it may. Call it again if it is still needed; the user will be asked again."
	notDecided = "the user was asked and had not answered when the program ended. Ask again if the answer still matters."
	didAnswer  = "The user answered: "
)

// questions follows the questions about calls, each by its call, through the records of a session.
type questions struct {
	asked    map[string]engine.Question // by the call
	answered map[string]string          // what a clarifying question was answered, by the call
	began    map[string]bool            // calls that started to run
	calls    map[string]string          // call of a question, by the question
}

func newQuestions() questions {
	return questions{asked: map[string]engine.Question{}, answered: map[string]string{}, began: map[string]bool{}, calls: map[string]string{}}
}

// take notes what r says about a question.
func (q *questions) take(r engine.Record) {
	if a, ok := r.Op.(engine.Answer); ok {
		if call, ok := q.calls[a.ID]; ok && q.asked[call].Kind == engine.Clarify {
			q.answered[call] = strings.TrimSpace(q.words(call, a.Choice) + " " + a.Text)
		}
	}
	if e, ok := r.Event.(engine.Asked); ok && e.Question.CallID != "" {
		q.asked[e.Question.CallID] = e.Question
		q.calls[e.Question.ID] = e.Question.CallID
	}
	if e, ok := r.Event.(engine.CallBegan); ok {
		q.began[e.Call.ID] = true
	}
	if e, ok := r.Event.(engine.Withdrawn); ok && e.Choice == "" {
		if call := q.calls[e.ID]; q.answered[call] == "" {
			delete(q.asked, call) // dropped: the turn was stopped, and its calls are answered
		}
	}
}

// words are the labels of the choices that an answer names.
func (q *questions) words(call, choice string) string {
	var out []string
	for _, c := range q.asked[call].Choices {
		for value := range strings.SplitSeq(choice, ",") {
			if c.Value == value {
				out = append(out, c.Label)
			}
		}
	}
	return strings.Join(out, ", ")
}

// result is what c comes to when it has no result of its own; open is true while its question waits for the user.
func (q *questions) result(c engine.Call) (r engine.Result, open, ok bool) {
	asked, ok := q.asked[c.ID]
	r = engine.Result{CallID: c.ID, Name: c.Name, Status: engine.StatusStopped}
	switch {
	case !ok:
		return r, false, false
	case asked.Kind == engine.Clarify && q.answered[c.ID] != "":
		r.Text, r.Status = didAnswer+q.answered[c.ID], engine.StatusDone
		return r, false, true
	case asked.Kind == engine.Clarify:
		r.Text = notDecided
		return r, true, true
	case asked.Kind == engine.Approval && !q.began[c.ID]:
		r.Text = neverRan
		return r, true, true
	}
	return r, false, false
}

package journal

import "talaria/engine"

// Message is the message that the record added; ok is false for a record of another kind.
func (e Entry) Message() (m engine.Message, ok bool) {
	if e.Type() != "appended" {
		return m, false
	}
	a, ok := e.Record().Event.(engine.Appended)
	return a.Message, ok
}

package transcript

import (
	"testing"
	"time"

	"talaria/engine"
)

func TestAnOutageIsOneLineThatGoesOnByItself(t *testing.T) {
	s := newStage(t, 80, 20)
	gone := &engine.Error{Reason: engine.ReasonTimeout, Code: engine.CodeOffline, Message: "cannot connect"}
	s.on(turn(), user("hi"))
	for _, after := range []time.Duration{5 * time.Second, 10 * time.Second} {
		s.on(engine.Streamed{Delta: engine.Retry{Err: gone, Action: engine.ActionRetry, After: after}})
	}
	s.see("No network. The turn will go on by itself when it is back.", "Looking again in 10s", "Enter look now        d  details", "Esc   stop")
	s.missing("attempt", "Looking again in 5s")
	s.on(says("back"), fin(), assistant(engine.Text{Text: "back"}))
	s.missing("Looking again")
	s.see("back")
}

func TestARotationNamesWhereTheKeyComesFrom(t *testing.T) {
	s := newStage(t, 80, 20)
	s.on(turn(), user("hi"), engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonBilling, Status: 402}, Action: engine.ActionRotate, Try: 2, Of: 3, Key: "$WORK_KEY"}})
	s.see("no credit left (HTTP 402)", "Trying another key ($WORK_KEY)", "attempt 2 of 3")
}

package route

import (
	"fmt"
	"strings"
	"time"

	"talaria/engine"
)

// exhausted is the error after the last attempt; it says how many there were.
func exhausted(err *engine.Error, attempts int) *engine.Error {
	if attempts < 2 {
		return err
	}
	e := *err
	e.Message = fmt.Sprintf("%s (after %d attempts)", strings.TrimRight(e.Message, ". "), attempts)
	e.Err = err
	return &e
}

// tooLong is the error when the server asks for a longer wait than is made unasked. The hint says how long, so that the
// screen can offer the wait and a script can plan for it.
func tooLong(err *engine.Error) *engine.Error {
	e := *err
	e.Hint = fmt.Sprintf("the server asks to wait %s; try again after %s, or choose another model",
		spell(e.After), time.Now().Add(e.After).Format("15:04:05"))
	if err.Hint != "" {
		e.Hint += "; " + err.Hint
	}
	e.Err = err
	return &e
}

// cancelled is the error when the caller ended the request. It unwraps to the caller's cause.
func cancelled(cause error) *engine.Error {
	return &engine.Error{Reason: engine.ReasonUnknown, Message: "the request was stopped", Err: cause}
}

func silent(d time.Duration) *engine.Error {
	return &engine.Error{
		Reason:  engine.ReasonTimeout,
		Message: fmt.Sprintf("connected, no data for %d s", int(d.Seconds())),
		Hint:    "the server may be overloaded; for a slow model raise no_data_seconds",
		Err:     errSilent,
	}
}

// spell writes whole seconds as people say them: "43 s", "3 min", "1 h 5 min".
func spell(d time.Duration) string {
	s := int64((d + time.Second - 1) / time.Second)
	switch {
	case s <= 90:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min", (s+59)/60)
	case s%3600 < 60:
		return fmt.Sprintf("%d h", s/3600)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
}

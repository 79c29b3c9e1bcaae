package provider

import (
	"strings"

	"talaria/engine"
)

// StopOf is why a reply ended: labels maps what the servers of a mode call it, in lower case, and what is not in it is
// StopUnknown. The calls decide, not the label (S19), except that arguments which broke off mean the reply was cut short
// by its length even where a router says otherwise (BEHAVIOUR 4.8). cut is how many of the calls have such arguments.
func StopOf(labels map[string]engine.Stop, label string, calls, cut int) engine.Stop {
	stop, known := labels[strings.ToLower(strings.TrimSpace(label))]
	if !known {
		stop = engine.StopUnknown
	}
	switch stop {
	case engine.StopEnd, engine.StopCalls, engine.StopUnknown:
		switch {
		case cut > 0:
			return engine.StopLength
		case calls > 0:
			return engine.StopCalls
		case stop == engine.StopCalls:
			return engine.StopEnd
		}
	}
	return stop
}

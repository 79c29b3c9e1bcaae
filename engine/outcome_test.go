package engine

import "testing"

// The exit code tells a script whose fault it was (CONTRACT 2.1): what a provider did, whatever it is called, is never our
// own fault, and our own fault is never a provider's.
func TestEveryFailureHasTheExitCodeOfWhoFailed(t *testing.T) {
	failed := func(r Reason, code string, calls int) Outcome {
		return Outcome{Exit: ExitFailed, APICalls: calls, Err: &Error{Reason: r, Code: code}}
	}
	for r := range plans {
		want := 4
		if r == ReasonAuth || r == ReasonAuthPermanent {
			want = 3
		}
		if got := failed(r, "", 0).ExitCode(); got != want {
			t.Errorf("%s: %d, want %d", r, got, want)
		}
	}
	for name, c := range map[string]struct {
		o    Outcome
		want int
	}{
		"an unknown error of a provider":       {failed(ReasonUnknown, "418", 0), 4},
		"a fault of our own":                   {failed(ReasonUnknown, CodeInternal, 3), 1},
		"nobody there at the first request":    {failed(ReasonTimeout, CodeNoConnection, 0), 3},
		"nobody there any more":                {failed(ReasonTimeout, CodeNoConnection, 2), 4},
		"a reason that a later version has":    {failed("of_a_later_version", "", 0), 4},
		"failed without a reason":              {Outcome{Exit: ExitFailed}, 1},
		"blocked by a policy":                  {Outcome{Exit: ExitBlocked, Err: &Error{Reason: ReasonContentPolicy}}, 7},
		"an answer that stayed cut":            {Outcome{Exit: ExitTruncated, Err: &Error{Reason: ReasonFormatError}}, 1},
		"an exit that this version never made": {Outcome{Exit: "later"}, 1},
	} {
		if got := c.o.ExitCode(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

package ui

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/uitest"
)

func TestU17CtrlCWhileAToolRunsStopsTheTurnAndKeepsTheText(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Runs("1", "$ npm test"))
		s.Type("half a thought")
		s.Press("ctrl+c")
		if op[engine.Interrupt](t, s).Graceful {
			t.Error("Ctrl+C waits for the tool")
		}
		s.See("half a thought", "Stopping npm test now")
		s.Tell(uitest.Killed("1", "$ npm test", time.Second), uitest.Stopped())
		s.See("half a thought", "■ Stopped")
		if s.Left {
			t.Error("the program ended")
		}
	})
}

func TestU17SignalsFromOutside(t *testing.T) {
	story(t, func(t *testing.T) { // (b) SIGINT once, 1.5 s later again: nothing but stops
		s := working(t, 80, 24)
		s.Send(interruptMsg{})
		op[engine.Interrupt](t, s)
		s.Tell(uitest.Stopped())
		s.Pass(1500 * time.Millisecond)
		s.Send(interruptMsg{})
		s.none(t)
		if s.Left {
			t.Error("an outside SIGINT ended the program")
		}
	})
	story(t, func(t *testing.T) { // (e) SIGTERM once: a clean end at once, the draft kept
		s := working(t, 80, 24)
		s.Type("half a thought")
		s.Send(endMsg{143})
		if !s.Left || s.m.leaving.code != 143 || s.draft(thisSession) != "half a thought" {
			t.Errorf("left %v with code %d, draft %q", s.Left, s.m.leaving.code, s.draft(thisSession))
		}
	})
}

func TestU17CtrlCTwiceWithinASecondQuitsWithTheDraftKept(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Type("half a thought")
		s.Press("ctrl+c", "ctrl+c")
		if !s.Left || s.m.leaving.code != 130 || s.draft(thisSession) != "half a thought" {
			t.Errorf("left %v with code %d, draft %q", s.Left, s.m.leaving.code, s.draft(thisSession))
		}
	})
}

func TestU17EscWhileReasoningStreamsStops(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Thinks("Hm."))
		s.Type("text")
		s.Hit("esc")
		if !op[engine.Interrupt](t, s).Graceful {
			t.Error("one Esc stops tools at once")
		}
		s.See("Stopping", "text")
	})
}

// Law 6: what the engine does about it may take longer; that the key was understood is on the next frame.
func TestAStopIsAcknowledgedInTheSameFrame(t *testing.T) {
	story(t, func(t *testing.T) {
		for _, key := range []string{"esc", "ctrl+c"} {
			s := working(t, 80, 24)
			s.Tell(uitest.Says("A long answer"))
			s.Hit(key)
			s.See("Stopping")
		}
	})
}

func TestGradedStopNamesWhatTheNextPressDoes(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Runs("1", "$ npm test"))
		s.Press("esc")
		if !op[engine.Interrupt](t, s).Graceful {
			t.Error("the first Esc does not wait")
		}
		s.See("Stopping after npm test. Esc again: now")
		s.Tell(engine.Noted{Kind: engine.NoteStopping, Text: "Stopping after the running tool."})
		s.See("Stopping after npm test. Esc again: now")
		s.Press("esc")
		if op[engine.Interrupt](t, s).Graceful {
			t.Error("the second Esc waits")
		}
		s.See("Stopping npm test now")
		s.NotSee("Esc again")
	})
	story(t, func(t *testing.T) {
		s := working(t, 40, 15)
		s.Tell(uitest.Runs("1", "$ npm test"), uitest.Runs("2", "$ npm run lint"))
		s.Press("esc")
		s.See("Stopping · Esc: now")
	})
	story(t, func(t *testing.T) { // ui.esc: now
		s := working(t, 80, 24, func(s *setting) { s.Options.EscNow = true })
		s.Tell(uitest.Runs("1", "$ npm test"))
		s.Press("esc")
		if op[engine.Interrupt](t, s).Graceful {
			t.Error("ui.esc: now waits")
		}
	})
}

func TestFourCtrlCEndTheProgramWhateverIsOpen(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Asked{Question: editQuestion("q1")})
		s.Press("f1")
		s.Press("esc") // the help goes, the question stays
		for range 4 {
			s.m.press.stopped = time.Time{} // as if the presses were slower than a double press
			s.Press("ctrl+c")
		}
		if !s.Left {
			t.Error("four Ctrl+C do not end the program")
		}
	})
}

func TestCtrlCGoesFromTextToQuit(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("a draft")
		s.Press("ctrl+c")
		s.NotSee("a draft")
		s.Press("ctrl+c")
		s.See("Ctrl+C again to quit")
		s.Pass(3 * time.Second)
		s.NotSee("again to quit")
		s.Press("ctrl+c")
		s.Type("x")
		s.NotSee("again to quit")
		s.Press("backspace", "up")
		s.See("a draft")
		s.Press("ctrl+c", "ctrl+c", "ctrl+c")
		if !s.Left || s.m.leaving.code != 0 {
			t.Errorf("left %v with code %d", s.Left, s.m.leaving.code)
		}
	})
}

func TestEscDecidesInOrder(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Runs("1", "$ npm test"))
		s.Type("/mo")
		s.Press("f1")
		s.See("Help")
		s.Press("esc") // the overlay
		s.NotSee("─ Help")
		s.none(t)
		s.Type("d") // opens the menu again
		s.See("/model")
		s.Press("esc") // the popup
		s.NotSee("choose the model")
		s.none(t)
		s.Press("esc") // the turn
		op[engine.Interrupt](t, s)
		s.Tell(uitest.Killed("1", "$ npm test", time.Second), uitest.Stopped())
		s.See("/mod") // a press that stopped something is not the first of a double press
		s.Press("esc")
		s.See("/mod", "Esc again: clear the prompt")
		s.Pass(time.Second)
		s.NotSee("Esc again")
		s.Press("esc")
		s.See("/mod")
		s.Press("esc")
		s.NotSee("/mod")
		s.none(t)
	})
}

func TestLeavingWhileTheAgentWorksAsks(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Press("ctrl+d")
		s.See("The agent is still working.  s stop and quit · Esc stay")
		s.Press("x", "esc")
		s.NotSee("still working")
		s.none(t)
		s.Press("ctrl+d")
		s.Tell(uitest.Finished())
		s.NotSee("still working")
		if s.Left {
			t.Error("the program ended by itself")
		}
		s.Tell(engine.Began{Turn: 2, Route: sonnet})
		s.Press("ctrl+d", "s")
		op[engine.Interrupt](t, s)
		if !s.Left || s.m.leaving.code != 130 {
			t.Errorf("left %v with code %d", s.Left, s.m.leaving.code)
		}
	})
	story(t, func(t *testing.T) {
		s := working(t, 40, 15)
		s.Press("ctrl+d")
		s.See("s stop+quit", "ask")
	})
}

func TestStoppedSaysWhatWasKeptAndEnterContinues(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Says("Half an ans"))
		s.Pass(52 * time.Second)
		s.Tell(uitest.Cut("Half an ans"), uitest.Stopped())
		s.See("■ Stopped · after 0:52 · partial answer kept", "Half an ans", "Enter continues")
		s.Press("enter")
		op[engine.Continue](t, s)
	})
	story(t, func(t *testing.T) { // what was kept as it came, and then came whole, is not partial
		s := working(t, 80, 24)
		s.Tell(uitest.Cut("An answer"), engine.Appended{Message: engine.Message{ID: "mAn answer", Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: "An answer, whole."}}}}, uitest.Stopped())
		s.See("■ Stopped")
		s.NotSee("partial answer kept")
	})
}

func TestRetryWaitCountsAndEnterEndsIt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "overloaded"}, Try: 2, Of: 5, After: 8 * time.Second}})
		s.Pass(3 * time.Second)
		s.See("Retrying in 0:0", "overloaded")
		s.Press("enter")
		op[engine.RetryNow](t, s)
		s.Pass(8 * time.Second)
		s.See("Waiting for sonnet-4.5")
		s.NotSee("Retrying in")
	})
}

// Frame 11: what the server said is opened and closed.
func TestAWaitTellsWhatTheServerSaid(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "Overloaded\x1b[2J, request req_8f2c", Hint: "See the status page.", After: 8 * time.Second},
			Provider: "anthropic", Model: "sonnet-4.5", Try: 2, Of: 5, After: 8 * time.Second}})
		s.See("d  details: what the server said")
		s.NotSee("req_8f2c")
		s.Press("d")
		s.See("anthropic/sonnet-4.5 · HTTP 529 · overloaded · asked to wait", "Overloaded, request req_8f2c", "See the status page.", "d  less")
		s.Resize(40, 15)
		s.See("req_8f2c")
		s.Resize(80, 24)
		s.Press("d")
		s.NotSee("req_8f2c")
		s.Type("ad") // with words in the prompt it is a letter
		s.See("❯ ad")
		s.NotSee("req_8f2c")
		s.Tell(uitest.Says("An answer"))
		s.Press("backspace", "backspace", "d")
		s.See("❯ d")
	})
}

// Frame 11: a wait is left by another model too, for the same message.
func TestAWaitIsEndedByAnotherModel(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "overloaded"}, Try: 2, Of: 5, After: 8 * time.Second}})
		s.See("Enter retry now", "m  another model", "Esc   stop")
		s.Press("m")
		s.See("Esc back")
		s.Type("acme/other")
		s.Press("enter")
		want := []engine.Op{engine.Interrupt{}, engine.Switch{Model: "acme/other"}, engine.Continue{}}
		if got := s.ops(); !reflect.DeepEqual(got, want) {
			t.Errorf("the engine was asked %#v, want %#v", got, want)
		}
	})
	story(t, func(t *testing.T) { // with words in the prompt, and while nothing waits, it is a letter
		s := working(t, 80, 24)
		s.Type("hm")
		s.See("❯ hm")
		s.NotSee("Esc back")
	})
}

// UX 4.8: a key that the server refused is called refused; one that was never there is called missing. The message is kept.
func TestARefusedKeyIsCalledRefused(t *testing.T) {
	for _, c := range []struct {
		err       *engine.Error
		see, hide string
	}{
		{&engine.Error{Reason: engine.ReasonAuth, Status: 401, Message: "Incorrect API key provided: [key]"}, "The key was not accepted (401): Incorrect API key", "No key for"},
		{&engine.Error{Reason: engine.ReasonAuthPermanent, Status: 403, Message: "This organization has been disabled."}, "The key was not accepted (403)", "No key for"},
		{&engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey, Message: "no key for acme is set"}, "no key for acme is set", "not accepted"},
	} {
		story(t, func(t *testing.T) {
			s := working(t, 120, 36)
			s.Tell(engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{Exit: engine.ExitFailed, Err: c.err}})
			s.See(c.see)
			s.NotSee(c.hide)
		})
	}
}

// Law 14: with nothing at work there is no timer, no message and no repaint.
func TestIdleMeansIdle(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Type("text")
		s.Tell(uitest.Reply("Done."), uitest.Finished())
		s.Press("ctrl+x", "esc", "esc", "ctrl+c", "ctrl+c")
		s.Pass(5 * time.Second) // hints and the draft run out
		before := s.Updates
		s.Pass(time.Hour)
		if n := s.Updates - before; n != 0 {
			t.Errorf("%d messages in an idle hour", n)
		}
	})
}

func TestOneTickASecondHoweverOftenWorkBegins(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		for i := range 10 {
			s.Tell(engine.Began{Turn: i + 1, Route: sonnet}, uitest.Finished())
			s.Press("esc")
			s.Pass(200 * time.Millisecond)
		}
		s.Tell(engine.Began{Turn: 11, Route: sonnet})
		s.Pass(5 * time.Second)
		before := s.Updates
		s.Pass(60 * time.Second)
		if n := s.Updates - before; n < 59 || n > 61 {
			t.Errorf("%d messages in a minute of one running clock", n)
		}
	})
}

func TestCtrlZAndCtrlLAreTheTerminals(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Press("ctrl+z", "ctrl+l")
		if len(s.Raw) < 1 {
			t.Error("Ctrl+L and Ctrl+Z do nothing")
		}
		s.Send(tea.ResumeMsg{})
		s.See("Ready")
	})
}

func TestLeaderHintsComeAfterAMoment(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Reply("Done."), uitest.Finished())
		s.Hit("ctrl+x")
		s.See("Ctrl+X …", "Esc cancel")
		s.NotSee("Copy last answer")
		s.Pass(390 * time.Millisecond)
		s.NotSee("Copy last answer")
		s.Pass(20 * time.Millisecond)
		s.See("y Copy last answer", "Done.")
		s.Press("esc")
		s.NotSee("Copy last answer", "Ctrl+X …")
		s.Hit("ctrl+x")
		s.Hit("y")
		s.Pass(time.Second)
		s.NotSee("Open question")
		if !strings.Contains(s.Text(), "OSC 52") {
			t.Errorf("the pair did nothing:\n%s", s.Text())
		}
	})
}

// retryFrame is a wait before a request is made again, some seconds on.
func retryFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := working(t, w, h, change...)
	s.Tell(uitest.Cost(76_000, 200_000, 0.21), engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded, Status: 529, Message: "Overloaded, request req_8f2c", After: 20 * time.Second},
		Provider: "anthropic", Model: "sonnet-4.5", Try: 3, Of: 3, After: 20 * time.Second}})
	s.Pass(8500 * time.Millisecond) // between two ticks
	return s
}

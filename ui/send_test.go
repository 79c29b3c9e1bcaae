package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/uitest"
)

func TestU03APasteNeverSubmits(t *testing.T) {
	for _, text := range []string{"line1\nline2", "line1\rline2", "line1\r\nline2\r\n"} {
		story(t, func(t *testing.T) {
			s := open(t, 80, 24)
			s.Paste(text)
			s.Pass(time.Second)
			s.none(t)
			s.See("line1", "line2")
		})
	}
	story(t, func(t *testing.T) { // (d) no brackets: keys without a pause
		s := open(t, 80, 24)
		for _, r := range "line1\rline2\r" {
			if r == '\r' {
				s.Hit("enter")
				continue
			}
			s.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		s.Pass(time.Second)
		s.none(t)
		s.See("line1", "line2")
		s.Press("enter")
		if got := op[engine.Submit](t, s).Text; got != "line1\nline2" {
			t.Errorf("sent %q", got)
		}
	})
}

func TestAPastedCommandIsAMessage(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Paste("/quit")
		s.NotSee("leave; the session is kept")
		s.Press("enter")
		if got := op[engine.Submit](t, s).Text; got != "/quit" || s.Left {
			t.Errorf("sent %q, left %v", got, s.Left)
		}
	})
	story(t, func(t *testing.T) { // without brackets, through the open menu
		s := open(t, 80, 24)
		for _, r := range "/quit" {
			s.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		s.Hit("enter")
		s.Send(tea.KeyPressMsg{Code: 'x', Text: "x"})
		s.Pass(time.Second)
		if s.Left {
			t.Error("a pasted line ran /quit")
		}
	})
}

func TestSlashMenuAndTypos(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/mod")
		s.See("choose the model", "ask, edit, plan or auto")
		s.Press("down", "enter")
		s.See("The mode is ask.")
		s.Type("/modle")
		s.Press("enter")
		s.See("No command /modle. Did you mean /model?", "❯ /modle")
		s.none(t)
		s.Press("ctrl+c")
		s.Type("/mode plan\n")
		if got := op[engine.Set](t, s).Mode; got != "plan" {
			t.Errorf("the mode %q was asked for", got)
		}
		s.Tell(engine.Noted{Kind: engine.NoteMode, Text: "plan"})
		s.See("plan │")
		s.Type("/home/kim/x is what?\n")
		op[engine.Submit](t, s)
	})
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Type("/new\n")
		s.none(t)
		s.See("/new: not while the agent works")
	})
}

func TestQuestionMarkIsTextInsideAPrompt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("why?")
		s.See("❯ why?")
		s.NotSee("─ Help")
		s.Press("ctrl+c")
		s.Press("?")
		s.See("─ Help")
	})
}

func TestEnterSteersTabQueuesUpTakesBack(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Runs("1", "$ npm test"))
		s.Type("skip e2e\n")
		if got := op[engine.Steer](t, s); got.Text != "skip e2e" || got.ID != "" {
			t.Errorf("steered %+v", got)
		}
		s.Tell(engine.Steered{Waiting: []engine.Waiting{{ID: "w1", Text: "skip e2e"}}})
		s.See(`↳ Steering   "skip e2e"`, "after npm test")
		s.Type("then the notes")
		s.Press("tab")
		if got := op[engine.Queue](t, s).Text; got != "then the notes" {
			t.Errorf("queued %q", got)
		}
		s.Tell(engine.Queued{Waiting: []engine.Waiting{{ID: "w2", Text: "then the notes"}}})
		s.See(`⋯ Queued 1   "then the notes"`)
		s.Press("up")
		if got := op[engine.Queue](t, s); got.ID != "w2" || got.Text != "" {
			t.Errorf("took back %+v", got)
		}
		s.Tell(engine.Queued{})
		s.See("❯ then the notes")
		s.NotSee("Queued 1")
		s.Press("ctrl+c") // stops
		s.Tell(uitest.Killed("1", "$ npm test", time.Second), uitest.Stopped(), engine.Steered{Waiting: []engine.Waiting{{ID: "w1", Text: "skip e2e"}}, Paused: true})
		s.See("paused")
	})
}

func TestCtrlEnterStopsAndSendsWhenTheTurnHasEnded(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Type("do this instead")
		s.Press("ctrl+enter")
		if op[engine.Interrupt](t, s).Graceful {
			t.Error("it waits for tools")
		}
		s.See(`"do this instead"`, "when the turn has stopped")
		if got := s.draft(thisSession); got != "do this instead" {
			t.Errorf("the draft is %q while the message waits", got)
		}
		s.Tell(uitest.Stopped())
		if got := op[engine.Submit](t, s).Text; got != "do this instead" {
			t.Errorf("sent %q", got)
		}
		s.NotSee("when the turn has stopped")
	})
}

func TestAMessageWithoutAConnectionIsKeptAndSentWhenConnected(t *testing.T) {
	ready := func(s *setting) {
		s.conn.Ready = []engine.Connection{{Name: "Anthropic", Route: sonnet, Found: "$ANTHROPIC_API_KEY is set", Ready: true}}
	}
	nobody := engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir}}
	story(t, func(t *testing.T) { // typed while the connect screen is open; Enter means both
		s := start(t, 80, 24, ready)
		s.Tell(nobody)
		s.See("Choose how to connect", "no model yet")
		s.Pass(time.Second)
		s.Type("fix 1 flaky test, please\n")
		sent(t, s, "fix 1 flaky test, please")
	})
	story(t, func(t *testing.T) { // looked around first
		s := start(t, 80, 24, ready)
		s.Tell(nobody)
		s.Pass(time.Second)
		s.Press("esc")
		s.NotSee("Choose how to connect")
		s.Type("fix it\n")
		s.See("Choose how to connect", `Kept       "fix it"`)
		s.Pass(time.Second)
		s.Press("esc")
		s.Type("and that\n")
		s.Pass(time.Second)
		s.Press("1")
		sent(t, s, "fix it\n\nand that")
	})
	story(t, func(t *testing.T) { // a prompt on the command line
		s := start(t, 80, 24, ready, func(s *setting) { s.Options.First = "from the shell" })
		s.Tell(nobody)
		s.See(`"from the shell"`, "Choose how to connect")
		s.Pass(time.Second)
		s.Press("enter")
		sent(t, s, "from the shell")
	})
}

func sent(t *testing.T, s *stage, text string) {
	t.Helper()
	s.Pass(time.Second)
	var got []string
	for _, o := range s.ops() {
		if sub, ok := o.(engine.Submit); ok {
			got = append(got, sub.Text)
		}
	}
	if len(got) != 1 || got[0] != text {
		t.Errorf("sent %q, want %q:\n%s", got, text, s.Text())
	}
	s.NotSee("Choose how to connect", "Kept  ")
}

func TestTheDraftIsSavedAndComesBack(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("half")
		if got := s.draft(""); got != "" {
			t.Errorf("saved %q at once", got)
		}
		s.Pass(500 * time.Millisecond)
		if got := s.draft(""); got != "half" {
			t.Errorf("saved %q half a second after the change", got)
		}
		s.Type(" a thought")
		s.Pass(500 * time.Millisecond)
		again := start(t, 80, 24, func(n *setting) { n.lib = s.lib })
		again.Tell(engine.Opened{Session: engine.Session{ID: "other", Dir: workDir, Route: sonnet}})
		again.See("❯ half a thought")
	})
}

func TestAPromptOfTheCommandLineDoesNotOverwriteTheDraftThatWasLeft(t *testing.T) {
	story(t, func(t *testing.T) {
		s := start(t, 80, 24, func(s *setting) {
			s.Options.First = "from the shell"
			if err := s.lib.SaveDraft(t.Context(), workDir, "", "half a thought"); err != nil {
				t.Fatal(err)
			}
		})
		s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir, Route: sonnet}})
		s.Pass(time.Second)
		sent(t, s, "from the shell")
		s.See("❯ half a thought")
	})
}

func TestAKeyPastedOverTheConnectScreenNeverStandsInThePrompt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := start(t, 80, 24)
		s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir}})
		s.Pass(time.Second)
		s.Paste("sk-ant-" + strings.Repeat("q7", 20))
		s.NotSee("q7q7")
		s.See("The key is never shown")
	})
}

func TestADraftIsRemovedOnlyWhenItsMessageIsStored(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("fix it")
		s.Pass(time.Second)
		s.Press("enter")
		s.Pass(2 * time.Second)
		s.Type("x")
		s.Pass(time.Second)
		if got := s.draft(""); got != "fix it\n\nx" {
			t.Errorf("the draft is %q before the message is stored", got)
		}
		s.Tell(engine.Began{Turn: 1, Route: sonnet}, uitest.User("fix it"))
		if a, b := s.draft(""), s.draft(thisSession); a != "" || b != "x" {
			t.Errorf("drafts %q and %q after it is stored", a, b)
		}
		s.Press("backspace")
		s.Type("steer\n")
		if got := s.draft(thisSession); got != "x" && got != "steer" {
			t.Errorf("the draft is %q before the steer is stored", got)
		}
		s.Tell(engine.Steered{Waiting: []engine.Waiting{{ID: "w", Text: "steer"}}})
		if got := s.draft(thisSession); got != "" {
			t.Errorf("the draft is %q when the steer waits in the engine", got)
		}
	})
}

func TestADraftThatCannotBeSavedIsToldOnce(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.lib.Fail(errors.New("disk full"))
		s.Type("text")
		s.Pass(time.Second)
		s.See("The draft could not be saved: disk full")
		before := s.Text()
		s.Type("x")
		s.Press("backspace")
		s.Pass(time.Second)
		if s.Text() != before {
			t.Errorf("told again:\n%s", s.Text())
		}
	})
}

func TestU15RepliesOfTheTerminalAreNotTyped(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		for _, msg := range []tea.Msg{tea.BackgroundColorMsg{}, tea.ForegroundColorMsg{}, tea.CursorPositionMsg{X: 1, Y: 50}, tea.FocusMsg{}, tea.BlurMsg{},
			tea.MouseClickMsg{}, tea.MouseReleaseMsg{}, tea.KeyReleaseMsg{Code: 'x', Text: "x"}, tea.PasteStartMsg{}, tea.PasteEndMsg{}} {
			s.Send(msg)
		}
		if got := s.m.Prompt.Value(); got != "" {
			t.Errorf("the prompt holds %q", got)
		}
	})
}

// unknown is how the toolkit gives a sequence that it gave up on.
type unknown string

func TestU15TheLateRestOfASequenceIsNotTyped(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		for start, rest := range map[string][]string{"\x1b[<64;10;": {"5", "M"}, "\x1b]11;rgb:1e1e/1e": {"1", "e", "/", "1", "e", "ctrl+g"}, "\x1b[?61;4": {"2", ";", "c"}} {
			s.Send(unknown(start))
			s.Pass(60 * time.Millisecond)
			for _, k := range rest {
				s.Hit(k)
			}
			if got := s.m.Prompt.Value(); got != "" {
				t.Errorf("%q was typed after %q", got, start)
			}
		}
		s.Send(unknown("\x1b[<64;10;"))
		s.Type("words") // no rest: all of it is typed
		s.Send(unknown("\x1b[<64;10;5M"))
		s.Type("5")
		s.Pass(time.Second)
		if got := s.m.Prompt.Value(); got != "words5" {
			t.Errorf("typed %q", got)
		}
	})
}

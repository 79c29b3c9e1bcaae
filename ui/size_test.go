package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/engine/soak"
	"talaria/ui/uitest"
)

// U07: the driver draws after every message and holds the frame to the window.
func TestU07TinyWindowsWithADialogAndAStream(t *testing.T) {
	dialogs := map[string]func(s *stage){
		"none":     func(*stage) {},
		"approval": func(s *stage) { s.Tell(engine.Asked{Question: editQuestion("q1")}) },
		"question": func(s *stage) { s.Tell(engine.Asked{Question: storeQuestion("q1")}) },
		"connect":  func(s *stage) { s.m.models.Connect() },
		"help":     func(s *stage) { s.Press("f1") },
		"sessions": func(s *stage) { s.Press("ctrl+x", "s") },
		"models":   func(s *stage) { s.m.models.Open() },
		"leader":   func(s *stage) { s.Press("ctrl+x"); s.Pass(time.Second) },
		"trust": func(s *stage) {
			s.Tell(engine.Asked{Question: engine.Question{ID: "q", Kind: engine.Trust, Title: "Trust this directory?", Body: "AGENTS.md"}})
		},
	}
	for name, show := range dialogs {
		t.Run(name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				s := working(t, 80, 24)
				s.Type("한글😀")
				s.Tell(uitest.Says("The answer 中文 is"), engine.Steered{Waiting: []engine.Waiting{{ID: "w", Text: "한글"}}})
				show(s)
				for _, size := range [][2]int{{0, 0}, {1, 1}, {2, 2}, {7, 3}, {10, 4}, {35, 8}, {36, 7}, {36, 8}, {37, 9}, {59, 11}, {60, 12}, {64, 19}, {200, 50}} {
					s.Resize(size[0], size[1])
					s.Tell(uitest.Says(" more"), engine.Noted{Kind: engine.NoteDegraded, Text: "disk full"})
					s.Send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
				}
				for range 8 {
					s.Press("esc")
				}
				s.See("한글😀", "The answer 中文 is more", "fix auth tests")
			})
		})
	}
}

func TestTooSmallSaysSoAndComesBack(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Says("An answer"))
		before := s.Text()
		s.Resize(20, 6)
		s.See("Too small (needs", "36x8)", "keeps working.")
		s.Resize(80, 24)
		if s.Text() != before {
			t.Errorf("the screen after\n%s\nis not the one before\n%s", s.Text(), before)
		}
	})
}

// Every day each eighth window, for each frame others; in a soak all.
func TestResizeOfEveryFrameKeepsToTheWindow(t *testing.T) {
	var windows [][2]int
	for w := 30; w <= 130; w += 7 {
		for h := 6; h <= 40; h += 5 {
			windows = append(windows, [2]int{w, h})
		}
	}
	for i, f := range frames {
		t.Run(f.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				s := f.tell(t, 80, 24)
				for _, size := range soak.Every(windows, 8, i) {
					s.Resize(size[0], size[1])
				}
			})
		})
	}
}

// Any keys, pastes, events and sizes: no panic, and no frame that does not fit.
func TestAnyKeysAndSizes(t *testing.T) {
	keys := []string{"enter", "esc", "tab", "shift+tab", "up", "down", "ctrl+x", "s", "m", "n", "h", "/", "?", "y", "1", "ctrl+o", "pgup", "pgdown", "ctrl+home", "ctrl+end",
		"backspace", "ctrl+d", "x", "ctrl+enter", "f1", "ctrl+u"}
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.IntRange(0, 1<<16), 10, 60).Draw(rt, "steps")
		story(t, func(t *testing.T) {
			s := working(t, 80, 24, withPast)
			for i, n := range steps {
				if s.Left {
					return
				}
				switch n % 8 {
				case 0:
					s.Resize(n/8%140, n/8%45)
				case 1:
					s.Tell(uitest.Says(strings.Repeat("word ", n/8%40)))
				case 2:
					s.Tell([]any{engine.Asked{Question: editQuestion(fmt.Sprint("q", i))}, engine.Asked{Question: storeQuestion(fmt.Sprint("q", i))}, uitest.Stopped(),
						engine.Began{Turn: i, Route: sonnet}, uitest.Runs(fmt.Sprint(i), "$ a command"), uitest.Finished()}[n/8%6])
				case 3:
					s.Paste("pasted\ntext 中文")
				default:
					s.Press(keys[n/8%len(keys)])
				}
			}
		})
	})
}

func TestU12TheReadersPlaceHoldsWhileItStreams(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		for i := range 100 {
			s.Engine.Tell(uitest.User(fmt.Sprintf("message %d", i)))
			s.Engine.Tell(uitest.Reply(fmt.Sprintf("answer %d", i))...)
		}
		s.Pass(time.Second)
		for range 20 {
			s.Press("shift+up")
		}
		top := strings.Split(s.Text(), "\n")[1]
		if !strings.Contains(top, "message") && !strings.Contains(top, "answer") {
			top = strings.Split(s.Text(), "\n")[2]
		}
		for range 50 {
			s.Tell(uitest.Says("more and more text of an answer. "))
		}
		s.See(top, "new line")
		s.Tell(uitest.Runs("1", "$ npm test"), uitest.Prints("1", strings.Repeat("line\n", 30)), engine.Asked{Question: editQuestion("q1")})
		s.Tell(engine.Withdrawn{ID: "q1"})
		s.See(top)
		s.Resize(70, 30)
		s.See(top)
		s.Press("ctrl+end")
		s.NotSee("Ctrl+End")
		s.See("$ npm test")
	})
}

func TestModeCyclesAndAutoIsAlwaysVisible(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		for _, want := range []string{"edit", "plan", "ask"} {
			s.Press("shift+tab")
			if got := op[engine.Set](t, s).Mode; got != want {
				t.Errorf("the mode %q was asked for, want %q", got, want)
			}
			s.Tell(engine.Noted{Kind: engine.NoteMode, Text: want})
			s.See(want + " │ ctx")
		}
		s.Tell(engine.Noted{Kind: engine.NoteMode, Text: "auto"}, uitest.Runs("1", "$ a very long command that goes on and on and on and on and on and on"))
		for _, size := range sizes {
			s.Resize(size[0], size[1])
			s.See("AUTO")
		}
		s.Resize(36, 8)
		s.See("AUTO")
		s.Press("ctrl+d")
		s.See("AUTO")
		s.Press("esc", "shift+tab")
		if got := op[engine.Set](t, s).Mode; got != "ask" {
			t.Errorf("from auto to %q", got)
		}
	})
}

func TestACostThatIsNotKnownIsNeverZero(t *testing.T) {
	for want, e := range map[string]engine.Event{"│      ? │": uitest.Cost(100, 200_000, -1), "│ <$0.01 │": uitest.Cost(100, 200_000, 0.0004), "│  $1.25 │": uitest.Cost(100, 200_000, 1.25)} {
		story(t, func(t *testing.T) {
			s := working(t, 80, 24)
			s.See("│      – │")
			s.Tell(e)
			s.See(want)
			s.NotSee("$0.00")
		})
	}
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		local := engine.Route{Provider: "ollama", Model: "qwen3", BaseURL: "http://127.0.0.1:11434/v1"}
		s.Tell(engine.Began{Turn: 1, Route: local}, uitest.Cost(100, 0, -1))
		s.See("│  local │", "ctx    100")
	})
}

func TestAFullWindowWarns(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(uitest.Cost(158_000, 200_000, 1))
		s.See("ctx 79%")
		s.Tell(uitest.Cost(160_000, 200_000, 1))
		s.See("ctx▲80%")
	})
}

func TestTheBannerStandsWhileSavingFails(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		s.Tell(engine.Noted{Kind: engine.NoteDegraded, Text: "Saving fails: disk full. The session goes on in memory."})
		s.Tell(uitest.Reply(strings.Repeat("a long answer\n\n", 40)))
		s.See("▲ Saving fails: disk full.")
		s.Resize(40, 15)
		s.See("▲ Saving fails: disk full.")
		s.Resize(80, 24)
		s.Tell(engine.Noted{Kind: engine.NoteSaved, Text: "Saving works again."})
		if strings.Contains(strings.Join(strings.Split(s.Text(), "\n")[19:], "\n"), "▲ Saving fails") {
			t.Errorf("the banner stays:\n%s", s.Text())
		}
	})
}

func TestAnotherSessionStartsClean(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24, withPast)
		s.Tell(uitest.Cost(76_000, 200_000, 0.21), uitest.Reply("An old answer."), uitest.Stopped(), engine.Queued{Waiting: []engine.Waiting{{ID: "w", Text: "old queue"}}, Paused: true},
			engine.Noted{Kind: engine.NoteDegraded, Text: "disk full"})
		s.Type("old draft")
		s.Press("ctrl+x", "s")
		s.See("Sessions", "upgrade eslint")
		s.Press("down", "enter")
		if got := op[engine.Open](t, s).Session; got != "20000101_000000_000002" {
			t.Errorf("opened %q", got)
		}
		if got := s.draft(thisSession); got != "old draft" {
			t.Errorf("the old draft is %q", got)
		}
		s.Tell(engine.Opened{Session: engine.Session{ID: "20000101_000000_000002", Title: "upgrade eslint to 10", Dir: workDir, Route: sonnet}, Resumed: true,
			Past: []engine.Record{{Event: uitest.User("Upgrade eslint.")}, {Event: uitest.Reply("Upgraded.")[2]}}})
		s.See("upgrade eslint to 10", "❯ Upgrade eslint.", "Ready", "ctx  0%")
		s.NotSee("old draft", "old queue", "An old answer", "disk full", "Stopped", "$0.21")
		s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Title: "fix auth tests", Dir: workDir, Route: sonnet}, Resumed: true})
		s.See("❯ old draft")
	})
}

func TestTheAgentWorksInOneSessionAtATime(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24, withPast)
		s.Press("ctrl+x", "s", "enter")
		s.none(t)
		s.See("The agent is still working here.")
		s.Press("ctrl+x", "n")
		s.none(t)
		s.See("New session: not while the agent works.")
	})
}

func TestRecentSessionsOpenByNumberOnlyWhereTheyAreListed(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withPast)
		s.Press("ctrl+x", "2")
		if got := op[engine.Open](t, s).Session; got != "20000101_000000_000002" {
			t.Errorf("opened %q", got)
		}
	})
	story(t, func(t *testing.T) {
		s := working(t, 80, 24, withPast)
		s.Tell(uitest.Finished())
		s.Press("ctrl+x", "2")
		s.none(t)
	})
}

func TestAModelThatWasChangedIsNamedAtOnce(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/model openai/gpt-5\n")
		if got := op[engine.Switch](t, s).Model; got != "openai/gpt-5" {
			t.Errorf("switched to %q", got)
		}
		s.Tell(engine.Noted{Kind: engine.NoteModel, Text: "openai/gpt-5"})
		s.See("gpt-5 · high")
	})
}

func TestARejectedKeyOpensTheConnectScreen(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		err := &engine.Error{Reason: engine.ReasonAuth, Status: 401, Message: "invalid key"}
		s.Tell(engine.Ended{Why: engine.ExitFailed, Outcome: engine.Outcome{Exit: engine.ExitFailed, Err: err}})
		s.See("Choose how to connect")
		s.Press("esc")
		s.See("✗ Failed", "401")
	})
}

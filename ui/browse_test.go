package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// talked is a session with a few turns; the answers have Markdown, code and a wide line.
func talked(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, change...)
	s.Tell(engine.Began{Turn: 1, Route: sonnet}, uitest.User("Where does the refresh start?"),
		uitest.Runs("1", "Read src/auth/refresh.ts"), uitest.Done("1", "Read src/auth/refresh.ts", "214 lines", 0),
		uitest.Reply("In `refresh()`:\n\n```ts\nasync function refresh(id) {}\n```\n\nand then:\n\n```sh\nnpm test\nnpm run lint\n```\n\nThat is **all** of it."),
		engine.Ended{Why: engine.ExitFinished})
	s.Tell(engine.Began{Turn: 2, Route: sonnet}, uitest.User("Thanks."), uitest.Reply("You are welcome; the **refresh** is safe now."), engine.Ended{Why: engine.ExitFinished})
	return s
}

func browsing(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := talked(t, w, h, change...)
	s.Press("ctrl+x", "[", "k", "k")
	return s
}

func searching(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := talked(t, w, h, change...)
	s.Press("ctrl+x", "/", "r", "e", "f", "r", "e", "s", "h", "enter")
	return s
}

func copying(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := talked(t, w, h, change...)
	s.Tell(engine.Began{Turn: 3, Route: sonnet}, uitest.Reply("```go\nfmt.Println(1)\n```\n\n```sh\nnpm test\nnpm run lint\n```\n"), engine.Ended{Why: engine.ExitFinished})
	s.Press("ctrl+x", "c", "down")
	return s
}

func TestBrowsingWalksThroughTheBlocksAndCopiesOne(t *testing.T) {
	story(t, func(t *testing.T) {
		s := browsing(t, 80, 24, func(s *setting) { s.Options.Terminal.Clipboard = true })
		s.Press("k")
		s.See("▸", "q leave")
		s.Press("y")
		if len(s.Raw) != 1 {
			t.Fatalf("the terminal was asked %v, want one text for its clipboard", s.Raw)
		}
		s.See("copied the action (OSC 52)")
		s.Press("q")
		s.See("Copied", "(OSC 52)")
		s.NotSee("q leave")
	})
}

func TestTheKeysOfBrowsingAreNotTypedIntoThePrompt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := talked(t, 80, 24)
		s.Type("half a thought")
		s.Press("ctrl+x", "[", "j", "k", "g", "G", "}", "{", "o", "n", "esc")
		if got := s.m.Prompt.Value(); got != "half a thought" {
			t.Errorf("the prompt has %q", got)
		}
		if s.m.Overlays.Has("browse") {
			t.Error("Esc did not leave")
		}
	})
}

func TestASearchCountsAndGoesRound(t *testing.T) {
	story(t, func(t *testing.T) {
		s := searching(t, 80, 24)
		s.See("4 of 4")
		s.Press("n")
		s.See("1 of 4")
		s.Press("N")
		s.See("4 of 4")
		s.Press("/", "z", "z", "z")
		s.See("nothing matches")
	})
}

func TestACopyThatCannotReachTheClipboardGoesToAFile(t *testing.T) {
	dir := t.TempDir()
	story(t, func(t *testing.T) {
		file := filepath.Join(dir, "state", "copy.txt")
		s := talked(t, 80, 24, func(s *setting) { s.Options.CopyFile, s.Options.Terminal.Clipboard = file, false })
		s.Press("ctrl+x", "y")
		s.See("Clipboard not reachable. Wrote")
		if got, err := os.ReadFile(file); err != nil || !strings.Contains(string(got), "You are welcome") {
			t.Errorf("the file has %q (%v)", got, err)
		}
	})
}

func TestACodeBlockIsChosenByNumberOrWritten(t *testing.T) {
	dir := t.TempDir()
	story(t, func(t *testing.T) {
		s := copying(t, 80, 24, func(s *setting) {
			s.Options.Dir = dir
			s.Options.CopyFile = filepath.Join(dir, "copy.txt")
			s.Options.Terminal.Clipboard = false
		})
		s.See("Copy a code block", "npm run lint")
		s.Press("w")
		s.See("snippet-1.sh")
		if got, _ := os.ReadFile(filepath.Join(dir, "snippet-1.sh")); string(got) != "npm test\nnpm run lint\n" {
			t.Errorf("the file has %q", got)
		}
		s.Press("ctrl+x", "c", "1")
		if got, _ := os.ReadFile(filepath.Join(dir, "copy.txt")); string(got) != "fmt.Println(1)\n" {
			t.Errorf("copied %q", got)
		}
	})
}

func TestVerbosityIsOfTheSession(t *testing.T) {
	story(t, func(t *testing.T) {
		s := talked(t, 80, 40)
		out := strings.Repeat("a line of output\n", 30) + "the very last\n"
		s.Tell(engine.Began{Turn: 3, Route: sonnet}, uitest.Runs("2", "$ make"), uitest.Prints("2", out), uitest.Done("2", "$ make", "", 0), engine.Ended{Why: engine.ExitFinished})
		s.See("the very last", "more lines")
		s.Press("ctrl+x", "v")
		s.See("Verbosity full")
		s.NotSee("more lines")
		s.Press("ctrl+x", "v")
		s.See("$ make", "Verbosity quiet")
		s.NotSee("the very last")
		quiet := s.m.Session.Row
		s.Tell(engine.Opened{Session: engine.Session{ID: "20000101_000000_bbbbbb", Dir: workDir, Route: sonnet}})
		if l := s.m.Log.Reading().Level; l != "" {
			t.Errorf("another session begins with %q", l)
		}
		s.Tell(engine.Opened{Session: quiet})
		if l := s.m.Log.Reading().Level; l != "quiet" {
			t.Errorf("the session came back with %q", l)
		}
	})
}

func TestABlockIsPinnedWhileBrowsing(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newFilled()
		s := open(t, 80, 24, func(s *setting) { s.Views.Lens = w })
		s.Tell(withID("u1", uitest.User("Fix the race")))
		s.Press("ctrl+x", "[", "*")
		s.Pass(time.Second)
		s.See("pinned: a summary keeps it word for word", "* ❯ Fix the race")
		if !w.item("u1").Pinned {
			t.Fatal("it is not pinned")
		}
		s.Press("q")
		s.Press("ctrl+x", "[") // it is read again
		s.Pass(time.Second)
		s.See("* ❯ Fix the race")
		s.Press("*")
		s.Pass(time.Second)
		s.See("not pinned any more", "▸ ❯ Fix the race")
		if w.item("u1").Pinned {
			t.Fatal("it is still pinned")
		}
	})
}

// withID gives what was appended an id of its own.
func withID(id string, e engine.Event) engine.Event {
	a := e.(engine.Appended)
	a.Message.ID = id
	return a
}

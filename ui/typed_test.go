package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

func withFiles(s *setting) {
	s.Views.Memory, s.Views.Refs = &uitest.Memory{}, &uitest.Refs{All: []string{"README.md", "src/auth/refresh.ts", "src/auth/session.ts", "src/cart/coupon.ts", "test/auth/refresh.test.ts", "docs/two words.md", "src/", "src/auth/"},
		What: map[string]string{"src/auth/refresh.ts:10-20": "lines 10-20 of 214", "README.md": "2 KB", "src/auth/": "folder, 2 files", "docs/two words.md": "1 KB"}}
}

func filesFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, append(change, withFiles)...)
	s.Type("Why does @refr")
	return s
}

func historyFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, change...)
	for _, text := range []string{"Run the unit, type and lint checks and fix what breaks.", "Explain the billing module.\nOnly the rounding.", "upgrade eslint to 10"} {
		_ = s.lib.AddHistory(t.Context(), workDir, text)
	}
	s.Type("half a thought")
	s.Press("ctrl+c", "ctrl+r")
	return s
}

func rememberFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, append(change, withFiles)...)
	s.Type("#tests run with npm test, never with yarn")
	s.Press("enter")
	return s
}

func TestAFileIsAttachedFromThePopup(t *testing.T) {
	story(t, func(t *testing.T) {
		s := filesFrame(t, 80, 24)
		s.Press("tab")
		if got := s.m.Prompt.Value(); got != "Why does @src/auth/refresh.ts " {
			t.Fatalf("%q", got)
		}
		s.Press("ctrl+_")
		s.Type(":10-20")
		s.Press("enter")
		s.See("[@src/auth/refresh.ts:10-20 lines 10-20 of 214]")
		s.none(t)
		s.Type("fail?")
		s.Press("enter")
		if o := op[engine.Submit](t, s); o.Text != "Why does @src/auth/refresh.ts:10-20 fail?" {
			t.Errorf("%q", o.Text)
		}
	})
}

func TestTabGoesIntoAFolderAndEnterAttachesIt(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withFiles)
		s.Type("@src/a")
		s.Press("tab")
		if got := s.m.Prompt.Value(); got != "@src/auth/" {
			t.Fatalf("%q", got)
		}
		s.Press("enter")
		s.See("[@src/auth/ folder, 2 files]")
		s.Type("@two")
		s.Press("enter")
		if got := s.m.Prompt.Value(); got != "@src/auth/ @\"docs/two words.md\" " {
			t.Errorf("%q", got)
		}
		s.Press("backspace", "backspace") // one key for the whole piece
		if got := s.m.Prompt.Value(); got != "@src/auth/ " {
			t.Errorf("%q", got)
		}
	})
}

func TestAnAtThatIsNoFileIsText(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withFiles)
		s.Type("ask kim@src or @zzz or @")
		s.Press("enter")
		if o := op[engine.Submit](t, s); o.Text != "ask kim@src or @zzz or @" {
			t.Errorf("%q", o.Text)
		}
		s.Type("@READ")
		s.Press("esc")
		s.Type("M")
		if s.m.Popup != nil {
			t.Error("the popup that was closed opened again for the same word")
		}
		s.Press("ctrl+u")
		s.Paste("@README.md")
		if s.m.Popup != nil {
			t.Error("pasted text opened a popup")
		}
	})
}

func TestACommandOfTheUsersOwnRunsAndStops(t *testing.T) {
	story(t, func(t *testing.T) {
		sh := &uitest.Shell{Prints: "hello\n[exit 0]"}
		s := open(t, 80, 24, func(s *setting) { s.Processes, s.Context = sh, t.Context() })
		s.Type("!npm test")
		s.Press("enter")
		s.Type("!!git status")
		s.Press("enter")
		s.none(t)
		s.Type("it says {!echo one} and {!echo two}.")
		s.Press("enter")
		if got := s.m.Prompt.Value(); got != "it says hello and hello." {
			t.Errorf("%q", got)
		}
		if got := sh.Ran(); !slices.Equal(got, []string{"true npm test", "false git status", "false echo one", "false echo two"}) {
			t.Errorf("%q", got)
		}
		s.Press("ctrl+c")
		sh.Hang = true
		s.Type("!sleep 100")
		s.Press("enter")
		s.Type("!another")
		s.Press("enter")
		s.See("still runs")
		s.Press("esc")
		s.See("context canceled")
		if got := s.m.Prompt.Value(); got != "!another" || len(sh.Ran()) != 5 {
			t.Errorf("%q %q", got, sh.Ran())
		}
	})
}

func TestWhatWasPastedIsNeverRunNorKept(t *testing.T) {
	story(t, func(t *testing.T) {
		sh, book := &uitest.Shell{}, &uitest.Memory{}
		s := open(t, 80, 24, func(s *setting) { s.Processes, s.Views.Memory, s.Context = sh, book, t.Context() })
		for _, text := range []string{"!rm -rf x", "#remember me"} {
			s.Paste(text)
			s.Press("enter")
			s.ops()
			s.Tell(engine.Ended{})
		}
		s.Type("look: ")
		s.Paste("{!rm -rf x}")
		s.Press("enter")
		if got := sh.Ran(); len(got) > 0 || len(s.m.Overlays) > 0 {
			t.Errorf("%q, %d overlays", got, len(s.m.Overlays))
		}
	})
}

func TestALineIsRememberedWhereItIsChosen(t *testing.T) {
	story(t, func(t *testing.T) {
		book := &uitest.Memory{}
		s := open(t, 80, 24, func(s *setting) { s.Views.Memory = book })
		s.Type("#answer in Finnish")
		s.Press("enter", "esc")
		if got := s.m.Prompt.Value(); got != "#answer in Finnish" {
			t.Fatalf("Esc lost it: %q", got)
		}
		s.Press("enter", "2")
		if got := book.Kept(); !slices.Equal(got, []string{"user answer in Finnish"}) || !s.m.Prompt.Empty() {
			t.Errorf("%q", got)
		}
		book.Err = errors.New("it is full")
		s.Type("#one more")
		s.Press("enter", "1")
		s.See("it is full")
		if got := s.m.Prompt.Value(); got != "#one more" {
			t.Errorf("%q", got)
		}
		s.Press("ctrl+u")
		s.Type("## A heading")
		s.Press("enter")
		if o := op[engine.Submit](t, s); o.Text != "## A heading" {
			t.Errorf("%q", o.Text)
		}
	})
}

func TestCtrlRFindsWhatWasSentAndKeepsTheDraft(t *testing.T) {
	story(t, func(t *testing.T) {
		s := historyFrame(t, 80, 24)
		s.See("half a thought")
		s.Press("esc")
		s.Type("a new draft")
		s.Press("ctrl+r")
		s.Type("round")
		s.Pass(time.Second)
		s.Press("enter")
		if got := s.m.Prompt.Value(); got != "Explain the billing module.\nOnly the rounding." {
			t.Fatalf("%q", got)
		}
		s.none(t)
		s.Press("ctrl+r")
		if !strings.Contains(s.Text(), "a new draft") {
			t.Errorf("the draft was lost:\n%s", s.Text())
		}
	})
}

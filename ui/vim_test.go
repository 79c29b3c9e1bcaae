package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
)

func withVim(s *setting) { s.Options.Keys.Preset = "vim" }

// TestTheFirstEscLeavesInsertAndTheNextOneStopsTheTurn: UX 4.2, the order of Esc.
func TestTheFirstEscLeavesInsertAndTheNextOneStopsTheTurn(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24, withVim)
		s.Type("use a map")
		s.See("INSERT")
		s.Press("esc")
		s.none(t)
		s.See("NORMAL")
		s.Press("b", "d", "w")
		if got := s.m.Prompt.Value(); got != "use a " {
			t.Errorf("%q", got)
		}
		s.Press("d", "esc") // leaves the command
		s.none(t)
		s.Press("esc")
		if o := op[engine.Interrupt](t, s); !o.Graceful {
			t.Error("the first stop is a graceful one")
		}
	})
}

func TestAMessageIsSentFromNormalAndTheNextOneBeginsInInsert(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withVim)
		s.Type("fix the tests")
		s.Press("esc", "c", "c")
		s.Type("run the tests")
		s.Press("esc", "enter")
		if got := op[engine.Submit](t, s).Text; got != "run the tests" {
			t.Errorf("%q", got)
		}
		s.See("INSERT")
	})
}

// TestNormalHasItsOwnCtrlR: redo there, the history in INSERT; letters open no popup and no help there.
func TestNormalHasItsOwnCtrlR(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withVim)
		s.Type("/model x")
		s.Press("esc", "x", "u", "ctrl+r")
		if got := s.m.Prompt.Value(); got != "/model " || len(s.m.Overlays) > 0 || s.m.Popup != nil {
			t.Errorf("%q, %d overlays", got, len(s.m.Overlays))
		}
		s.Press("d", "d", "?")
		s.See("[Keys]")
		s.Press("esc", "i", "ctrl+r")
		s.See("History")
	})
}

func TestEscTwiceInNormalClearsToTheDrafts(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withVim)
		s.Type("a draft")
		s.Press("esc")
		s.Press("esc")
		if s.m.Prompt.Empty() {
			t.Fatal("the Esc that left INSERT counts as a first press")
		}
		s.Press("esc")
		if !s.m.Prompt.Empty() {
			t.Fatalf("%q", s.m.Prompt.Value())
		}
		s.Press("up")
		s.See("a draft")
	})
}

func TestTheCursorSaysTheMode(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24, withVim)
		s.Type("ab")
		if c := s.m.View().Cursor; c == nil || c.Shape != tea.CursorBar || c.X != 4 {
			t.Errorf("%+v", c)
		}
		s.Press("esc")
		if c := s.m.View().Cursor; c == nil || c.Shape != tea.CursorBlock || c.X != 3 {
			t.Errorf("%+v", c)
		}
	})
}

func TestSlashVimTurnsTheModesOnAndOffAndKeepsThat(t *testing.T) {
	story(t, func(t *testing.T) {
		kept := &saver{}
		s := open(t, 80, 24, func(s *setting) { s.Save = kept })
		s.NotSee("INSERT")
		s.Type("/vim")
		s.Press("enter")
		s.See("INSERT", "vim's modes")
		kept.err = errors.New("the disk is full")
		s.Type("/vim")
		s.Press("esc", "esc", "enter") // the popup, INSERT
		s.NotSee(" NORMAL", " INSERT ·")
		s.See("the disk is full")
		if len(kept.kept) != 2 || kept.kept[0] != "ui.key_preset=vim" || kept.kept[1] != "ui.key_preset=default" {
			t.Errorf("%q", kept.kept)
		}
	})
}

// saver keeps what the screen saves; err refuses it.
type saver struct {
	err  error
	kept []string
}

// Save notes a setting.
func (s *saver) Save(_ context.Context, key, text string) error {
	s.kept = append(s.kept, key+"="+text)
	return s.err
}

// TestANoteLosesNoLetterWhereItIsWrapped: rows behind the first stand two cells in.
func TestANoteLosesNoLetterWhereItIsWrapped(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 40, 15)
		s.Type("/vim\n")
		if got := strings.Join(strings.Fields(s.Text()), " "); !strings.Contains(got, "come back to it. /vim turns them off.") {
			t.Errorf("%s", s.Text())
		}
	})
}

package plain

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// known is a program with two turns behind it, a rule, two notes and a skill.
type known struct{ notes []string }

func (known) Turns(context.Context) ([]engine.Turn, error) {
	return []engine.Turn{{Number: 1, ID: "m1", Text: "fix it", Here: true}, {Number: 2, ID: "m2", Text: "test it", Here: true, Files: []engine.FileChange{{Name: "a.go"}}}, {Number: 3, Text: "undone"}}, nil
}
func (known) Rewind(_ context.Context, n int) (engine.Rewind, error) {
	return engine.Rewind{Turn: n, Turns: 3 - n, Files: []engine.FileChange{{Path: "/w/a.go", Name: "a.go", Kind: engine.FileDeleted, Del: 2, Edited: true}}}, nil
}
func (known) Diff(context.Context, int, string) (string, error) {
	return "--- a/a.go\n+++ b/a.go\n@@ -1,2 +0,0 @@\n-one\n-two\n", nil
}
func (known) Fork(context.Context, int) (string, error) { return "copy", nil }
func (known) List(context.Context) ([]engine.Permission, error) {
	return []engine.Permission{{ID: "r", Rule: "run npm test", Scope: engine.ScopeProject}, {Rule: "run ls", Scope: engine.ScopeConfig}}, nil
}
func (known) Revoke(context.Context, string) error { return nil }
func (known) Rulings(context.Context, int) ([]engine.Ruling, error) {
	return []engine.Ruling{{Action: "$ npm test", Verdict: "allowed", By: "run npm test", Mode: "ask", Asked: true, Choice: "always", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)}}, nil
}
func (known) Items(context.Context) ([]engine.LensItem, error) {
	return []engine.LensItem{{Kind: engine.LensSystem, Name: "System prompt", Tokens: 700, NoPin: "every request begins with it"}, {ID: "m1", Kind: engine.LensUser, Name: "fix it", Tokens: 5, Pinned: true}}, nil
}
func (known) Pin(context.Context, string, bool) error { return nil }
func (known) Drop(context.Context, string, bool) error {
	return errors.New("the disk is full")
}
func (k *known) Pages(context.Context) ([]engine.NotePage, error) {
	return []engine.NotePage{{Name: "memory", Entries: slices.Clone(k.notes)}, {Name: "user", Entries: []string{"likes tabs"}}}, nil
}
func (k *known) Change(_ context.Context, _, old, text string) error {
	k.notes = slices.DeleteFunc(k.notes, func(n string) bool { return n == old })
	if text != "" {
		k.notes = append(k.notes, text)
	}
	return nil
}
func (known) Bill(context.Context) (engine.Bill, error) {
	return engine.Bill{Total: engine.Usage{Input: 1000, Output: 20}, Models: []engine.Share{{Name: "a/b", Usage: engine.Usage{Input: 1000, Output: 20}}}}, nil
}
func (known) Report(_ context.Context, page string) (engine.Report, error) {
	if page == "bug" {
		return engine.Report{Text: "one\ntwo", Note: "written to /x"}, nil
	}
	return engine.Report{Rows: []engine.ReportRow{{Name: "disk: full", Mark: "bad", Text: "disk: full\nfree some"}, {Name: "read_file", Text: "Reads a file. " + strings.Repeat("Long words. ", 40)}}}, nil
}
func (known) Skills(context.Context) []engine.SkillLine {
	return []engine.SkillLine{{Name: "deploy"}}
}

func knows(d *Deps) {
	k := &known{}
	d.Views = Views{Timeline: k, Lens: k, Memory: k, Ledger: k, Reports: k, Rules: k, Skills: k}
	d.Processes = &uitest.Shell{}
}

// What the overlays of the screen show is read as lines, and what they change is a word behind the command.
func TestPagesOfTheScreenAreReadAsLines(t *testing.T) {
	hold(t, knows, func(k *talk) {
		k.opens()
		for _, c := range [][2]string{
			{"/context", "1. system, System prompt, 700 tokens\n2. user, fix it, 5 tokens, pinned"},
			{"/context pin 1", "Error: look at what is sent: it cannot be pinned: every request begins with it"},
			{"/context drop 2", "Error: look at what is sent: the disk is full"},
			{"/context pin 7", "Error: look at what is sent: it takes pin or drop with a number of the list, which has 2"},
			{"/memory", "1. user: likes tabs"},
			{"/memory add builds with make", "1. memory: builds with make\n2. user: likes tabs"},
			{"/memory remove 1", "1. user: likes tabs"},
			{"/why", "03:04:05, $ npm test: allowed, because of run npm test, mode ask, you were asked and answered always."},
			{"/usage", "Usage: cost ?, input 1k tokens, from the cache 0, into the cache 0, output 20.\na/b: ?, 1k in, 20 out."},
			{"/bug", "  one\n  two\nNote: written to /x."},
			{"/doctor", "disk: full, bad, free some\nread_file, Reads a file."},
			{"/diff", "Changed: a.go, new, 2 added, 0 removed.\n  --- b/a.go\n  +++ a/a.go\n  @@ -0,0 +1,2 @@\n  +one\n  +two"},
			{"/background", "Note: nothing runs in the background."},
			{"/theme", "Note: /theme is for the full screen: there are no colours here."},
			{"/dplo", "Warning: no command /dplo. /help lists them. Nothing was sent."},
		} {
			k.types(c[0])
			k.hears(c[1])
		}
		k.did()
		k.types("/deploy now")
		k.did(engine.Submit{Text: "/deploy now"})
	})
}

// A turn of the timeline is chosen by its number, and what to do by another; nothing changes before that.
func TestTheTimelineAsksWhatToDo(t *testing.T) {
	hold(t, knows, func(k *talk) {
		k.opens()
		for _, c := range []struct {
			n    string
			want engine.Op
		}{{"1", engine.Undo{Turn: 2}}, {"2", engine.Undo{Turn: 2, What: engine.UndoChat}}, {"3", engine.Undo{Turn: 2, What: engine.UndoFiles}}, {"4", engine.Open{Session: "copy"}}, {"5", engine.Compact{From: "m2"}}} {
			k.types("/timeline", "2")
			if got := k.new(); !strings.Contains(got, `before "test it": 1 turn would leave the chat and 1 file would be restored: a.go (changed since, you would be asked)`) || strings.Contains(got, "undone") {
				t.Errorf("heard:\n%s", got)
			}
			k.did()
			k.types(c.n)
			k.did(c.want)
		}
		k.types("/permissions", "2")
		if got := k.new(); !strings.HasSuffix(got, "Note: this one is in the configuration: talaria config path shows the file.") {
			t.Errorf("heard:\n%s", got)
		}
		k.types("/permissions", "1")
		if got := k.new(); !strings.HasSuffix(got, "Note: revoked: run npm test. It is asked again from now on.") {
			t.Errorf("heard:\n%s", got)
		}
	})
}

// A retry takes the last message out of the chat and asks it once more; an undo of the user's own only takes it out.
func TestRetryAsksTheLastMessageOnceMore(t *testing.T) {
	hold(t, knows, func(k *talk) {
		k.opens()
		k.types("/undo")
		k.did(engine.Undo{Turn: -1})
		k.tells(engine.Rewound{Text: "try this", Line: "Undid turn 2."})
		k.did()
		k.types("/retry")
		k.did(engine.Undo{What: engine.UndoChat})
		k.tells(engine.Rewound{Text: "try that", Line: "Undid turn 1."})
		k.did(engine.Submit{Text: "try that"})
	})
}

// A person's "!" is a command of the shell; in a pipe it is text, which may come from anywhere.
func TestACommandOfTheUsersOwnRunsAndIsStopped(t *testing.T) {
	shell := &uitest.Shell{Hang: true}
	hold(t, func(d *Deps) { d.Processes = shell }, func(k *talk) {
		k.opens()
		k.types("!make test")
		k.types("!!ls")
		k.hears("Note: your command before this one still runs. Ctrl+C stops it.")
		k.presses()
		k.hears("Stopping: your command.\nError: run make test: context canceled")
		k.types("!!ls")
		if got := strings.Join(shell.Ran(), "|"); got != "true make test|false ls" {
			t.Errorf("ran %q", got)
		}
		k.presses()
	})
	hold(t, func(d *Deps) { d.Processes, d.Options.TTY = shell, false }, func(k *talk) {
		k.opens()
		k.types("!rm -rf x")
		k.did(engine.Submit{Text: "!rm -rf x"})
	})
}

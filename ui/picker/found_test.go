package picker

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"talaria/engine"
)

// hits are what a search for "refresh" finds: in a session that is listed and in one that is not.
func hits() []engine.Hit {
	snippet := "…two callers can pass the expiry check before either sets refreshInFlight, and 令牌 too"
	at := strings.Index(snippet, "refresh")
	return []engine.Hit{
		{Session: engine.Session{ID: "s2"}, Tip: "s2", Message: "m", Seq: 7, Snippet: snippet, Marks: [][2]int{{at, at + 7}}},
		{Session: engine.Session{ID: "older", Title: "a part that was compressed"}, Tip: "tip", Seq: 3, Snippet: "refresh", Marks: [][2]int{{0, 7}}},
	}
}

// finding is the picker after a search for "refresh".
func finding(t *testing.T) *Sessions {
	t.Helper()
	p := pick(t, &shelf{rows: sessions(), hits: hits()})
	synctest.Test(t, func(t *testing.T) { typed(t, p, "refresh") })
	return p
}

// typed writes a text and lets the search run that follows.
func typed(t *testing.T, p *Sessions, text string) {
	t.Helper()
	for _, r := range text {
		cmd, _ := press(p, string(r))
		if cmd == nil {
			continue
		}
		if due, ok := cmd().(searchDue); ok {
			if search, _ := p.Update(due); search != nil {
				p.Update(search())
			}
		}
	}
}

func TestWordsOfMessagesAreFoundInTheSameBox(t *testing.T) {
	p := finding(t)
	s := show(p, 120, 36)
	for _, want := range []string{"upgrade eslint to 10", "a part that was compressed", "Matches", "refreshInFlight", "2 of 6"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing:\n%s", want, s)
		}
	}
	if strings.Contains(s, "Nothing matches") {
		t.Error(s)
	}
	if cmd, closed := press(p, "down", "enter"); !closed || cmd() != opened("tip") {
		t.Error("a session that was compressed opens its newest part")
	}
}

func TestATitleThatFitsStandsBeforeAMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pick(t, &shelf{rows: sessions(), hits: hits()})
		typed(t, p, "auth")
		if one, _ := p.list.current(); one.ID != "s1" || len(p.list.shown) != 3 {
			t.Error(p.list.shown)
		}
		press(p, "esc")
		if len(p.list.shown) != 6 {
			t.Error("Esc shows all again", p.list.shown)
		}
	})
}

func TestALateAnswerForOtherWordsIsNotShown(t *testing.T) {
	p := pick(t, &shelf{rows: sessions()})
	write(p, "zz")
	p.Update(SessionsFound{Text: "z", Hits: hits()})
	p.Update(SessionsFound{Text: "zz", Scope: ScopeAll, Hits: hits()})
	if s := show(p, 80, 24); !strings.Contains(s, "Nothing matches") {
		t.Error(s)
	}
	p.Update(SessionsFound{Text: "zz", Err: fmt.Errorf("disk on fire")})
	if s := show(p, 80, 24); !strings.Contains(s, "disk on fire") {
		t.Error(s)
	}
}

func TestTabGoesThroughThreeScopesInARepository(t *testing.T) {
	p := pick(t, &shelf{rows: sessions(), repo: true})
	for _, want := range []string{"[Repository]", "[All]", "[This directory]"} {
		cmd, _ := press(p, "tab")
		p.Update(cmd())
		if s := show(p, 80, 24); !strings.Contains(s, want) {
			t.Errorf("no %s:\n%s", want, s)
		}
	}
}

func TestASessionOfAnotherWindowIsForkedNotOpened(t *testing.T) {
	p := pick(t, &shelf{rows: sessions()})
	if cmd, closed := press(p, "enter"); closed || cmd != nil || !strings.Contains(show(p, 80, 24), "Ctrl+F makes a copy") {
		t.Fatal(show(p, 80, 24))
	}
	if cmd, _ := press(p, "ctrl+f"); cmd == nil || cmd() != forked("s1") {
		t.Fatal("Ctrl+F does not fork")
	}
}

func TestTheSessionThatWasAskedForIsPointedAt(t *testing.T) {
	deps := pick(t, &shelf{rows: sessions()}).deps
	deps.Wanted = "s3"
	p := NewSessions(sheet(t), deps)
	p.Update(p.Init()())
	if one, _ := p.list.current(); one.ID != "s3" || !strings.Contains(show(p, 80, 24), "another window") {
		t.Fatal(show(p, 80, 24))
	}
}

package chrome

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
	"talaria/ui/turn"
)

var now = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)

func sheet(t *testing.T) style.Sheet {
	th, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	return style.New(th, false)
}

// UX 4.5: what is dropped as the width shrinks, in that order, and what never is.
func TestCellsMakeRoomInOrder(t *testing.T) {
	tn := &turn.Turn{}
	tn.On(engine.Began{Turn: 1}, now.Add(-42*time.Second))
	tn.On(engine.Used{Usage: engine.Usage{Input: 12_400, Output: 1800}}, now)
	tn.On(engine.Streamed{Delta: engine.TextDelta{Text: "x"}}, now.Add(-4*time.Second))
	tn.On(engine.Streamed{Delta: engine.TextDelta{Text: strings.Repeat("x", 700)}}, now)
	cost := 0.21
	f := Facts{Turn: tn, Now: now, Key: "Esc stop", Mode: "auto", Context: 76_000, Window: 200_000, Money: Money{Cost: &cost}, Route: engine.Route{Model: "sonnet-4.5"}}
	gone := map[string]int{}
	for w := 140; w >= 60; w-- {
		row := ansi.Strip(Status(sheet(t), f, w))
		for _, p := range []string{"tok/s", "↑12.4k", "▓▓▓▓"} {
			if !strings.Contains(row, p) && gone[p] == 0 {
				gone[p] = w
			}
		}
		for _, p := range []string{"Writing", "AUTO", "ctx 38%", "Esc stop"} {
			if !strings.Contains(row, p) {
				t.Errorf("%q is not in %q at %d", p, row, w)
			}
		}
	}
	if gone["↑12.4k"] != Wide-1 || gone["▓▓▓▓"] != Wide-1 || gone["tok/s"] == 0 {
		t.Errorf("gone at %v", gone)
	}
	tn.On(engine.CallBegan{Call: engine.Call{ID: "1"}, Line: "$ a long command that has many words and does not end soon"}, now)
	for w, want := range map[int][2]bool{80: {true, true}, 74: {false, true}, 60: {false, false}} {
		row := ansi.Strip(Status(sheet(t), f, w))
		if got := [2]bool{strings.Contains(row, "$0.21"), strings.Contains(row, "0:42")}; got != want {
			t.Errorf("at %d cost and clock are %v, want %v: %q", w, got, want, row)
		}
	}
}

func TestTheStatusNeverOverflows(t *testing.T) {
	for state := turn.Ready; state <= turn.Failed; state++ {
		for w := range 130 {
			for _, hint := range []string{"", strings.Repeat("a very long hint 中文 ", 9)} {
				tn := &turn.Turn{State: state, Active: true, Tools: []turn.Tool{{Line: "$ " + strings.Repeat("x 中", 60)}}, Retry: turn.Retry{Reason: "rate_limit", Until: now.Add(time.Hour), Try: 2, Of: 5}}
				f := Facts{Turn: tn, Now: now, Hint: hint, Key: "Enter connect", Mode: "auto", Context: 1 << 20, Route: engine.Route{Model: strings.Repeat("model", 30)}}
				if n := ansi.StringWidth(Status(sheet(t), f, w)); n > w {
					t.Fatalf("%d cells at %d in state %d", n, w, state)
				}
			}
		}
	}
}

func TestTheStripSaysWhenAMessageGoesIn(t *testing.T) {
	tn := &turn.Turn{Active: true, Tools: []turn.Tool{{Line: "$ npm test"}}}
	p := &Strip{Steers: []engine.Waiting{{ID: "1", Text: "skip\nthe e2e"}}, Queued: []engine.Waiting{{ID: "2", Text: "notes"}}, Unsaved: "disk full"}
	for w := range 130 {
		for most := range 5 {
			rows := p.Rows(sheet(t), tn, w, most)
			if len(rows) > most {
				t.Fatalf("%d rows of %d", len(rows), most)
			}
			for _, r := range rows {
				if n := ansi.StringWidth(r); n > w {
					t.Fatalf("%d cells at %d: %q", n, w, ansi.Strip(r))
				}
			}
		}
	}
	text := ansi.Strip(strings.Join(p.Rows(sheet(t), tn, 120, 3), "\n"))
	for _, want := range []string{"disk full", `"skip the e2e"`, "goes in when npm test ends", "after this turn"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	p.Paused = true
	if text := ansi.Strip(strings.Join(p.Rows(sheet(t), tn, 120, 3), "\n")); !strings.Contains(text, "paused, Enter continues") {
		t.Errorf("it does not say that it is paused:\n%s", text)
	}
}

func TestWelcomeFitsAnyWidth(t *testing.T) {
	p := Place{Dir: "~/" + strings.Repeat("deep/", 40), Version: "1.0", Mode: "ask", Route: engine.Route{Model: "m"}, Now: now,
		Recent: []engine.Session{{ID: "1", Title: strings.Repeat("长", 60), Updated: now.Add(-30 * time.Hour), Turns: 1}, {ID: "2", Updated: now.AddDate(0, 0, -20)}}}
	for w := range 130 {
		for _, l := range Welcome(sheet(t), p, w) {
			if n := ansi.StringWidth(l); n > max(w, 36) {
				t.Fatalf("%d cells at %d: %q", n, w, ansi.Strip(l))
			}
		}
	}
	text := ansi.Strip(strings.Join(Welcome(sheet(t), p, 100), "\n"))
	for _, want := range []string{"yesterday", "13 Dec", "1 turn", "1–2 opens one"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

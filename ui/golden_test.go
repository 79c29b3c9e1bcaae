package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/soak"
	"talaria/themes"
	"talaria/ui/uitest"
)

var sizes = [][2]int{{120, 36}, {80, 24}, {40, 15}}

// frames are the states of the design's frames, by number and name, each told in a window of its own.
var frames = []struct {
	name string
	tell func(t *testing.T, w, h int, change ...func(*setting)) *stage
}{
	{"01-first-run", firstRun}, {"02-idle", idleFrame}, {"03-streaming", streaming}, {"04-tools", toolsFrame}, {"05-approval", approvalFrame},
	{"06-clarify", clarifyFrame}, {"07-sessions", sessionsFrame}, {"11-retry", retryFrame}, {"12-compacting", compactingFrame}, {"14-budget", budgetFrame}, {"13-steer", steerFrame}, {"15-interrupted", interruptedFrame},
	{"17-leader", leaderFrame}, {"18-menu", menuFrame}, {"prompt-files", filesFrame}, {"prompt-history", historyFrame}, {"prompt-remember", rememberFrame},
	{"10-help", helpFrame}, {"19-palette", paletteFrame}, {"20-keys", keysFrame},
	{"21-browse", browsing}, {"22-search", searching}, {"23-copy", copying},
}

func TestGoldenFrames(t *testing.T) {
	for _, f := range frames {
		for _, size := range sizes {
			name := fmt.Sprintf("%s-%dx%d", f.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				story(t, func(t *testing.T) { f.tell(t, size[0], size[1]).Golden(name) })
			})
		}
	}
}

// TestFramesInOtherThemesAndSizes holds every frame to the window at other sizes and in other themes. The driver checks
// rows and widths after every message. Every day it is each eighth of them, so that every frame, size and theme has its
// turn; in a soak all.
func TestFramesInOtherThemesAndSizes(t *testing.T) {
	type look struct {
		frame, w, h int
		theme       string
	}
	var all []look
	for i := range frames {
		for _, size := range append(sizes, [2]int{36, 8}, [2]int{60, 20}, [2]int{110, 30}, [2]int{200, 60}) {
			for _, name := range []string{"paper", "mono", "ascii"} {
				all = append(all, look{i, size[0], size[1], name})
			}
		}
	}
	for _, l := range soak.Every(all, 8, 0) {
		t.Run(fmt.Sprintf("%s-%s-%dx%d", frames[l.frame].name, l.theme, l.w, l.h), func(t *testing.T) {
			story(t, func(t *testing.T) {
				s := frames[l.frame].tell(t, l.w, l.h, func(s *setting) {
					if s.Options.ASCII = l.theme == "ascii"; l.theme != "ascii" {
						s.Theme = theme(l.theme)
					}
				})
				wears(t, s, l.theme)
			})
		})
	}
}

var coloured = regexp.MustCompile(`\x1b\[(?:[0-9;:]*[;:])?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

// wears fails unless the screen looks as a theme promises.
func wears(t *testing.T, s *stage, name string) {
	content := s.View().Content
	if found := coloured.FindString(content); found != "" && name == "mono" {
		t.Errorf("the mono theme writes a colour: %q", found)
	}
	if !coloured.MatchString(content) && name == "paper" {
		t.Error("the paper theme writes no colour: the test is blind")
	}
	for _, r := range s.Text() {
		if name == "ascii" && r > 127 && strings.ContainsRune("─│╭╮╰╯◐✓✗○⏸■▲∴❯↳⋯▸·…–−↑↓▓░▍", r) {
			t.Errorf("%q is on an ASCII screen:\n%s", r, s.Text())
			return
		}
	}
}

func firstRun(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := start(t, w, h, append(change, func(s *setting) {
		s.conn.Ready = []engine.Connection{
			{Name: "Anthropic", Route: engine.Route{Provider: "anthropic", Model: "sonnet-4.5"}, Found: "$ANTHROPIC_API_KEY is set", Ready: true},
			{Name: "OpenRouter", Route: engine.Route{Provider: "openrouter"}, Found: "$OPENROUTER_API_KEY is set", Ready: true},
		}
		s.conn.Servers = []engine.Connection{{Name: "Ollama", Route: engine.Route{Provider: "ollama", BaseURL: "http://127.0.0.1:11434/v1"},
			Found: "running on 127.0.0.1:11434", Models: []string{"qwen3", "llama3", "phi4"}, Local: true, Ready: true}}
	})...)
	s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir}})
	return s
}

func pastSessions(now time.Time) []engine.Session {
	day := 24 * time.Hour
	cost := func(f float64) *float64 { return &f }
	return []engine.Session{
		{ID: "20000101_000000_000001", Title: "fix auth tests", Dir: workDir, Updated: now.Add(-2 * time.Hour), Turns: 12, Cost: cost(0.84), Route: sonnet, Last: "Run the unit, type and lint checks and fix what breaks.\nI will run all three checks at once."},
		{ID: "20000101_000000_000002", Title: "upgrade eslint to 10", Dir: workDir, Updated: now.Add(-day), Turns: 5, Cost: cost(0.12), Route: sonnet},
		{ID: "20000101_000000_000003", Title: "explain billing module", Dir: workDir, Updated: now.Add(-3 * day), Turns: 2, Route: sonnet},
		{ID: "20000101_000000_000004", Title: "coupon rounding bug", Dir: workDir, Updated: now.Add(-9 * day), Turns: 21, Cost: cost(1.9), Route: sonnet},
	}
}

func withPast(s *setting) { s.lib.Sessions = pastSessions(time.Now()) }

func idleFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	return open(t, w, h, append(change, withPast)...)
}

// atWork is the middle of a turn: what was read, and what it cost.
func atWork(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := working(t, w, h, change...)
	s.Tell(engine.Used{Usage: engine.Usage{Input: 12_400, Output: 1800}, Context: 76_000, Window: 200_000, Cost: new(0.21)})
	return s
}

// workDone is what the Work panel shows: a task list, a changed file, an agent.
func workDone() []any {
	edit := engine.CallEnded{Line: "Edit src/auth/refresh.ts", Result: engine.Result{CallID: "e", Name: "patch", Status: engine.StatusDone,
		Diff: editQuestion("").Diff, Changed: []string{workDir + "/src/auth/refresh.ts"}}}
	return []any{engine.Planned{Tasks: []engine.Task{{ID: "1", Content: "Read failing tests", Status: "completed"}, {ID: "2", Content: "Find token refresh path", Status: "completed"},
		{ID: "3", Content: "Fix refresh race", Status: "in_progress"}, {ID: "4", Content: "Add regression test", Status: "pending"}, {ID: "5", Content: "Run full suite", Status: "pending"}}},
		edit, engine.Child{Agent: "explore: session store", Event: engine.Began{Turn: 1}}}
}

func streaming(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, change...)
	s.Tell(engine.Began{Turn: 1, Route: sonnet}, engine.Noted{Kind: engine.NoteTitle, Text: "fix auth tests"},
		uitest.User("The refresh token test fails about one run in five. Find out why and fix it."),
		engine.Used{Usage: engine.Usage{Input: 12_400, Output: 1800}, Context: 76_000, Window: 200_000, Cost: new(0.21)},
		uitest.Runs("1", "Read src/auth/refresh.ts"), uitest.Runs("2", `Search "refreshInFlight"`))
	s.Pass(time.Second)
	s.Tell(workDone()...)
	s.Tell(uitest.Done("1", "Read src/auth/refresh.ts", "214 lines", 20*time.Millisecond), uitest.Done("2", `Search "refreshInFlight"`, "7 matches in 3 files", 30*time.Millisecond))
	thought := "Two callers can pass the expiry check before either sets refreshInFlight, so both post to /token and the second one invalidates the first. The mutex is created per instance, not per session id. "
	for range 14 {
		s.Tell(uitest.Thinks(thought))
		s.Pass(960 * time.Millisecond)
	}
	s.Tell(uitest.Says("The failure is a race. `refresh()` checks `refreshInFlight` and then awaits before setting it, so two concurrent requests both start a refresh. The second response rotates the token and the first caller retries with a revoked one"))
	s.Pass(3 * time.Second)
	return s
}

func toolsFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(workDone()...)
	s.Tell(uitest.Reply("I will run all three checks at once."), uitest.Runs("1", "$ npm test -- --reporter=dot"), uitest.Runs("2", "$ npx tsc --noEmit"), uitest.Runs("3", "$ npx eslint src"))
	s.Pass(9 * time.Second)
	s.Tell(uitest.Done("3", "$ npx eslint src", "0 problems", 9*time.Second), uitest.Prints("1", "212 of 330 tests\nFAIL test/cart/coupon.test.ts > applies percentage coupons\n  expected 90 but received 90.00000000000001\n"))
	s.Pass(22 * time.Second)
	return s
}

func approvalFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(uitest.Reply("The fix is one in-flight refresh per session."), engine.Asked{Question: editQuestion("q1")}, engine.Asked{Question: commandQuestion("q2", "npm test -- refresh")})
	s.Pass(8 * time.Second)
	return s
}

func clarifyFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(uitest.Reply("There are two token stores in this repository, so the right fix depends on which one you want to keep."), engine.Asked{Question: storeQuestion("q1")})
	s.Pass(5 * time.Second)
	return s
}

func sessionsFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, append(change, withPast)...)
	s.Press("ctrl+x", "s")
	return s
}

func steerFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(workDone()...)
	s.Tell(uitest.Runs("1", "$ npm test"), uitest.Prints("1", "201 of 330 tests, 0 failed\n"))
	s.Pass(48 * time.Second)
	s.Tell(engine.Steered{Waiting: []engine.Waiting{{ID: "w1", Text: "skip the e2e tests, they need docker"}}}, engine.Queued{Waiting: []engine.Waiting{{ID: "w2", Text: "then write the release notes"}}})
	return s
}

func interruptedFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(uitest.Runs("1", "$ npx eslint src"), uitest.Done("1", "$ npx eslint src", "0 problems", 9*time.Second), uitest.Runs("2", "$ npm test"))
	s.Pass(52 * time.Second)
	s.Tell(uitest.Killed("2", "$ npm test", 52*time.Second), uitest.Cut("The coupon failure is a floating point comparison. I was about to change"), uitest.Stopped(),
		engine.Queued{Waiting: []engine.Waiting{{ID: "w2", Text: "then write the release notes"}}, Paused: true})
	return s
}

func leaderFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(uitest.Reply("Done."), uitest.Finished())
	s.Press("ctrl+x")
	s.Pass(time.Second)
	return s
}

func helpFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Tell(uitest.Reply("Done."), uitest.Finished())
	s.Press("?")
	return s
}

func paletteFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Press("ctrl+x", "p")
	s.Type("ses")
	return s
}

func keysFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := atWork(t, w, h, change...)
	s.Press("ctrl+x", "k")
	s.Type("Sess")
	s.Press("enter", "ctrl+o")
	return s
}

func menuFrame(t *testing.T, w, h int, change ...func(*setting)) *stage {
	s := open(t, w, h, change...)
	s.Type("/")
	return s
}

// TestEveryThemeDrawsTheSameScreen: colours never change a word or a place.
func TestEveryThemeDrawsTheSameScreen(t *testing.T) {
	for _, name := range themes.Names() {
		story(t, func(t *testing.T) {
			s := approvalFrame(t, 80, 24, func(s *setting) { s.Theme = theme(name) })
			s.Golden("05-approval-80x24")
		})
	}
}

package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// past is a timeline of four turns, of which the third was changed by the user since.
type past struct{ forked []int }

var noon = time.Date(2000, 1, 1, 12, 0, 0, 0, time.Local)

func (p *past) Turns(context.Context) ([]engine.Turn, error) {
	file := func(kind engine.FileKind, name string, add, del int) []engine.FileChange {
		return []engine.FileChange{{Path: workDir + "/" + name, Name: name, Kind: kind, Add: add, Del: del}}
	}
	return []engine.Turn{
		{Number: 1, ID: "u1", At: noon.Add(2 * time.Minute), Text: "Find out why the refresh test fails", Reads: 3, Here: true},
		{Number: 2, ID: "u2", At: noon.Add(9 * time.Minute), Text: "Fix the race", Files: file(engine.FileModified, "src/refresh.ts", 18, 6), Here: true},
		{Number: 3, ID: "u3", At: noon.Add(20 * time.Minute), Text: "Add a regression test 回归测试 👩‍👩‍👧 for it", Files: file(engine.FileAdded, "test/race.test.ts", 41, 0), Here: true},
		{Number: 4, ID: "u4", At: noon.Add(58 * time.Minute), Text: "Run all checks and fix what breaks", Runs: 2, Files: file(engine.FileModified, "src/cart/coupon.ts", 3, 1), Here: true,
			Took: 48 * time.Second, Why: engine.ExitFinished},
		{Number: 5, ID: "u5", At: noon.Add(61 * time.Minute), Text: "Rename it all"},
	}, nil
}

func (p *past) Rewind(_ context.Context, n int) (engine.Rewind, error) {
	switch n {
	case 1:
		return engine.Rewind{}, errors.New("a summary stands in between")
	case 3:
		return engine.Rewind{Turn: 3, Turns: 2, Files: []engine.FileChange{{Name: "test/race.test.ts", Kind: engine.FileDeleted, Del: 41, Edited: true}, {Name: "src/cart/coupon.ts", Kind: engine.FileModified, Add: 1, Del: 3}},
			Commands: []string{"dist/app.js"}}, nil
	}
	return engine.Rewind{Turn: n, Turns: 5 - n, Files: []engine.FileChange{{Name: "src/cart/coupon.ts", Kind: engine.FileModified, Add: 3, Del: 1}}}, nil
}

func (p *past) Diff(context.Context, int, string) (string, error) {
	return "--- a/src/cart/coupon.ts\n+++ b/src/cart/coupon.ts\n@@ -1,2 +1,2 @@\n-const 割引 = 3;\n+const 割引 = 1;\n end\n", nil
}

func (p *past) Fork(_ context.Context, n int) (string, error) {
	p.forked = append(p.forked, n)
	return "20000101_000000_copied", nil
}

// window is what fills the context.
type filled struct{ items []engine.LensItem }

func newFilled() *filled {
	price := 0.0126
	return &filled{[]engine.LensItem{
		{Kind: engine.LensSystem, Name: "System prompt", Text: "You are Talaria.", Tokens: 4200, NoPin: "every request begins with it", NoDrop: "every request begins with it", Price: &price},
		{Kind: engine.LensTools, Name: "Tools (22)", Text: "read_file, terminal", Tokens: 9100, NoPin: "every request begins with it", NoDrop: "tools.disabled_toolsets leaves tools out"},
		{ID: "u1", Kind: engine.LensUser, Name: "Fix the race", Text: "Fix the race", Tokens: 12, Turn: 1},
		{ID: "r1", Kind: engine.LensResult, Name: "Read src/auth/日本語のとても長い名前のファイル.ts", Text: strings.Repeat("const x = 1; ", 90), Tokens: 31000, Turn: 1},
	}}
}

func (w *filled) Items(context.Context) ([]engine.LensItem, error) {
	return append([]engine.LensItem(nil), w.items...), nil
}

func (w *filled) item(id string) *engine.LensItem {
	for i := range w.items {
		if w.items[i].ID == id {
			return &w.items[i]
		}
	}
	return &engine.LensItem{}
}

func (w *filled) Pin(_ context.Context, id string, on bool) error {
	w.item(id).Pinned = on
	return nil
}

func (w *filled) Drop(_ context.Context, id string, on bool) error {
	w.item(id).Dropped = on
	return nil
}

// book is a memory.
type book struct{ notes []string }

func (b *book) Pages(context.Context) ([]engine.NotePage, error) {
	return []engine.NotePage{{Name: "memory", Path: homeDir + "/.talaria/memories/MEMORY.md", Entries: append([]string(nil), b.notes...), Used: 120, Limit: 2200},
		{Name: "user", Path: homeDir + "/.talaria/memories/USER.md", Limit: 1375}}, nil
}

func (b *book) Change(_ context.Context, page, old, text string) error {
	if strings.Contains(text, "ignore all") {
		return errors.New("not remembered: the text tries to give orders")
	}
	kept := b.notes[:0:0]
	for _, n := range b.notes {
		if n != old {
			kept = append(kept, n)
		}
	}
	if text != "" {
		kept = append(kept, text)
	}
	b.notes = kept
	return nil
}

// crew is two agents.
type crew struct {
	stopped []string
	idle    bool
}

func (c *crew) Agents() []engine.AgentInfo {
	if c.idle {
		return nil
	}
	return []engine.AgentInfo{{ID: "agent_1", Goal: "find every caller of refresh", State: engine.AgentWorking, Step: 4, Began: noon.Add(65 * time.Minute), Doing: "Search refresh(", Cost: new(0.03)},
		{ID: "agent_2", Goal: "読む: the changelog 👩‍👩‍👧", State: engine.AgentWorking, Step: 1, Began: noon.Add(70*time.Minute - 42*time.Second)}}
}

func (c *crew) StopAgent(id string) { c.stopped = append(c.stopped, id) }

type till struct{}

func (till) Bill(context.Context) (engine.Bill, error) {
	u := engine.Usage{Input: 12_000, Output: 3_400, CacheRead: 88_000, CacheWrite: 9_000, Reasoning: 900}
	return engine.Bill{Total: u, Cost: new(0.21), Models: []engine.Share{{Name: "anthropic/sonnet-4.5", Turns: 3, Usage: u, Cost: new(0.19)}, {Name: "lab/unpriced", Turns: 1, Usage: u}},
		Side: engine.Share{Name: "side tasks", Usage: engine.Usage{Input: 900, Output: 40}, Cost: new(0.002)}, Squeezed: []engine.Squeeze{{At: noon, Before: 160_000, After: 41_000}}}, nil
}

type shelf struct{ ended []string }

func (s *shelf) List() []engine.Process {
	return []engine.Process{{ID: "bg_1", Command: "npm run dev -- --host 0.0.0.0", Dir: workDir, Running: true, Began: noon, Log: workDir + "/log"}, {ID: "bg_2", Command: "make", Dir: workDir, Exit: 2}}
}
func (s *shelf) Changed() <-chan struct{} { return make(chan struct{}) }
func (s *shelf) Tail(string, int) (string, error) {
	return "ready in 320 ms\n➜ 本地\x1b[31m red\n", nil
}
func (s *shelf) End(id string) error { s.ended = append(s.ended, id); return nil }
func (s *shelf) Shell(context.Context, string, bool) (engine.Result, error) {
	return engine.Result{}, nil
}

// views are what the overlays of a test ask.
type views struct {
	past  past
	win   *filled
	book  book
	crew  crew
	shelf shelf
}

// look shows a session with one turn behind it, and views.
func look(t *testing.T, w, h int) (*stage, *views) {
	v := &views{win: newFilled(), book: book{[]string{"The tests need Redis on 6380.", "Prefers short answers.\nAlways with the file name."}}}
	s := open(t, w, h, func(s *setting) {
		s.Views = Views{Timeline: &v.past, Lens: v.win, Memory: &v.book, Agents: &v.crew, Ledger: till{}}
		s.Clock = func() time.Time { return noon.Add(70 * time.Minute) }
		s.Processes, s.Context = &v.shelf, t.Context()
	})
	s.Tell(engine.Began{Turn: 1, Route: sonnet}, engine.Noted{Kind: engine.NoteTitle, Text: "fix auth tests"}, uitest.User("Fix the race."), uitest.Cost(76_000, 200_000, 0.21),
		engine.Ended{Why: engine.ExitFinished})
	s.ops()
	return s, v
}

// overlays are the ways into each overlay.
var overlays = []struct{ name, command string }{
	{"16-timeline", "/timeline"}, {"context", "/context"}, {"usage", "/usage"}, {"status", "/status"}, {"memory", "/memory"}, {"agents", "/agents"}, {"background", "/ps"}, {"queue", "/queue"},
}

func TestTheOverlaysAreAsTheirFrames(t *testing.T) {
	for _, o := range overlays {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
			name := fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				story(t, func(t *testing.T) {
					s, _ := look(t, size[0], size[1])
					s.Type(o.command + "\n")
					s.Pass(time.Second)
					s.Golden(name)
				})
			})
		}
	}
}

func TestEscTwiceOnAnEmptyPromptShowsTheTimelineAndChangesNothing(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 80, 24)
		s.Press("esc", "esc")
		s.Pass(time.Second)
		s.See("go back to any point", "Run all checks", "undone", "would remove 1 turn", "👩‍👩‍👧")
		s.Press("up")
		s.Pass(time.Second)
		s.See("edited since", "dist/app.js", "would remove 2 turns")
		s.Press("space")
		s.Pass(time.Second)
		s.See("割引")
		s.Press("esc", "esc")
		s.none(t)
		s.Type("words")
		s.Press("esc", "esc")
		s.NotSee("go back to any point")
	})
}

func TestAPointOfTheTimelineIsGoneBackToInFiveWays(t *testing.T) {
	story(t, func(t *testing.T) {
		for key, want := range map[string]engine.Undo{"1": {Turn: 4}, "2": {Turn: 4, What: engine.UndoChat}, "3": {Turn: 4, What: engine.UndoFiles}} {
			s, v := look(t, 80, 24)
			s.Type("/timeline\n")
			s.Pass(time.Second)
			s.Press("down")
			s.See("it was undone")
			s.Press(key) // a turn that was undone cannot be gone back to
			s.none(t)
			s.Press("up")
			s.Pass(time.Second)
			s.Press(key)
			if got := op[engine.Undo](t, s); got != want {
				t.Errorf("%s asked %+v, want %+v", key, got, want)
			}
			s.NotSee("go back to any point")
			s.Type("/timeline\n")
			s.Pass(time.Second)
			s.Press("5")
			if got := op[engine.Compact](t, s); got.From != "u4" {
				t.Errorf("summarised from %q", got.From)
			}
			s.NotSee("go back to any point")
			s.Type("/timeline\n")
			s.Pass(time.Second)
			s.Press("up", "4")
			s.Pass(time.Second)
			if got := op[engine.Open](t, s); got.Session != "20000101_000000_copied" || len(v.past.forked) != 1 || v.past.forked[0] != 3 {
				t.Errorf("forked at %v and opened %+v", v.past.forked, got)
			}
		}
	})
}

func TestTheContextLensPinsAndDrops(t *testing.T) {
	story(t, func(t *testing.T) {
		s, v := look(t, 100, 30)
		s.Type("/context\n")
		s.Pass(time.Second)
		s.See("System prompt", "Tools (22)", "Fix the race", "counted 76")
		s.Press("delete")
		s.See("cannot be dropped: every request begins with it")
		s.Press("down", "down", "space")
		s.Pass(time.Second)
		s.See("pinned")
		s.Press("down", "delete")
		s.Pass(time.Second)
		if !v.win.item("u1").Pinned || !v.win.item("r1").Dropped {
			t.Errorf("%+v", v.win.items)
		}
		s.See("not sent from the next request on")
		s.Press("delete", "s")
		s.Pass(time.Second)
		if v.win.item("r1").Dropped {
			t.Error("it was not taken back")
		}
	})
}

func TestTheMemoryIsChangedInPlaceAndRemovedByTwoPresses(t *testing.T) {
	story(t, func(t *testing.T) {
		s, v := look(t, 100, 30)
		s.Type("/memory\n")
		s.Pass(time.Second)
		s.Press("e")
		s.Type(" Not 6379.")
		s.Press("enter")
		s.Pass(time.Second)
		if got := v.book.notes[len(v.book.notes)-1]; got != "The tests need Redis on 6380. Not 6379." {
			t.Fatalf("%q", v.book.notes)
		}
		s.Press("x")
		s.See("again to remove")
		s.Press("down", "x")
		if len(v.book.notes) != 2 {
			t.Fatal("one press removed an entry")
		}
		s.Press("x")
		s.Pass(time.Second)
		if len(v.book.notes) != 1 {
			t.Fatalf("%q", v.book.notes)
		}
		s.Press("a")
		s.Type("ignore all")
		s.Press("enter")
		s.Pass(time.Second)
		s.See("tries to give orders")
	})
}

func TestAgentsAndProcessesAreStoppedByTwoPresses(t *testing.T) {
	story(t, func(t *testing.T) {
		s, v := look(t, 100, 30)
		s.Press("ctrl+x", "a")
		s.Pass(time.Second)
		s.See("find every caller", "Search refresh(")
		s.Press("x", "down", "x")
		if len(v.crew.stopped) > 0 {
			t.Fatal("one press stopped an agent")
		}
		s.Press("x", "X", "X")
		s.Pass(time.Second)
		if got := fmt.Sprintf("%q", v.crew.stopped); got != `["agent_2" ""]` {
			t.Errorf("stopped %s", got)
		}
		v.crew.idle = true // the list is told, and follows without a key
		s.Tell(engine.Child{Agent: "agent_1", Event: engine.Ended{Why: engine.ExitInterrupted}})
		s.Pass(time.Second)
		s.See("No agents are running.")
		s.Press("esc", "ctrl+x", "b")
		s.Pass(time.Second)
		s.See("npm run dev", "ready in 320 ms", "exit 2")
		s.Press("x", "x")
		s.Pass(time.Second)
		if len(v.shelf.ended) != 1 || v.shelf.ended[0] != "bg_1" {
			t.Errorf("ended %q", v.shelf.ended)
		}
	})
}

func TestTheQueueIsReorderedChangedAndTakenOut(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 100, 30)
		s.Tell(engine.Began{Turn: 2, Route: sonnet}, engine.Queued{Waiting: []engine.Waiting{{ID: "q1", Text: "first"}, {ID: "q2", Text: "second"}}})
		s.Type("/queue\n")
		s.Press("+")
		if got := op[engine.Queue](t, s); got != (engine.Queue{ID: "q1", Swap: "q2"}) { // one step: a turn that ends now takes one of them, whole
			t.Fatalf("%+v", got)
		}
		s.Tell(engine.Queued{Waiting: []engine.Waiting{{ID: "q2", Text: "second"}, {ID: "q1", Text: "first"}}})
		s.Press("e")
		s.Type("!")
		s.Press("enter")
		if got := op[engine.Queue](t, s); got != (engine.Queue{ID: "q1", Text: "first!"}) {
			t.Errorf("%+v", got)
		}
		s.Press("x")
		if got := op[engine.Queue](t, s); got != (engine.Queue{ID: "q1"}) {
			t.Errorf("%+v", got)
		}
	})
}

func TestUsageNamesModelsSideTasksAndWhatHasNoPrice(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := look(t, 100, 30)
		s.Press("ctrl+x", "g")
		s.Pass(time.Second)
		s.See("$0.21", "anthropic/sonnet-4.5", "? (a price is not known)", "side tasks", "<$0.01", "80% of what was sent", "160k to 41k")
		s.Type("words go to the prompt")
		s.See("words go to the prompt")
	})
}

func TestWhatIsNotThereSaysWhy(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/context\n")
		s.See("/context: the window cannot be looked at here.")
		s.Press("esc", "esc")
		s.Pass(time.Second)
		s.NotSee("go back to any point")
	})
}

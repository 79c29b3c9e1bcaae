package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/uitest"
)

func TestTheWorkPanelOpensByItselfAndStaysClosed(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 120, 36)
		s.NotSee("Tasks 2/5")
		s.Tell(workDone()...)
		s.See("Work", "Ctrl+T", "Tasks 2/5", "◐ Fix refresh race", "Files changed 1", "M src/auth/refresh.ts", "+5 −3", "Agents 1", "explore: session store")
		s.Tell(engine.CallEnded{Result: engine.Result{CallID: "new", Name: "write_file", Status: engine.StatusDone, Diff: "--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+x\n", Changed: []string{workDir + "/made.txt"}}})
		s.See("Files changed 2", "A made.txt")
		s.Press("ctrl+t")
		s.NotSee("Tasks 2/5")
		s.Tell(engine.Planned{Tasks: []engine.Task{{ID: "1", Content: "another list", Status: "pending"}}})
		s.NotSee("another list")
		s.Press("ctrl+x", "w")
		s.See("another list")
		s.Resize(109, 36)
		s.NotSee("another list")
		s.Resize(110, 36)
		s.See("another list")
	})
}

func TestALongTaskListKeepsWhatIsAtWorkInView(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 120, 24)
		var tasks []engine.Task
		for i := range 60 {
			tasks = append(tasks, engine.Task{ID: fmt.Sprint(i), Content: fmt.Sprintf("step %d 中文字符 👩‍👩‍👧‍👦 مرحبا %s", i, strings.Repeat("long ", 20)), Status: "pending"})
		}
		tasks[40].Status = "in_progress"
		s.Tell(workDone()...)
		s.Tell(engine.Planned{Tasks: tasks})
		s.See("◐ step 40", "more", "Files changed 1", "Agents 1")
	})
}

func TestTheTerminalIsToldOfProgressAndOfWhatNeedsYou(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30, func(s *setting) { s.Options.Terminal = Terminal{Notifies: "777", Progress: true} })
		bar := func() string {
			p := s.View().ProgressBar
			if p == nil {
				return "none"
			}
			return fmt.Sprintf("%v %d", p.State, p.Value)
		}
		want := func(state string) {
			t.Helper()
			if got := bar(); got != state {
				t.Errorf("the progress is %s, want %s", got, state)
			}
		}
		want("none")
		s.Tell(engine.Began{Turn: 1, Route: sonnet})
		want(fmt.Sprintf("%v 0", tea.ProgressBarIndeterminate))
		s.Tell(workDone()...)
		want(fmt.Sprintf("%v 40", tea.ProgressBarDefault))
		s.Send(tea.BlurMsg{})
		s.Raw = nil
		s.Tell(engine.Asked{Question: commandQuestion("q1", "npm test")})
		want(fmt.Sprintf("%v 40", tea.ProgressBarWarning))
		if got := fmt.Sprint(s.Raw); !strings.Contains(got, "777;notify;talaria: ⏸ needs you;Run a command") || strings.Count(got, "\a") != 1 {
			t.Errorf("sent %q", got)
		}
		if title := s.View().WindowTitle; !strings.HasPrefix(title, "⏸ ") {
			t.Errorf("the title is %q", title)
		}
		s.Tell(engine.Withdrawn{ID: "q1"}, uitest.Finished())
		want("none")
		if got := fmt.Sprint(s.Raw); !strings.Contains(got, "talaria: done") {
			t.Errorf("sent %q", got)
		}
		s.Tell(engine.Began{Turn: 2, Route: sonnet}, engine.Ended{Why: engine.ExitFailed})
		want(fmt.Sprintf("%v 40", tea.ProgressBarError))
	})
}

func TestNobodyIsDisturbedWhoLooks(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30, func(s *setting) { s.Options.Terminal.Notifies = "9" })
		s.Send(tea.FocusMsg{})
		s.Raw = nil
		s.Tell(engine.Began{Turn: 1, Route: sonnet})
		s.Pass(time.Minute)
		s.Tell(uitest.Finished())
		if len(s.Raw) > 0 {
			t.Errorf("sent %q", s.Raw)
		}
	})
	story(t, func(t *testing.T) { // a terminal that does not tell of its focus: who presses keys is there
		s := open(t, 100, 30, func(s *setting) { s.Options.Terminal = Terminal{Notifies: "9", Tmux: true} })
		s.Type("x")
		s.Tell(engine.Began{Turn: 1, Route: sonnet}, uitest.Finished())
		if len(s.Raw) > 0 {
			t.Errorf("sent %q", s.Raw)
		}
		s.Tell(engine.Began{Turn: 2, Route: sonnet})
		s.Pass(21 * time.Second)
		s.Tell(uitest.Finished())
		if got := fmt.Sprint(s.Raw); !strings.Contains(got, "\x1bPtmux;\x1b\x1b]9;talaria: done") {
			t.Errorf("sent %q", got)
		}
	})
	story(t, func(t *testing.T) {
		s := open(t, 100, 30, func(s *setting) { s.Options.Notify = "off" })
		s.Send(tea.BlurMsg{})
		s.Raw = nil
		s.Tell(engine.Began{Turn: 1, Route: sonnet}, engine.Asked{Question: commandQuestion("q1", "npm test")})
		if len(s.Raw) > 0 {
			t.Errorf("sent %q", s.Raw)
		}
	})
}

func TestWhoComesBackAfterFiveMinutesIsToldWhatHappened(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 120, 36)
		s.Send(tea.BlurMsg{})
		s.Tell(workDone()...)
		s.Pass(2 * time.Minute)
		s.Tell(engine.Asked{Question: commandQuestion("q1", "npm test")})
		s.Pass(4 * time.Minute)
		s.Send(tea.FocusMsg{})
		s.Press("esc") // the question
		s.See("While you were away: 2 tasks done, 1 change to files, waiting for you 4 min.")
	})
	story(t, func(t *testing.T) {
		s := working(t, 120, 36)
		s.Send(tea.BlurMsg{})
		s.Tell(workDone()...)
		s.Pass(4 * time.Minute)
		s.Send(tea.FocusMsg{})
		s.NotSee("While you were away")
	})
}

// background is what runs beside the conversation.
type background struct {
	mu      sync.Mutex
	list    []engine.Process
	changed chan struct{}
}

func (b *background) List() []engine.Process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.list)
}

func (b *background) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

func (b *background) set(list ...engine.Process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = list
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *background) Tail(string, int) (string, error) { return "", nil }
func (b *background) End(string) error                 { return nil }
func (b *background) Shell(context.Context, string, bool) (engine.Result, error) {
	return engine.Result{}, nil
}

func TestNoProcessOutlivesTheWindowUnasked(t *testing.T) {
	story(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		b := &background{changed: make(chan struct{})}
		s := open(t, 120, 36, func(s *setting) { s.Processes, s.Context = b, ctx })
		b.set(engine.Process{ID: "bg_1", Command: "npm run dev", Running: true, Began: time.Now()}, engine.Process{ID: "bg_2", Command: "make", Exit: 1})
		s.Wait()
		s.See("Background 1", "◐ npm run dev", "up 0m")
		before := s.Updates
		s.Pass(10 * time.Minute)
		if s.Updates != before {
			t.Errorf("%d updates while nothing happened", s.Updates-before)
		}
		s.Resize(100, 30)
		s.See("1 bg")
		s.Press("ctrl+d")
		s.See("1 command runs in the background.  s stop and quit · Esc stay")
		s.Press("esc")
		s.NotSee("stop and quit")
		b.set()
		s.Wait()
		s.NotSee("1 bg")
		s.Press("ctrl+d")
		if !s.Left {
			t.Error("it did not leave")
		}
	})
}

func TestTheStatusBarShowsWhatUIStatusNames(t *testing.T) {
	story(t, func(t *testing.T) {
		s := atWork(t, 120, 30, func(s *setting) { s.Options.Status = []string{"cost", "mode", "context"} })
		s.Tell(uitest.Says("x"))
		if got := s.Status(); !strings.HasSuffix(got, "$0.21 │ ask │ ctx 38% ▓▓▓▓░░░░░░ │ Esc stop") || strings.Contains(got, "0:0") || strings.Contains(got, "↑") {
			t.Errorf("the bar is %q", got)
		}
	})
	story(t, func(t *testing.T) { // what is never hidden stays
		s := atWork(t, 120, 30, func(s *setting) { s.Options.Status, s.Options.Mode = []string{"cost"}, "auto" })
		if got := s.Status(); !strings.Contains(got, "AUTO") || !strings.Contains(got, "ctx 38%") || !strings.Contains(got, "Esc stop") || !strings.Contains(got, "Waiting for") {
			t.Errorf("the bar is %q", got)
		}
	})
}

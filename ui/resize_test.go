package ui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"talaria/engine"
	"talaria/engine/soak"
	"talaria/ui/uitest"
)

func TestAStormOfSizesIsTheFirstAndTheLast(t *testing.T) {
	var due []time.Duration
	now := time.Unix(0, 0)
	r := &resizes{now: func() time.Time { return now }, after: func(d time.Duration, _ tea.Msg) { due = append(due, d) }}
	var got []int
	take := func(msg tea.Msg) {
		if size, ok := r.filter(nil, msg).(tea.WindowSizeMsg); ok {
			got = append(got, size.Width)
		}
	}
	for w := 100; w < 120; w++ {
		take(tea.WindowSizeMsg{Width: w, Height: 30})
		now = now.Add(time.Millisecond)
	}
	now = now.Add(10 * time.Millisecond)
	take(sizeDueMsg{})
	now = now.Add(time.Second)
	take(tea.WindowSizeMsg{Width: 80, Height: 24})
	if fmt.Sprint(got) != "[100 119 80]" || len(due) != 1 || due[0] != 29*time.Millisecond {
		t.Errorf("passed %v, due %v", got, due)
	}
	if _, ok := r.filter(nil, tea.FocusMsg{}).(tea.FocusMsg); !ok {
		t.Error("another message was dropped")
	}
}

// hard is text whose width is hard to know.
var hard = []string{"中文字符宽度", "👩‍👩‍👧‍👦🇩🇪👍🏽", "مرحبا بالعالم", "e\u0301a\u0308o\u0302", "ﾊﾝｶｸ", "שלום", "\u200b\u200d", strings.Repeat("long", 40), "한국어", "\u202eevil\u202c", "tab\there"}

// TestNoRowIsWiderThanItsScreen draws every frame, and every overlay over it, at random sizes, with text that is hard to
// measure in titles, tasks, agents, files, questions and the prompt. The driver checks rows and widths of each frame.
// Every day eight screens of chance words; in a soak twenty-four.
func TestNoRowIsWiderThanItsScreen(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 36))
	word := func() string {
		var out []string
		for range 1 + random.IntN(6) {
			out = append(out, hard[random.IntN(len(hard))])
		}
		return strings.Join(out, " ")
	}
	overlays := [][]string{nil, {"?"}, {"ctrl+x", "p"}, {"ctrl+x", "k"}, {"ctrl+x", "k", "enter", "ctrl+o"}, {"ctrl+x", "s"}, {"ctrl+x"}, {"/"}}
	for range len(soak.Every(make([]int, 24), 3, 0)) {
		story(t, func(t *testing.T) {
			b := &background{changed: make(chan struct{}), list: []engine.Process{{ID: "1", Command: word(), Running: true, Began: time.Now()}}}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			s := working(t, 120, 36, func(s *setting) { s.Processes, s.Context, s.Options.ASCII = b, ctx, random.IntN(2) == 0 })
			var tasks []engine.Task
			for i := range random.IntN(40) {
				tasks = append(tasks, engine.Task{ID: fmt.Sprint(i), Content: word(), Status: []string{"pending", "in_progress", "completed", "cancelled"}[random.IntN(4)]})
			}
			s.Tell(engine.Noted{Kind: engine.NoteTitle, Text: word()}, engine.Planned{Tasks: tasks}, engine.Child{Agent: word(), Event: engine.Began{Turn: 1}},
				engine.CallEnded{Line: word(), Result: engine.Result{CallID: "1", Name: "patch", Diff: "+" + word(), Changed: []string{workDir + "/" + word()}}},
				engine.Steered{Waiting: []engine.Waiting{{ID: "1", Text: word()}}}, engine.Queued{Waiting: []engine.Waiting{{ID: "2", Text: word()}}}, uitest.Says(word()))
			if random.IntN(3) == 0 {
				s.Tell(engine.Asked{Question: commandQuestion("q", word())})
			}
			if random.IntN(2) == 0 {
				s.Paste(word())
			}
			s.Press(overlays[random.IntN(len(overlays))]...)
			s.Pass(time.Second)
			for range 12 {
				s.Resize(36+random.IntN(165), 8+random.IntN(53))
				s.Pass(time.Millisecond)
			}
		})
	}
}

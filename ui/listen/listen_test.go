package listen

import (
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/uitest"
)

// Nothing is dropped or reordered (law 7), whatever the frames are.
func TestEveryPieceArrivesInOrder(t *testing.T) {
	e := uitest.NewEngine()
	var want []engine.Event
	for i := range 300 {
		want = append(want, uitest.Says(string(rune('a'+i%26))), uitest.Thinks("t"), uitest.Prints("1", "p"), uitest.Prints("2", "q"))
	}
	e.Tell(want...)
	e.Close()
	l := New(e.Events())
	var text strings.Builder
	for {
		msg := l.Next()()
		batch, ok := msg.(Batch)
		if !ok {
			break
		}
		for _, one := range batch {
			switch one := one.(type) {
			case engine.Streamed:
				if d, ok := one.Delta.(engine.TextDelta); ok {
					text.WriteString(d.Text)
				} else {
					text.WriteString(one.Delta.(engine.ThoughtDelta).Text)
				}
			case engine.CallWrote:
				text.WriteString(one.Text)
			}
		}
	}
	var all strings.Builder
	for i := range 300 {
		all.WriteString(string(rune('a'+i%26)) + "tpq")
	}
	if text.String() != all.String() {
		t.Errorf("got %q", text.String())
	}
}

// An engine tells several things at one moment, and the screen takes them as one: it must not depend on how fast it looks.
func TestWhatIsToldAtOneMomentComesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := uitest.NewEngine()
		got := make(chan tea.Msg, 1)
		go func() { got <- New(e.Events()).Next()() }()
		synctest.Wait()
		for range 3 {
			e.Tell(engine.Stepped{})
			synctest.Wait()
		}
		if batch := (<-got).(Batch); len(batch) != 3 {
			t.Errorf("%d of three events in the first delivery", len(batch))
		}
	})
}

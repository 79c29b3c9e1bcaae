package listen

import (
	"strings"
	"testing"

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

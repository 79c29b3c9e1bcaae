package waiting

import (
	"context"
	"strings"
	"testing"

	"talaria/engine"
)

func texts(list []engine.Waiting) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// TestAMessageThatIsMovedWhileATurnTakesOneIsSentOnceAndWhole: the turn may end before the move, or behind it; whichever
// comes first, every message goes out once.
func TestAMessageThatIsMovedWhileATurnTakesOneIsSentOnceAndWhole(t *testing.T) {
	for name, c := range map[string]struct {
		moveFirst bool
		sent      string
	}{"the move comes first": {true, "two"}, "the turn ends first": {false, "one"}} {
		t.Run(name, func(t *testing.T) {
			var told engine.Queued
			o := NewOutbox(func(_ context.Context, e engine.Event) {
				if q, ok := e.(engine.Queued); ok {
					told = q
				}
			})
			for _, text := range []string{"one", "two", "three"} {
				o.Queue(t.Context(), engine.Queue{Text: text})
			}
			move := engine.Queue{ID: told.Waiting[1].ID, Swap: told.Waiting[0].ID}
			if c.moveFirst {
				o.Queue(t.Context(), move)
			}
			first, ok := o.Next()
			if !c.moveFirst {
				o.Queue(t.Context(), move)
			}
			if !ok || first.Text != c.sent {
				t.Errorf("sent %q, want %q", first.Text, c.sent)
			}
			got := first.Text
			for w, ok := o.Next(); ok; w, ok = o.Next() {
				got += " " + w.Text
			}
			for _, text := range []string{"one", "two", "three"} {
				if strings.Count(got, text) != 1 {
					t.Errorf("sent %q: %q is not in it once", got, text)
				}
			}
		})
	}
}

func TestSteersChangePlacesAndStrangersChangeNothing(t *testing.T) {
	var told engine.Steered
	o := NewOutbox(func(_ context.Context, e engine.Event) {
		if s, ok := e.(engine.Steered); ok {
			told = s
		}
	})
	o.Steer(t.Context(), engine.Steer{Text: "one"})
	o.Steer(t.Context(), engine.Steer{Text: "two"})
	a, b := told.Waiting[0].ID, told.Waiting[1].ID
	o.Steer(t.Context(), engine.Steer{ID: b, Swap: a})
	if got := texts(told.Waiting); got != "two one" {
		t.Errorf("%q", got)
	}
	for _, s := range []engine.Steer{{ID: a, Swap: "msg_gone"}, {ID: "msg_gone", Swap: b}, {ID: "msg_gone", Swap: "msg_gone"}} {
		if o.Steer(t.Context(), s); texts(told.Waiting) != "two one" {
			t.Errorf("%+v: %q", s, texts(told.Waiting))
		}
	}
}

package chrome

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/ui/style"
	"talaria/ui/turn"
)

// numbers are what changes while nothing else does.
type numbers struct {
	elapsed          time.Duration
	in, out, context int
	cents, agents    int
	rate             int // characters a second
}

func anyNumbers(t *rapid.T) numbers {
	return numbers{elapsed: time.Duration(rapid.IntRange(3, 3599).Draw(t, "seconds")) * time.Second, in: rapid.IntRange(1, 999_000).Draw(t, "in"), out: rapid.IntRange(0, 999_000).Draw(t, "out"),
		context: rapid.IntRange(1, 199_999).Draw(t, "context"), cents: rapid.IntRange(0, 9999).Draw(t, "cents"), agents: rapid.IntRange(1, 9).Draw(t, "agents"), rate: rapid.IntRange(40, 3900).Draw(t, "rate")}
}

// stateOf is a turn in a state, with these numbers.
func stateOf(state turn.State, n numbers) *turn.Turn {
	tn := &turn.Turn{}
	tn.On(engine.Began{Turn: 1}, now.Add(-n.elapsed))
	tn.On(engine.Used{Usage: engine.Usage{Input: n.in, Output: n.out}}, now)
	tn.On(engine.Streamed{Delta: engine.TextDelta{Text: "x"}}, now.Add(-2*time.Second))
	tn.On(engine.Streamed{Delta: engine.TextDelta{Text: strings.Repeat("x", n.rate)}}, now)
	tn.State, tn.Asked = state, now.Add(-n.elapsed)
	tn.Retry = turn.Retry{Reason: "rate_limit", Until: now.Add(n.elapsed), Try: 2, Of: 5}
	if state == turn.Tools {
		tn.Tools = []turn.Tool{{Line: "$ npm test"}}
	}
	return tn
}

// columns are the places of the separators of a row.
func columns(row string) (at []int) {
	x := 0
	for _, r := range ansi.Strip(row) {
		if r == '│' || r == '·' {
			at = append(at, x)
		}
		x += style.Width(string(r))
	}
	return at
}

// UX 4.5: cells have fixed widths, so that nothing shakes. Whatever the numbers are, every separator stays where it is.
func TestNoCellMovesWhenANumberChanges(t *testing.T) {
	s := sheet(t)
	rapid.Check(t, func(t *rapid.T) {
		state := rapid.SampledFrom([]turn.State{turn.Ready, turn.Thinking, turn.Writing, turn.Tools, turn.NeedsYou, turn.Retrying}).Draw(t, "state")
		w := rapid.IntRange(36, 180).Draw(t, "width")
		budget := rapid.SampledFrom([]float64{0, 5}).Draw(t, "budget")
		row := func(n numbers) string {
			cost := float64(n.cents) / 100
			return Status(s, Facts{Turn: stateOf(state, n), Now: now, Key: "Esc stop", Mode: "ask", Context: n.context, Window: 200_000, Money: Money{&cost, budget},
				Route: engine.Route{Model: "sonnet-4.5"}, Beside: Beside{Agents: n.agents}}, w)
		}
		a, b := anyNumbers(t), anyNumbers(t)
		one, two := row(a), row(b)
		at, to := columns(one), columns(two)
		if len(at) != len(to) {
			t.Fatalf("cells came or went at %d:\n%s\n%s", w, ansi.Strip(one), ansi.Strip(two))
		}
		for i := range at {
			if at[i] != to[i] {
				t.Fatalf("a cell moved at %d:\n%s\n%s", w, ansi.Strip(one), ansi.Strip(two))
			}
		}
	})
}

// Every form of a cost below a hundred dollars has the same width, and every share of the window, with the warning and without.
func TestTheFormsOfACellAreAsWideAsOneAnother(t *testing.T) {
	s := sheet(t)
	want := ""
	for _, cents := range []float64{0, 0.2, 21, 999, 9999} {
		for _, context := range []int{1, 20_000, 76_000, 160_000, 199_000, 200_000} {
			for _, known := range []bool{true, false} {
				f := Facts{Turn: &turn.Turn{}, Now: now, Key: "? help", Mode: "ask", Context: context, Window: 200_000, Route: engine.Route{Model: "m"}}
				if cost := cents / 100; known {
					f.Money.Cost = &cost
				}
				row := ansi.Strip(Status(s, f, 100))
				if bars := strings.Join(strings.FieldsFunc(row, func(r rune) bool { return r != '│' }), ""); bars == "" {
					t.Fatal("there is no separator: the test is blind")
				}
				if at := columns(row)[0]; want == "" {
					want = row
				} else if at != columns(want)[0] {
					t.Errorf("the first separator of\n%s\nis not where that is of\n%s", row, want)
				}
			}
		}
	}
}

package transcript

import (
	"fmt"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/ui/transcript/feed"
)

func TestHiddenThoughtsTakeNoRowAndFullOnesAreWhole(t *testing.T) {
	s := newStage(t, 80, 20)
	s.on(user("go"), engine.Streamed{Delta: engine.ThoughtDelta{Text: "first\nsecond\nthird\nfourth\nfifth"}}, engine.Streamed{Delta: engine.TextDelta{Text: "Done."}})
	s.missing("second")
	s.SetReading(feed.Reading{Reasoning: "full"})
	s.see("second", "fifth")
	s.SetReading(feed.Reading{Reasoning: "hidden"})
	s.missing("Thought", "first")
	s.see("Done.")
}

func TestReadingFromTheTopStopsAtTheFirstRowOnce(t *testing.T) {
	s := newStage(t, 80, 10)
	s.SetReading(feed.Reading{Head: true})
	s.on(user("explain"))
	for i := range 40 {
		s.on(engine.Streamed{Delta: engine.TextDelta{Text: fmt.Sprintf("paragraph %d\n\n", i)}})
		s.View()
	}
	if s.Following() {
		t.Fatal("the view follows an answer longer than the pane")
	}
	if first, _, _ := strings.Cut(s.screen(), "\n"); first != "paragraph 0" {
		t.Errorf("the first row is %q", first)
	}
	if !strings.Contains(s.Pill(), "new lines") {
		t.Errorf("the pill says %q", s.Pill())
	}
	s.Bottom()
	s.on(engine.Streamed{Delta: engine.TextDelta{Text: "the end\n\n"}})
	s.see("the end")
	if !s.Following() {
		t.Error("the view was taken from a reader who went to the bottom")
	}
}

func TestQuietKeepsTheNameOfEveryAction(t *testing.T) {
	s := newStage(t, 80, 30)
	s.SetReading(feed.Reading{Level: feed.Quiet})
	for i := range 5 {
		id := fmt.Sprint(i)
		s.on(began(id, "$ step "+id), wrote(id, "noise "+id+"\n"), ended(id, engine.StatusDone, 0, ""))
	}
	for i := range 5 {
		s.see(fmt.Sprintf("$ step %d", i))
		s.missing(fmt.Sprintf("noise %d", i))
	}
}

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

// oldTurns is a past of numbered turns that is read back a turn at a time.
type oldTurns struct {
	err   error
	asked []int // how many records were asked for, each time
}

func (s *oldTurns) turn(i int) (recs []engine.Record) {
	for _, e := range append([]engine.Event{engine.Began{Turn: i + 1, Route: sonnet}, uitest.User(fmt.Sprintf("old question %d", i))}, uitest.Reply(fmt.Sprintf("Old answer %d.\n\nIt has a second paragraph.", i))...) {
		recs = append(recs, engine.Record{Event: e})
	}
	return recs
}

// Earlier returns the turn before p.Before; a large n returns all that are left.
func (s *oldTurns) Earlier(_ context.Context, p engine.Place, n int) (page engine.Page, _ error) {
	s.asked = append(s.asked, n)
	if s.err != nil {
		return page, s.err
	}
	from := max(0, int(p.Before)-1)
	if n > 1000 {
		from = 0
	}
	for i := from; i < int(p.Before); i++ {
		page.Records = append(page.Records, s.turn(i)...)
	}
	if from > 0 {
		page.Next = &engine.Place{Session: p.Session, Before: uint64(from)}
	}
	return page, nil
}

// resumed is a session of a hundred turns that is opened with its last three.
func resumed(t *testing.T, w, h int) (*stage, *oldTurns) {
	past := &oldTurns{}
	s := start(t, w, h, func(s *setting) { s.Views.Past = past })
	var recs []engine.Record
	for i := 97; i < 100; i++ {
		recs = append(recs, past.turn(i)...)
	}
	s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir, Route: sonnet, Cost: new(float64), Turns: 100}, Resumed: true, Past: recs,
		Earlier: &engine.Place{Session: thisSession, Before: 97}})
	return s, past
}

func TestASessionOpensWithItsEndAndTheRestComesAsTheReaderScrolls(t *testing.T) {
	story(t, func(t *testing.T) {
		s, past := resumed(t, 80, 24)
		s.See("Old answer 99.")
		begun := len(past.asked)
		if begun == 0 || begun > 20 {
			t.Errorf("%d pages were read for the first screens", begun)
		}
		for range 60 {
			s.Press("pgup")
		}
		s.See("old question 0")
		s.NotSee("reading older")
		if len(past.asked) != 97 {
			t.Errorf("%d pages were read, want each of the 97 once", len(past.asked))
		}
		s.Press("ctrl+end")
		s.See("Old answer 99.")
	})
}

func TestTheFirstRowAndASearchReadAllThatIsOlder(t *testing.T) {
	story(t, func(t *testing.T) {
		s, past := resumed(t, 80, 24)
		s.Press("ctrl+home")
		s.See("old question 0")
		if n := len(past.asked); past.asked[n-1] < 1000 {
			t.Errorf("the first row was looked for in pages of %d", past.asked[n-1])
		}
	})
	story(t, func(t *testing.T) {
		s, _ := resumed(t, 80, 24)
		s.Press("ctrl+x", "/")
		s.Type("question 4")
		s.Press("enter")
		s.See("old question 4", "11 of 11") // 4 and 40 to 49
		s.Press("N")
		s.See("10 of 11")
	})
}

func TestWhatIsOlderThatCannotBeReadIsSaidOnceAndTriedAgain(t *testing.T) {
	story(t, func(t *testing.T) {
		past := &oldTurns{err: errors.New("the disk is gone")}
		s := start(t, 80, 24, func(s *setting) { s.Views.Past = past })
		s.Tell(engine.Opened{Session: engine.Session{ID: thisSession, Dir: workDir, Route: sonnet, Cost: new(float64)}, Resumed: true, Past: past.turn(3),
			Earlier: &engine.Place{Session: thisSession, Before: 3}})
		for range 5 {
			s.Press("pgup")
		}
		if n := strings.Count(s.Text(), "Older messages cannot be read"); n != 1 || len(past.asked) != 1 {
			t.Errorf("it is said %d times after %d reads:\n%s", n, len(past.asked), s.Text())
		}
		past.err = nil
		s.Pass(6 * time.Second)
		s.Press("pgup")
		s.Press("ctrl+home")
		s.See("old question 0")
	})
}

func TestPagesOfASessionThatWasLeftAreNotShownInTheNext(t *testing.T) {
	story(t, func(t *testing.T) {
		s, _ := resumed(t, 80, 24)
		s.Tell(engine.Opened{Session: engine.Session{ID: "another", Dir: workDir, Route: sonnet, Cost: new(float64)}})
		s.Press("pgup", "ctrl+home")
		s.NotSee("old question")
	})
}

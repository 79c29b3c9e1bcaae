package transcript

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/ui/transcript/feed"
)

// rounds are n turns as a journal has them, each a page that may stand alone.
func rounds(from, n int) (pages [][]engine.Record) {
	for i := from; i < from+n; i++ {
		id := fmt.Sprint("r", i)
		var recs []engine.Record
		for _, e := range []engine.Event{turn(), user(fmt.Sprintf("old question %d", i)), assistant(engine.Text{Text: fmt.Sprintf("Old answer %d has a first line.\n\n- and a list\n- of two", i)}),
			began(id, "$ old command "+id), ended(id, engine.StatusDone, 1000, "")} {
			recs = append(recs, engine.Record{Event: e})
		}
		pages = append(pages, recs)
	}
	return pages
}

// packs is a page whose last block is a tool line, before a page whose first is one too.
func packs(i int) []engine.Record {
	id := fmt.Sprint("p", i)
	return []engine.Record{{Event: engine.Stepped{Iteration: i}}, {Event: began(id, "$ packed "+id)}, {Event: ended(id, engine.StatusDone, 10, "")}}
}

func TestOlderPagesLookAsIfTheyHadBeenThereFromTheStart(t *testing.T) {
	pages := append(rounds(0, 10), packs(0), packs(1), packs(2))
	pages = append(pages, rounds(10, 5)...)
	whole := newStage(t, 60, 12)
	var all []engine.Record
	for _, p := range pages {
		all = append(all, p...)
	}
	whole.on(engine.Opened{Past: all})
	s := newStage(t, 60, 12)
	s.on(engine.Opened{Past: pages[len(pages)-1]})
	s.SetMore(true)
	for i := len(pages) - 2; i >= 0; i-- {
		s.Prepend(pages[i], i > 0)
	}
	if s.screen() != whole.screen() || !s.Following() {
		t.Fatalf("the last screen:\n%s\nwant:\n%s", s.screen(), whole.screen())
	}
	for range 200 {
		s.ScrollBy(-1)
		whole.ScrollBy(-1)
		if top, _, _ := whole.top(); top.block == 0 && top.row == 0 {
			return
		}
		if s.screen() != whole.screen() {
			t.Fatalf("paged:\n%s\nwhole:\n%s", s.screen(), whole.screen())
		}
	}
	t.Fatal("the top was never reached")
}

// TestTheAnchoredRowStaysWhileOlderPagesCome: pages arrive at any moment among whatever else happens, at any size.
func TestTheAnchoredRowStaysWhileOlderPagesCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &reader{stage: newStage(t, 70, 15)}
		hundred(r.stage, 6)
		r.SetMore(true)
		r.settle()
		pages := append(rounds(0, 6), packs(0), packs(1))
		for len(pages) > 0 {
			for range rapid.IntRange(0, 6).Draw(t, "steps") {
				r.step(t)
			}
			if rapid.Bool().Draw(t, "from the very top") {
				r.ScrollBy(-10000)
				r.settle()
			}
			before, shown := r.screen(), r.Following()
			page := pages[len(pages)-1]
			pages = pages[:len(pages)-1]
			r.Prepend(page, len(pages) > 0)
			fits(t, r.stage)
			after := r.screen()
			for y, line := range strings.Split(before, "\n") {
				if got := strings.Split(after, "\n")[y]; got != line && line != "" && !strings.Contains(line, "older messages") {
					t.Fatalf("row %d was %q and is %q (following %v)\nbefore:\n%s\nafter:\n%s", y, line, got, shown, before, after)
				}
			}
			r.settle()
		}
	})
}

func TestWhatIsOlderIsAskedForBeforeTheReaderComesToIt(t *testing.T) {
	s := newStage(t, 60, 10)
	s.on(engine.Opened{})
	if s.Need() != NeedNone {
		t.Error("a session that is all here needs more")
	}
	s.SetMore(true)
	if s.Need() != NeedPage {
		t.Error("an empty screen needs nothing")
	}
	hundred(s, 20)
	if s.Need() != NeedNone {
		t.Error("the end of a long page needs more")
	}
	s.see("Answer 19")
	s.ScrollBy(-100000)
	if s.Need() != NeedPage {
		t.Error("the first row needs nothing")
	}
	s.see("↑ reading older messages…")
	s.Bottom()
	s.Find("question 3")
	if s.Need() != NeedAll {
		t.Error("a search does not need all")
	}
	s.Find("")
	s.Top()
	if s.Need() != NeedAll || !strings.Contains(s.Pill(), "reading older") {
		t.Errorf("the very first row needs %v, pill %q", s.Need(), s.Pill())
	}
	s.ScrollBy(1)
	if s.Need() == NeedAll {
		t.Error("a reader who went on still waits for the first row")
	}
}

func TestTheTopIsReachedOverAllPages(t *testing.T) {
	s := newStage(t, 60, 10)
	hundred(s, 5)
	s.SetMore(true)
	s.Top()
	pages := rounds(0, 3)
	for i := 2; i >= 0; i-- {
		s.Prepend(pages[i], i > 0)
	}
	if first, _, _ := strings.Cut(s.screen(), "\n"); first != "❯ old question 0" || s.Need() != NeedNone {
		t.Errorf("the first row is %q, need %v", first, s.Need())
	}
	s.missing("reading older")
}

func TestASearchGoesOnInWhatIsOlder(t *testing.T) {
	s := newStage(t, 60, 10)
	hundred(s, 5)
	s.SetMore(true)
	s.Browse()
	s.Find("old question")
	s.NextHit(-1, true)
	if _, n, more := s.Hits(); n != 0 || !more {
		t.Errorf("%d hits, more %v", n, more)
	}
	pages := rounds(0, 3)
	s.Prepend(pages[2], true)
	if at, n, more := s.Hits(); at != 1 || n != 1 || !more {
		t.Errorf("hit %d of %d, more %v", at, n, more)
	}
	s.see("old question 2")
	s.Prepend(pages[1], true)
	s.Prepend(pages[0], false)
	if at, n, more := s.Hits(); at != 3 || n != 3 || more {
		t.Errorf("hit %d of %d, more %v", at, n, more)
	}
	s.NextHit(-1, false)
	if item, ok := s.Focused(); !ok || item.Text != "old question 1" {
		t.Errorf("the one before is %q", item.Text)
	}
}

func TestAStepToAnOlderMessageWaitsForIt(t *testing.T) {
	s := newStage(t, 60, 10)
	s.on(user("the only one"), assistant(engine.Text{Text: "Yes."}))
	s.SetMore(true)
	s.Browse()
	s.StepTo(feed.KindYou, -1)
	s.StepTo(feed.KindYou, -1)
	if s.Need() == NeedNone {
		t.Fatal("nothing is asked for")
	}
	s.Prepend(packs(0), true) // no message of the user's in it
	s.Prepend(rounds(0, 1)[0], true)
	if item, _ := s.Focused(); item.Text != "old question 0" {
		t.Errorf("%q is in use", item.Text)
	}
}

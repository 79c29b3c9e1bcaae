package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/engine"
)

// hundred fills a conversation with n messages and an answer each.
func hundred(s *stage, n int) {
	for i := range n {
		s.on(user(fmt.Sprintf("question %d", i)), assistant(engine.Text{Text: fmt.Sprintf("Answer %d has a first line.\n\n- and a list\n- of two things\n", i)}))
		id := fmt.Sprintf("t%d", i)
		s.on(began(id, fmt.Sprintf("$ command %d", i)), wrote(id, strings.Repeat("output\n", 9)), ended(id, engine.StatusDone, 1000, ""))
	}
}

func TestU12TheViewStaysWhileTheReplyGoesOn(t *testing.T) {
	s := newStage(t, 80, 20)
	hundred(s, 100)
	s.ScrollBy(-20)
	before := s.screen()
	for i := range 50 {
		s.on(says(fmt.Sprintf("word %d and more words that wrap at some point\n\n", i)))
		if s.screen() != before {
			t.Fatalf("the view moved at delta %d:\n%s", i, s.screen())
		}
	}
	if s.Following() || s.NewLines() != 100 || s.Pill() != "↓ 100 new lines · Ctrl+End" {
		t.Errorf("following %v, %d new lines, pill %q", s.Following(), s.NewLines(), s.Pill())
	}
	s.on(engine.Asked{Question: engine.Question{ID: "q"}})
	if s.Pill() != "↓ needs you · Ctrl+End" {
		t.Errorf("pill %q", s.Pill())
	}
	s.on(engine.Withdrawn{ID: "q"})
	top := strings.Split(before, "\n")[0]
	s.SetSize(40, 20)
	s.SetSize(80, 12)
	if got := strings.Split(s.screen(), "\n")[0]; got != top {
		t.Errorf("after resizing there and back the first row is %q, not %q", got, top)
	}
	s.ScrollBy(10000)
	if !s.Following() || s.Pill() != "" {
		t.Error("reaching the last row does not follow")
	}
	s.see("word 49")
}

func TestExpandingKeepsTheFirstRowWhereItIs(t *testing.T) {
	s := newStage(t, 80, 20)
	hundred(s, 10)
	row := func() int {
		for y, line := range s.View() {
			if strings.Contains(ansi.Strip(line), "$ command 9") {
				return y
			}
		}
		return -1
	}
	y := row()
	if !s.ToggleAt(y) {
		t.Fatal("nothing to expand")
	}
	if row() != y || s.Following() {
		t.Errorf("the row moved from %d to %d, following %v", y, row(), s.Following())
	}
	if n := s.NewLines(); n != 0 {
		t.Errorf("expanding counts as %d new lines", n)
	}
	s.on(user("and now?"))
	if n := s.NewLines(); n != 2 {
		t.Errorf("%d new lines, want 2", n)
	}
	if s.ToggleAt(-1) || s.ToggleAt(20) {
		t.Error("a row outside the view was toggled")
	}
}

func TestScrollingMeetsBothEnds(t *testing.T) {
	s := newStage(t, 80, 20)
	s.on(user("short"))
	for _, move := range []func(){s.PageUp, s.PageDown, s.Top, s.Bottom, func() { s.ScrollBy(-1) }} {
		move()
		if !s.Following() {
			t.Fatal("a conversation that fits has nowhere to scroll")
		}
	}
	hundred(s, 20)
	bottom := s.screen()
	s.PageUp()
	s.PageDown()
	if !s.Following() || s.screen() != bottom {
		t.Errorf("up and down again gives:\n%s", s.screen())
	}
	s.ScrollBy(-100000)
	if got := strings.Split(s.screen(), "\n")[0]; got != "❯ short" {
		t.Errorf("the first row is %q", got)
	}
	top := s.screen()
	if s.Top(); s.screen() != top {
		t.Errorf("Top gives:\n%s", s.screen())
	}
	var rows []string
	for !s.Following() {
		rows = append(rows, strings.Split(s.screen(), "\n")[0])
		s.ScrollBy(1)
	}
	if all := strings.Join(rows, "\n"); !strings.HasPrefix(all, "❯ short\n\n❯ question 0\n\nAnswer 0") {
		t.Errorf("row by row:\n%.200s", all)
	}
}

// reader checks law 2 of scrolling: whatever happens, the first row stays while the reader is anchored.
type reader struct {
	*stage
	first string
	calls int
}

func (r *reader) settle() {
	if r.Following() {
		r.ScrollBy(-7)
	}
	r.first = r.row()
}

func (r *reader) row() string { return ansi.Strip(r.View()[0]) }

// hold does something that must not move the first row. The block to which it belongs may change, as when the clock of
// a tool appears in its line: then the row stays, with what is new in it.
func (r *reader) hold(t *rapid.T, what string, do func()) {
	at, anchored := r.view.at, !r.Following()
	version := r.feed.Entries[at.block].Version()
	do()
	fits(t, r.stage)
	if shrinks := what == "another height" || what == "expanding another block" || what == "another width and back" || what == "a retry"; anchored && r.Following() && !shrinks {
		t.Fatalf("%s made the view follow", what)
	}
	if p, ok := r.find(at); !anchored || !ok || p.block != at.block || r.Following() {
		r.settle() // the block itself was taken back, or the last row was reached
		return
	}
	if r.feed.Entries[at.block].Version() != version {
		if top, _, _ := r.top(); top.row != min(at.row, len(r.rows(at.block))-1) {
			t.Fatalf("%s moved the view from row %d of a block to row %d", what, at.row, top.row)
		}
		r.settle()
		return
	}
	if got := r.row(); got != r.first {
		t.Fatalf("%s moved the first row from %q to %q", what, r.first, got)
	}
}

func TestU12TheAnchoredRowNeverMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &reader{stage: newStage(t, 70, 15)}
		hundred(r.stage, 12)
		r.settle()
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			r.step(t)
		}
	})
}

func (r *reader) step(t *rapid.T) {
	id := fmt.Sprint("c", r.calls)
	switch rapid.IntRange(0, 12).Draw(t, "step") {
	case 0, 1:
		r.hold(t, "a delta", func() { r.on(says("some words that go on\n\n")) })
	case 2:
		r.hold(t, "a thought", func() { r.on(thinks("hm, let me see\n")) })
	case 3:
		r.calls++
		id = fmt.Sprint("c", r.calls)
		r.hold(t, "a call", func() { r.on(fin(), assistant(), began(id, "$ run "+id)) })
	case 4:
		r.hold(t, "output", func() { r.on(wrote(id, "line\nline\n")) })
	case 5:
		r.hold(t, "the end of a call", func() { r.on(ended(id, engine.StatusFailed, 5000, "exit 1")) })
	case 6:
		r.hold(t, "a retry", func() { r.on(engine.Streamed{Delta: engine.Retry{Action: engine.ActionRetry, After: 3 * time.Second}}) })
	case 7:
		r.hold(t, "a second", func() { r.pass(time.Second) })
	case 8:
		i := rapid.IntRange(0, len(r.feed.Entries)-1).Draw(t, "block")
		if i != r.view.at.block && len(r.rows(i)) > 0 {
			r.hold(t, "expanding another block", func() { r.toggle(i) })
		}
	case 9:
		h := rapid.IntRange(5, 25).Draw(t, "height")
		r.hold(t, "another height", func() { r.SetSize(70, h) })
	case 10:
		w := rapid.IntRange(20, 120).Draw(t, "width")
		r.hold(t, "another width and back", func() { r.SetSize(w, r.view.height); fits(t, r.stage); r.SetSize(70, r.view.height) })
	case 11:
		n := rapid.IntRange(-30, 30).Draw(t, "rows")
		r.ScrollBy(n)
		fits(t, r.stage)
		r.settle()
	case 12:
		r.hold(t, "a message", func() { r.on(user("next")) })
	}
}

func TestTheFirstRowIsWhatTheCallerSeesAfterScrolling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStage(t, 60, 10)
		hundred(s, 5)
		for range 10 {
			before := s.View()
			n := rapid.IntRange(1, 8).Draw(t, "n")
			was := s.Following()
			s.ScrollBy(-n)
			if top, _, _ := s.top(); top.block == 0 && top.row == 0 || was && s.Following() {
				return
			}
			if got := s.View(); strings.Join(got[n:], "\n") != strings.Join(before[:10-n], "\n") {
				t.Fatalf("scrolling up by %d:\n%s\nafter\n%s", n, strings.Join(got, "\n"), strings.Join(before, "\n"))
			}
		}
	})
}

// tenThousand is the past of a long session.
func tenThousand() []engine.Record {
	var past []engine.Record
	for i := range 5000 {
		past = append(past, engine.Record{Event: user(fmt.Sprintf("question %d", i))},
			engine.Record{Event: assistant(engine.Text{Text: strings.Repeat("An answer with `code` and **bold** words. ", 20)})})
	}
	return past
}

func TestALongSessionLaysOutOnlyWhatIsSeen(t *testing.T) {
	s := newStage(t, 100, 40)
	s.on(engine.Opened{Past: tenThousand()})
	s.View()
	if s.layout.laid > 100 {
		t.Errorf("%d blocks were laid out for one screen", s.layout.laid)
	}
	pages := 300
	if raceOn {
		pages = 60
	}
	for range pages {
		s.PageUp()
		s.View()
	}
	if s.layout.laid > maxLaid+50 {
		t.Errorf("%d layouts are kept", s.layout.laid)
	}
	s.Top()
	s.see("question 0")
}

func BenchmarkOpenTenThousandMessages(b *testing.B) {
	past := tenThousand()
	for b.Loop() {
		s := newStage(b, 100, 40)
		s.on(engine.Opened{Past: past})
		s.View()
	}
}

func BenchmarkResizeTenThousandMessages(b *testing.B) {
	s := newStage(b, 100, 40)
	s.on(engine.Opened{Past: tenThousand()})
	w := 0
	for b.Loop() {
		w++
		s.SetSize(80+w%2, 40)
		s.View()
	}
}

// BenchmarkStreamFrame is one delta and one frame at the end of a long answer.
func BenchmarkStreamFrame(b *testing.B) {
	s := newStage(b, 100, 40)
	s.on(says(strings.Repeat("A paragraph with `code` and **bold** words that is not too long.\n\n", 1500)))
	for b.Loop() {
		s.on(says("word "))
		s.View()
	}
}

func BenchmarkThoughtOf100000Lines(b *testing.B) {
	s := newStage(b, 100, 40)
	s.on(thinks(strings.Repeat("\n", 50000) + strings.Repeat("a line of thought\n", 50000)))
	for b.Loop() {
		s.on(thinks("more\n"))
		s.View()
	}
}

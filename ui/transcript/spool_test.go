package transcript

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
	"talaria/ui/uitest"
)

func spooled(t *testing.T) *Transcript {
	t.Helper()
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	log := New(style.New(theme, false))
	log.SetSize(60, 20)
	return log
}

// However the events are cut and whenever the rows are taken, what was taken is in the end the conversation as it is laid
// out: each row once, and none that changed later.
func TestWhatIsPrintedIsTheConversation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	answer := "# Head\n\nSome *words* that are long enough to be wrapped once at this width, I think.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nfunc f() {\n}\n```\n\nEnd."
	for round := range 5 {
		log := spooled(t)
		var got []string
		take := func(active bool) { got = append(got, log.Unspool(active)...) }
		for turn := range 3 {
			log.On(engine.Began{Turn: turn + 1}, false)
			log.On(uitest.User(fmt.Sprintf("question %d", turn)), false)
			log.On(uitest.Thinks("hm"), false)
			for rest := answer; rest != ""; {
				n := 1 + rng.IntN(min(len(rest), 40))
				log.On(uitest.Says(rest[:n]), false)
				if rest = rest[n:]; rng.IntN(3) == 0 {
					take(true)
				}
			}
			log.On(uitest.Reply(answer)[2], false)
			log.On(uitest.Runs("a", "Read a"), false)
			log.On(uitest.Runs("b", "$ b"), false)
			take(true)
			log.On(uitest.Prints("b", "line\n"), false)
			log.On(uitest.Done("b", "$ b", "", 0), false)
			take(true)
			log.On(uitest.Done("a", "Read a", "3 lines", 0), false)
			log.On(uitest.Reply("Done.")[2], false)
			if log.On(uitest.Finished(), false); rng.IntN(2) == 0 {
				take(false)
			}
		}
		take(false)
		var want []string
		for i := range log.feed.Entries {
			if len(log.rows(i)) > 0 {
				want = append(append(want, make([]string, log.gap(i))...), log.rows(i)...)
			}
		}
		if plain(got) != plain(want) {
			t.Fatalf("round %d: printed\n%s\n\nthe conversation\n%s", round, plain(got), plain(want))
		}
		if rows := log.Live(10); len(rows) > 0 || !log.Spooled() {
			t.Errorf("still live: %q", rows)
		}
	}
}

func plain(rows []string) string { return ansi.Strip(strings.Join(rows, "\n")) }

// An answer that is half printed goes on at the same word when the width changes.
func TestAWidthThatChangesNeitherRepeatsNorLosesText(t *testing.T) {
	log := spooled(t)
	log.On(engine.Began{Turn: 1}, false)
	var all []string
	for i := range 30 {
		word := fmt.Sprintf("word%02d", i)
		all = append(all, word)
		log.On(uitest.Says(strings.Repeat("filler ", 12)+word+"\n\n"), false)
	}
	got := log.Unspool(true)
	log.SetSize(33, 20)
	log.On(uitest.Says("And more.\n\nAnd last."), false)
	got = append(got, log.Unspool(true)...)
	log.SetSize(90, 20)
	got = append(append(got, log.Live(20)...), "")
	text := plain(got)
	for _, w := range append(all, "And more.", "And last.") {
		if strings.Count(text, w) != 1 {
			t.Errorf("%s stands %d times in\n%s", w, strings.Count(text, w), text)
		}
	}
	for _, r := range got {
		if style.Width(r) > 90 {
			t.Errorf("wider than any window: %q", r)
		}
	}
}

func TestAnAnswerThatIsTakenBackIsToldOf(t *testing.T) {
	log := spooled(t)
	log.On(engine.Began{Turn: 1}, false)
	log.On(uitest.Says("First paragraph.\n\nSecond paragraph.\n\nThird"), false)
	got := log.Unspool(true)
	log.On(engine.Streamed{Delta: engine.Retry{Err: &engine.Error{Reason: engine.ReasonOverloaded}, Action: engine.ActionRetry}}, false)
	log.On(uitest.Says("First paragraph.\n\nSecond one."), false)
	log.On(uitest.Reply("First paragraph.\n\nSecond one.")[2], false)
	log.On(uitest.Finished(), false)
	got = append(got, log.Unspool(false)...)
	if text := plain(got); !strings.Contains(text, "broke off and begins anew") || strings.Count(text, "Second one.") != 1 {
		t.Errorf("%s", text)
	}
}

func TestALongSessionBeginsWithItsEnd(t *testing.T) {
	log := spooled(t)
	var past []engine.Record
	for i := range 100 {
		past = append(past, engine.Record{Event: uitest.User(fmt.Sprintf("question %d", i))})
	}
	log.On(engine.Opened{Resumed: true, Past: past}, false)
	if !log.Respool(20) {
		t.Error("nothing was left out")
	}
	got := log.Unspool(false)
	if len(got) == 0 || len(got) > 20 || !slices.ContainsFunc(got, func(r string) bool { return strings.Contains(r, "question 99") }) {
		t.Errorf("%d rows: %q", len(got), got)
	}
}

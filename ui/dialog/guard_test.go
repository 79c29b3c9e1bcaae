package dialog

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

func TestNoKeyWithin400msAnswers(t *testing.T) {
	all := []string{"y", "1", "s", "2", "n", "5", "enter", "down", "up", "tab", "space", "d", "x"}
	s := sheet(t)
	rapid.Check(t, func(rt *rapid.T) {
		keys := rapid.SliceOfN(rapid.SampledFrom(all), 1, 20).Draw(rt, "keys")
		gap := time.Duration(rapid.IntRange(0, 399/len(keys)).Draw(rt, "gap")) * time.Millisecond
		synctest.Test(t, func(t *testing.T) {
			var a answers
			for _, open := range []func() Dialog{
				func() Dialog { return Clarify(s, clarifyQuestion(), time.Now(), a.take) },
				func() Dialog { return Trust(s, clarifyQuestion(), time.Now(), a.take) },
			} {
				d := open()
				for _, k := range keys {
					if _, closed := press(d, k); closed {
						t.Fatalf("%T closed on %s", d, k)
					}
					time.Sleep(gap)
				}
			}
			a.want(t)
		})
	})
}

func TestAKeyPressedAgainAfterAPauseAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a answers
		d := Clarify(sheet(t), clarifyQuestion(), time.Now(), a.take)
		for range 2 { // both within the guard
			time.Sleep(300 * time.Millisecond)
			press(d, "2")
			a.want(t)
			for _, size := range screens {
				if view, _ := d.View(size.w, size.room); !strings.Contains(ansi.Strip(view), "Too early: press it again") {
					t.Fatalf("an ignored key goes without a word:\n%s", ansi.Strip(view))
				}
			}
		}
		time.Sleep(300 * time.Millisecond)
		if _, closed := press(d, "2"); !closed {
			t.Fatal("the third press within a second is ignored too")
		}
		a.want(t, engine.Answer{ID: "q3", Choice: "In memory"})
	})
}

func TestDialogsTakeAnotherTheme(t *testing.T) {
	paper, err := themes.Load("paper")
	if err != nil {
		t.Fatal(err)
	}
	dusk, light, none := sheet(t), style.New(paper, false), (&answers{}).take
	make := func(s style.Sheet) []Dialog {
		return []Dialog{Clarify(s, clarifyQuestion(), longAgo(), none),
			Trust(s, clarifyQuestion(), longAgo(), none), Help(s, bindings(), commands()), Connect(s, ConnectDeps{Known: connections()})}
	}
	want := make(light)
	for i, d := range make(dusk) {
		before, _ := d.View(80, 20)
		d.(interface{ SetSheet(style.Sheet) }).SetSheet(light)
		after, _ := d.View(80, 20)
		if w, _ := want[i].View(80, 20); after != w || after == before {
			t.Errorf("%T keeps the old colours", d)
		}
	}
}

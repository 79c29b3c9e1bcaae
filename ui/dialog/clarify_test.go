package dialog

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
)

func TestClarifyAnswers(t *testing.T) {
	for keys, want := range map[string]engine.Answer{
		"2":                                  {ID: "q3", Choice: "In memory"},
		"down enter":                         {ID: "q3", Choice: "In memory"},
		"s":                                  {ID: "q3", Choice: engine.ChoiceSkip},
		"4 h i enter":                        {ID: "q3", Text: "hi"},
		"n o k enter 1":                      {ID: "q3", Choice: "Redis", Text: "ok"},
		"n o k esc 1":                        {ID: "q3", Choice: "Redis"},
		"4 esc up up up enter":               {ID: "q3", Choice: "Redis"},
		"n b enter 4 a enter":                {ID: "q3", Text: "a\nb"},
		"down down down enter enter x enter": {ID: "q3", Text: "x"},
	} {
		var a answers
		if _, closed := press(Clarify(sheet(t), clarifyQuestion(), longAgo(), a.take), strings.Fields(keys)...); !closed {
			t.Errorf("%s left the dialog open", keys)
		}
		a.want(t, want)
	}
}

func TestClarifySeveral(t *testing.T) {
	for keys, want := range map[string]string{"1 3 enter": "Redis,Both", "space down space enter": "Redis,In memory", "1 1 enter": "Redis", "down enter": "In memory"} {
		var a answers
		q := clarifyQuestion()
		q.Multi = true
		press(Clarify(sheet(t), q, longAgo(), a.take), strings.Fields(keys)...)
		a.want(t, engine.Answer{ID: "q3", Choice: want})
	}
}

func TestEscLeavesAQuestionForLaterWithoutAnAnswer(t *testing.T) {
	for _, q := range []engine.Question{clarifyQuestion(), {ID: "q", Title: "Which port?"}} {
		var a answers
		d := Clarify(sheet(t), q, longAgo(), a.take)
		_, closed := press(d, "esc")
		if a.want(t); !closed || !d.Later() {
			t.Fatal("it is not left for later")
		}
	}
}

func TestAQuestionWithoutChoicesTakesWords(t *testing.T) {
	var a answers
	d := Clarify(sheet(t), engine.Question{ID: "q", Title: "Which port?"}, longAgo(), a.take)
	press(d, "enter", "8", "0", "enter")
	a.want(t, engine.Answer{ID: "q", Text: "80"})
}

func TestManyChoicesKeepTheOneInUseOnScreen(t *testing.T) {
	q := clarifyQuestion()
	for i := range 30 {
		q.Choices = append(q.Choices, engine.Choice{Value: string(rune('a' + i)), Label: "choice " + string(rune('A'+i))})
	}
	d := Clarify(sheet(t), q, longAgo(), nil)
	for i := range 34 {
		for _, size := range screens {
			view, cur := d.View(size.w, size.room)
			if line := strings.Split(ansi.Strip(view), "\n")[cur.Y]; !strings.Contains(line, "▸") {
				t.Fatalf("step %d: the cursor is on %q", i, line)
			}
		}
		press(d, "down")
	}
}

func TestTrustIsNoUntilSomebodySaysYes(t *testing.T) {
	for keys, want := range map[string]string{"enter": engine.ChoiceNo, "esc": engine.ChoiceNo, "n": engine.ChoiceNo, "y": engine.ChoiceYes, "up enter": engine.ChoiceYes} {
		var a answers
		press(Trust(sheet(t), engine.Question{ID: "t"}, longAgo(), a.take), strings.Fields(keys)...)
		a.want(t, engine.Answer{ID: "t", Choice: want})
	}
}

func TestHelpFiltersAndCloses(t *testing.T) {
	h := Help(sheet(t), bindings(), commands())
	press(h, "/", "q", "u", "i", "t")
	view, _ := h.View(80, 20)
	if plain := ansi.Strip(view); !strings.Contains(plain, "Quit") || strings.Contains(plain, "Model") {
		t.Fatal(plain)
	}
	press(h, "z", "z")
	if view, _ = h.View(80, 20); !strings.Contains(ansi.Strip(view), "Nothing matches 'quitzz'. Esc clears.") {
		t.Fatal(ansi.Strip(view))
	}
	if _, closed := press(h, "esc"); closed {
		t.Fatal("the first Esc clears the filter")
	}
	if _, closed := press(h, "esc"); !closed {
		t.Fatal("the second Esc closes")
	}
}

func TestHelpScrollsToItsLastRow(t *testing.T) {
	h := Help(sheet(t), bindings(), commands())
	for range 20 {
		h.View(40, 8)
		press(h, "down")
	}
	view, _ := h.View(40, 8)
	if !strings.Contains(ansi.Strip(view), "Undo turn") {
		t.Fatal(ansi.Strip(view))
	}
}

func TestEscOnTheQuestionAboutALoopStops(t *testing.T) {
	var got []engine.Answer
	q := engine.Question{ID: "q1", Kind: engine.Clarify, Title: "The agent made the same call 3 times with the same result.", Esc: "stop",
		Choices: []engine.Choice{{Value: "go_on", Label: "let it go on", Recommended: true}, {Value: "stop", Label: "stop"}}}
	d := Clarify(sheet(t), q, time.Now(), func(a engine.Answer) tea.Cmd { got = append(got, a); return nil })
	if view, _ := d.View(80, 20); !strings.Contains(ansi.Strip(view), "Esc stop") {
		t.Error(ansi.Strip(view))
	}
	if _, closed := d.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); !closed || d.Later() || len(got) != 1 || got[0].Choice != "stop" {
		t.Errorf("%v %+v", d.Later(), got)
	}
}

package hit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/hit"
	"talaria/store/journal"
	"talaria/store/search"
)

// entry is a message as it is kept.
func entry(tb testing.TB, seq uint64, m engine.Message) journal.Entry {
	tb.Helper()
	e, err := journal.Encode(engine.Record{At: time.Unix(1, 0), Event: engine.Appended{Message: m}}, seq, time.Time{})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// naive is Best by reading everything.
func naive(recs []journal.Entry, words search.Words) (best engine.Hit, most int) {
	seen := map[string]bool{}
	for i := len(recs) - 1; i >= 0; i-- {
		m, ok := recs[i].Message()
		if !ok || seen[m.ID] {
			continue
		}
		seen[m.ID] = m.ID != ""
		if marks, n := words.Find(search.Text(m)); n > most {
			most = n
			best = engine.Hit{Message: m.ID, Seq: recs[i].Seq}
			best.Snippet, best.Marks = search.Snippet(search.Text(m), marks)
		}
	}
	return best, most
}

// vocabulary has what can go wrong: endings, letters that change their length or byte order in small letters, scripts
// without spaces, marks, escapes.
var vocabulary = strings.Fields(`run running runs RUNNING runner happy happiness dying naïve NAÏVE Ёлка елка ёлки скорость СКОРОСТИ İstanbul
	istanbul ＡＢＣ ａｂｃ ẠN ạn K kelvin 令牌 令牌刷新 刷新w1 w1 w12 w123 ภาษาไทย ไทย é e` + "\u0301" + ` snake_case a.b "quoted" \n \u0041 back\slash <b> x`)

func TestTheBestMessageIsThatOfReadingThemAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(n int) string {
		var out []string
		for range n {
			out = append(out, vocabulary[r.IntN(len(vocabulary))])
		}
		return strings.Join(out, []string{" ", "\n", "\t", "", "\u2028", "\x01"}[r.IntN(6)])
	}
	found := 0
	for range 1500 {
		var recs []journal.Entry
		for i := range uint64(1 + r.IntN(5)) {
			m := engine.Message{ID: fmt.Sprint("m", r.IntN(4)), Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: pick(r.IntN(6))}}}
			switch r.IntN(4) {
			case 0:
				m.Parts = append(m.Parts, engine.Text{Text: pick(2)})
			case 1:
				m.Parts = append(m.Parts, engine.Call{Name: "terminal", Args: `{"command":"` + pick(2) + `"}`})
			case 2:
				m.Parts = engine.Parts{engine.Result{Text: pick(3)}}
				if one := pick(1); r.IntN(20) == 0 { // more than is looked at
					m.Parts = engine.Parts{engine.Result{Text: strings.Repeat(one, 9000/len(one))}}
				}
			}
			recs = append(recs, entry(t, i+1, m))
		}
		words := search.Parse(pick(1 + r.IntN(3)))
		if r.IntN(2) == 0 {
			words = words.Infix()
		}
		want, most := naive(recs, words)
		got, n := hit.Best(recs, words, nil)
		if n != most || got.Seq != want.Seq || got.Snippet != want.Snippet || fmt.Sprint(got.Marks) != fmt.Sprint(want.Marks) {
			t.Fatalf("%q: %d words in record %d, %q; reading all: %d in %d, %q", words.Texts(), n, got.Seq, got.Snippet, most, want.Seq, want.Snippet)
		}
		_, all := words.Find(hit.Text(recs))
		if hit.All(recs, words) != (all == words.All()) {
			t.Fatalf("%q: all words in %q is told wrongly", words.Texts(), hit.Text(recs))
		}
		if most > 0 {
			found++
		}
	}
	if found < 500 {
		t.Errorf("only %d of the searches found something", found)
	}
}

func TestALaterWordingOfTheSameMessageCounts(t *testing.T) {
	say := func(seq uint64, id, text string) journal.Entry {
		return entry(t, seq, engine.Message{ID: id, Role: engine.RoleAssistant, Parts: engine.Parts{engine.Text{Text: text}}})
	}
	recs := []journal.Entry{say(1, "a", "half a fox"), say(2, "b", "the other"), say(3, "a", "half a cat")}
	if _, n := hit.Best(recs, search.Parse("fox"), nil); n != 0 {
		t.Error("a partial reply is found by what its end does not say")
	}
	if h, n := hit.Best(recs, search.Parse("half other"), []engine.Role{engine.RoleAssistant}); n != 1 || h.Seq != 3 {
		t.Errorf("record %d with %d words", h.Seq, n)
	}
	if _, n := hit.Best(recs, search.Parse("half"), []engine.Role{engine.RoleUser}); n != 0 {
		t.Error("of another role")
	}
}

// FuzzWhatIsFoundWasThoughtPossible: what Find finds in a message, May allowed in its JSON.
func FuzzWhatIsFoundWasThoughtPossible(f *testing.F) {
	for _, v := range vocabulary {
		f.Add(v, "before "+v+" after")
	}
	f.Add("a", "\\u0061\x00\xff\u2028a")
	f.Fuzz(func(t *testing.T, query, text string) {
		m := engine.Message{ID: "m", Parts: engine.Parts{engine.Text{Text: text}, engine.Result{Text: text}, engine.Call{Args: text}}}
		body := entry(t, 1, m).Body
		for _, w := range []search.Words{search.Parse(query), search.Parse(query).Infix()} {
			back, _ := journal.EntryOf(body).Message()
			_, seen := w.Where(search.Text(back))
			may, _ := w.May(body)
			for i, is := range seen {
				if is && !may[i] {
					t.Fatalf("word %d of %q is found in %q", i, w.Texts(), search.Text(back))
				}
			}
		}
	})
}

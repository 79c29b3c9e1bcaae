package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/store"
	"talaria/store/journal"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func message(id string, role engine.Role, aside bool, parts ...engine.Part) engine.Event {
	return engine.Appended{Message: engine.Message{ID: id, Role: role, Aside: aside, Parts: parts}}
}

// recorded is the journal of a session of a turn with a question, at seconds from start.
func recorded(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := st.Create(t.Context(), engine.Session{ID: "one", Dir: "/p", Route: engine.Route{Model: "sonnet"}, Turns: 7})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := func(s int, e engine.Event) engine.Record {
		return engine.Record{At: start.Add(time.Duration(s) * time.Second), Event: e}
	}
	err = l.Append(t.Context(), engine.Record{At: start, Op: engine.Submit{Text: "hi"}}, at(0, engine.Began{Turn: 1, Route: engine.Route{Model: "sonnet"}}),
		at(0, message("m1", engine.RoleUser, false, engine.Text{Text: "hi"})), at(1, message("m2", engine.RoleAssistant, true, engine.Text{Text: "a par"})),
		at(2, message("m2", engine.RoleAssistant, false, engine.Thought{Text: "hm"}, engine.Text{Text: strings.Repeat("word ", 20)})),
		at(2, engine.Asked{Question: engine.Question{ID: "q", Title: "Edit a.go"}}), at(3602, engine.Withdrawn{ID: "q", Choice: "once"}),
		at(3602, engine.Ended{Why: engine.ExitFinished, Outcome: engine.Outcome{Err: &engine.Error{Reason: engine.ReasonAuth, Code: engine.CodeNoKey}}}))
	if err != nil {
		t.Fatal(err)
	}
	return journal.Path(dir, "one")
}

// play runs a tape in a bubble and returns what was told, and when.
func play(t *testing.T, tape Tape, speed float64, keys func(*Player)) (told []engine.Event, took time.Duration) {
	t.Helper()
	p := New(tape, speed)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	go p.Run(ctx)
	pressed := make(chan struct{})
	go func() {
		defer close(pressed)
		if keys != nil {
			keys(p)
		}
	}()
	for e := range p.Events() {
		told = append(told, e)
		if n, ok := e.(engine.Noted); ok && strings.HasPrefix(n.Text, "End of the replay") {
			took = time.Since(began)
			<-pressed
			cancel()
		}
	}
	return told, took
}

func TestASessionIsPlayedAsItRan(t *testing.T) {
	path := recorded(t)
	tape, err := Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		told, took := play(t, tape, 1, nil)
		var text, thought strings.Builder
		var order []string
		for _, e := range told {
			if s, ok := e.(engine.Streamed); ok {
				if d, ok := s.Delta.(engine.TextDelta); ok {
					text.WriteString(d.Text)
				} else {
					thought.WriteString(s.Delta.(engine.ThoughtDelta).Text)
				}
				continue
			}
			order = append(order, fmt.Sprintf("%T", e)[len("engine."):])
			if o, ok := e.(engine.Opened); ok && (o.Session.Turns != 0 || o.Session.Route.Model != "sonnet") {
				t.Errorf("it begins at the beginning: %+v", o.Session)
			}
			if end, ok := e.(engine.Ended); ok && end.Outcome.Err.Code != "" {
				t.Error("a key that was missing then is asked for now")
			}
		}
		if text.String() != strings.Repeat("word ", 20) || thought.String() != "hm" {
			t.Errorf("streamed %q, thought %q", text.String(), thought.String())
		}
		if got := strings.Join(order, " "); got != "Opened Began Appended Appended Noted Noted Ended Noted" {
			t.Errorf("%s", got)
		}
		if took < 5*time.Second || took > 8*time.Second {
			t.Errorf("two seconds of work and an hour of waiting, cut to four, took %v", took)
		}
		if _, quick := play(t, tape, 8, nil); quick > took/7 {
			t.Errorf("at speed 8 it took %v", quick)
		}
	})
}

func TestAPauseHoldsAndASkipGoesOn(t *testing.T) {
	path := recorded(t)
	tape, err := Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, took := play(t, tape, 1, func(p *Player) {
			p.Pause(true)
			time.Sleep(time.Hour + time.Minute)
			p.Pause(false)
		})
		if took < time.Hour+time.Minute {
			t.Errorf("it went on in the pause: %v", took)
		}
		_, took = play(t, tape, 1, func(p *Player) {
			for !p.Playing().Over {
				p.Skip()
				time.Sleep(time.Millisecond)
			}
		})
		if took > time.Second {
			t.Errorf("skipped, it took %v", took)
		}
	})
}

func TestAFileThatIsNoneOrNotWholeIsRefusedWithTheLine(t *testing.T) {
	path := recorded(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]struct{ text, want string }{
		"foreign":  {"{\"a\":1}\n", "is not a journal of talaria: line 1"},
		"text":     {"hello\n", "it is not JSON"},
		"empty":    {"", "there is no record"},
		"damaged":  {strings.Replace(string(good), "word word", "word ward", 1), "line 6 does not fit its checksum"},
		"missing":  {"", "no such file"},
		"newer":    {"{\"type\":\"telepathy\"}\n", `its type is "telepathy"`},
		"torn end": {string(good[:len(good)-9]), ""},
		"a stream": {`{"at":"2026-11-30T12:00:00Z","type":"began","turn":1,"route":{"model":"m"}}` + "\n" + `{"type":"result","completed":true}` + "\n", ""},
	}
	for name, f := range files {
		path := filepath.Join(t.TempDir(), "f.jsonl")
		if name != "missing" {
			if err := os.WriteFile(path, []byte(f.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tape, err := Load(path, nil)
		if f.want == "" {
			if err != nil || len(tape.Steps) == 0 || tape.Torn != (name == "torn end") {
				t.Errorf("%s: %v, %d steps, torn %v", name, err, len(tape.Steps), tape.Torn)
			}
		} else if err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestATurnThatAKillCutOffEndsInTheReplay: or the screen would say for ever that it waits.
func TestATurnThatAKillCutOffEndsInTheReplay(t *testing.T) {
	at := func(s int, e engine.Event) engine.Record {
		return engine.Record{At: start.Add(time.Duration(s) * time.Second), Event: e}
	}
	whole := []engine.Record{at(0, engine.Began{Turn: 1}), at(0, message("m1", engine.RoleUser, false, engine.Text{Text: "hi"})), at(1, engine.Ended{Why: engine.ExitFinished})}
	cut := append(whole[:len(whole):len(whole)], at(2, engine.Began{Turn: 2}), at(2, message("m2", engine.RoleUser, false, engine.Text{Text: "and?"})), at(3, message("m3", engine.RoleAssistant, true, engine.Text{Text: "wel"})))
	count := func(recs []engine.Record) (ends int) {
		for _, s := range steps(recs) {
			if _, ok := s.Event.(engine.Ended); ok {
				ends++
			}
		}
		return ends
	}
	if n := count(whole); n != 1 {
		t.Errorf("a whole turn ends %d times", n)
	}
	all := steps(cut)
	note, told := all[len(all)-2].Event.(engine.Noted)
	if _, ended := all[len(all)-1].Event.(engine.Ended); count(cut) != 2 || !ended || !told || !strings.Contains(note.Text, "in the middle of a turn") {
		t.Errorf("%+v", all)
	}
}

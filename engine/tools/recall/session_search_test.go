package recall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/tools/recall"
	"talaria/store"
)

// shelf is a store with three sessions, of which "now" asks.
func shelf(t *testing.T) engine.Store {
	t.Helper()
	st := store.NewMemory()
	add := func(id, title string, texts ...string) {
		at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		l, err := st.Create(t.Context(), engine.Session{ID: id, Dir: "/p", Created: at})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			m := engine.UserMessage(text, at.Add(time.Duration(i)*time.Minute))
			m.ID = fmt.Sprintf("%s_%d", id, i)
			if err := l.Append(t.Context(), engine.Record{At: m.At, Event: engine.Appended{Message: m}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Fold(t.Context(), func(s *engine.Session) { s.Title, s.Messages = title, len(texts) }); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var long []string
	for i := range 60 {
		long = append(long, fmt.Sprint("step number ", i))
	}
	long[30] = "the flaky checkout was a race in the 令牌 cache " + strings.Repeat("x", 3000)
	add("old", "Checkout", long...)
	add("other", "Billing", "the invoice race")
	add("now", "Now", "a race here too")
	return st
}

func ask(t *testing.T, args map[string]any) engine.Result {
	t.Helper()
	return askWith(t, nil, args)
}

// askWith has a model that makes long finds short.
func askWith(t *testing.T, shorten engine.Aux, args map[string]any) engine.Result {
	t.Helper()
	tool := recall.Tool(recall.Deps{Library: shelf(t), Session: func() string { return "now" }, Shorten: shorten})
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	res, err := tool.Run(t.Context(), engine.Call{ID: "c", Name: "session_search", Args: string(raw)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func has(t *testing.T, res engine.Result, words ...string) {
	t.Helper()
	for _, w := range words {
		if not, ok := strings.CutPrefix(w, "-"); ok == strings.Contains(res.Text, strings.TrimPrefix(not, "")) {
			t.Errorf("%q in:\n%s", w, res.Text)
		}
	}
}

func TestTheModelFindsWhatWasSaidBefore(t *testing.T) {
	res := ask(t, map[string]any{"query": "flaky 令牌", "window": 2})
	has(t, res, "session_id old", "**flaky**", "**令牌**", "(old_30): the flaky", "step number 28", "step number 32", "step number 0", "step number 59",
		"-step number 27", "-step number 33", "… 25 messages …", "2026-11-30", "/p")
	if n := len(res.Text); n > 6000 {
		t.Errorf("%d bytes for one session", n)
	}
}

func TestItsOwnSessionIsLeftOut(t *testing.T) {
	has(t, ask(t, map[string]any{"query": "race", "limit": 9}), "session_id old", "session_id other", "-session_id now")
	has(t, ask(t, map[string]any{}), "session_id old", "session_id other", "-session_id now")
	if res := ask(t, map[string]any{"session_id": "now"}); res.Status != engine.StatusFailed {
		t.Error(res)
	}
}

func TestItReadsOn(t *testing.T) {
	has(t, ask(t, map[string]any{"session_id": "old", "around_message_id": "old_10", "window": 1}), "step number 9", "step number 11", "-step number 12", "-step number 8")
	has(t, ask(t, map[string]any{"session_id": "old"}), "step number 19", "step number 50", "step number 59", "30 messages left out", "-step number 49", "-step number 20")
}

func TestWhatDoesNotFitIsSaid(t *testing.T) {
	has(t, ask(t, map[string]any{"query": "zebra"}), "No earlier session has all the words")
	for _, args := range []map[string]any{{"session_id": "nobody"}, {"session_id": "old", "around_message_id": "x"}} {
		if res := ask(t, args); res.Status != engine.StatusFailed || res.Text == "" {
			t.Errorf("%v: %+v", args, res)
		}
	}
	if res := ask(t, map[string]any{"around_message_id": "x"}); res.Status != engine.StatusRefused {
		t.Error(res)
	}
	has(t, ask(t, map[string]any{"query": "race", "role_filter": "assistant"}), "No earlier session")
}

// A model that the user named makes a long find short; the ids to read on with stay. What it cannot do is left as it was.
func TestAnotherModelMakesALongFindShort(t *testing.T) {
	query := map[string]any{"query": "flaky 令牌"}
	asked := 0
	says := func(text string, err error) engine.Aux {
		return func(_ context.Context, req engine.Request) (engine.Message, error) {
			asked++
			if p := req.Messages[0].Text(); !strings.Contains(p, "Searched for: flaky 令牌") || !strings.Contains(p, "<untrusted-data") || !strings.Contains(p, "step number 59") || !strings.Contains(req.System, "are data") {
				t.Errorf("asked %q %q", req.System, p)
			}
			return engine.Message{Parts: engine.Parts{engine.Text{Text: text}}}, err
		}
	}
	has(t, askWith(t, says("a race in the cache (old_30)", nil), query), "Made short by another model", "a race in the cache (old_30)", "session_id old", "-step number 59", "<untrusted-data")
	for _, aux := range []engine.Aux{says("", nil), says("half", errors.New("no model")), says(strings.Repeat("long ", 5000), nil)} {
		has(t, askWith(t, aux, query), "step number 59", "-Made short")
	}
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
	has(t, askWith(t, says("short", nil), map[string]any{"query": "invoice"}), "the invoice race", "-Made short")
	has(t, askWith(t, says("short", nil), map[string]any{"session_id": "old"}), "step number 59", "-Made short")
	if asked != 4 {
		t.Error("a short find, or a session that is read, was given to the other model")
	}
}

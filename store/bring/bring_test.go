package bring

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/store"
	"talaria/store/adopt"
)

// count is as much of what the engine does as these tests look at.
func count(row *engine.Session, e engine.Event, at time.Time) {
	row.Updated = at
	if b, ok := e.(engine.Began); ok {
		row.Turns = b.Turn
	}
	if _, ok := e.(engine.Appended); ok {
		row.Messages++
	}
}

func importer(st engine.Store) Importer {
	return Importer{Store: st, Count: count, Title: func(s string) string { return s }, Mask: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") },
		Redact: func(_ engine.Call, r engine.Result) engine.Result {
			r.Text = strings.ReplaceAll(r.Text, "hunter2", "***")
			return r
		},
		Line: func(c engine.Call) string { return c.Name + " " + c.Args }, Repo: func(string) string { return "" }, Route: func(adopt.Head) engine.Route { return engine.Route{} }}
}

// long is a session of Hermes with so many turns, each with a call.
func long(t *testing.T, turns int) adopt.Source {
	t.Helper()
	var b strings.Builder
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range turns {
		when := at.Add(time.Duration(i) * time.Minute).Format("2006-01-02T15:04:05")
		fmt.Fprintf(&b, `{"role":"user","content":"question %d with hunter2","timestamp":"%s"}
{"role":"assistant","content":"","tool_calls":[{"id":"c%d","function":{"name":"run","arguments":"{\"command\":[\"sh\",\"-c\",\"echo hunter2\"]}"}}],"timestamp":"%s"}
{"role":"tool","tool_call_id":"c%d","content":"hunter2 says %d","timestamp":"%s"}
{"role":"assistant","content":"answer %d","timestamp":"%s"}
`, i, when, i, when, i, i, when, i, when)
	}
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return adopt.Source{Tool: adopt.Hermes, Path: path}
}

// cut is a store that fails after so many appends, as a disk that is full or a program that is killed.
type cut struct {
	engine.Store
	left *int
}

type cutLog struct {
	engine.Log
	left *int
}

var errCut = errors.New("cut off")

func (c cut) Create(ctx context.Context, s engine.Session) (engine.Log, error) {
	l, err := c.Store.Create(ctx, s)
	return cutLog{l, c.left}, err
}

func (c cut) Open(ctx context.Context, id string) (engine.Log, error) {
	l, err := c.Store.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	return cutLog{l, c.left}, nil
}

func (l cutLog) Append(ctx context.Context, recs ...engine.Record) error {
	if *l.left--; *l.left < 0 {
		return errCut
	}
	return l.Log.Append(ctx, recs...)
}

// TestAnImportThatWasCutOffIsMadeWholeByTheNext: whatever was written before the cut stands once, and the rest follows.
func TestAnImportThatWasCutOffIsMadeWholeByTheNext(t *testing.T) {
	src := long(t, 120)
	whole, err := importer(store.NewMemory()).Take(t.Context(), src)
	if err != nil || *whole.Added != 480 {
		t.Fatalf("%+v, %v", whole, err)
	}
	for _, appends := range []int{0, 1, 3} {
		st, err := store.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		left := appends
		if _, err := importer(cut{st, &left}).Take(t.Context(), src); !errors.Is(err, errCut) {
			t.Fatalf("cut after %d: %v", appends, err)
		}
		again, err := importer(st).Take(t.Context(), src)
		if err != nil || again.Note != "" {
			t.Fatalf("after a cut at %d: %+v, %v", appends, again, err)
		}
		recs, err := st.Tail(t.Context(), again.Session, 0)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		turns, opened := 0, 0
		for _, r := range recs {
			if a, ok := r.Event.(engine.Appended); ok {
				text := a.Message.Text()
				for _, res := range a.Message.Results() {
					text += res.Text
				}
				texts = append(texts, text)
			}
			if b, ok := r.Event.(engine.Began); ok {
				if turns++; b.Turn != turns {
					t.Fatalf("turn %d is told as %d", turns, b.Turn)
				}
			}
			if _, ok := r.Event.(engine.Opened); ok {
				opened++
			}
		}
		var want []string
		for i := range 120 {
			want = append(want, fmt.Sprintf("question %d with ***", i), "", fmt.Sprintf("*** says %d", i), fmt.Sprintf("answer %d", i))
		}
		if !reflect.DeepEqual(texts, want) || turns != 120 || opened != 1 {
			t.Errorf("after a cut at %d: %d messages, %d turns, %d beginnings", appends, len(texts), turns, opened)
		}
		s, err := st.Find(t.Context(), again.Session, "")
		if err != nil || s.Messages != 480 || s.Turns != 120 || !s.Updated.Equal(whole.Ended) || !s.Created.Equal(whole.Began) {
			t.Errorf("the row after a cut at %d: %+v, %v", appends, s, err)
		}
		if more, err := importer(st).Take(t.Context(), src); err != nil || *more.Added != 0 {
			t.Errorf("a third import: %+v, %v", more, err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestASessionThatIsOpenIsNotImportedInto: the window that has it keeps it.
func TestASessionThatIsOpenIsNotImportedInto(t *testing.T) {
	st, src := store.NewMemory(), long(t, 1)
	one, err := importer(st).Take(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	l, err := st.Open(t.Context(), one.Session)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := importer(st).Take(t.Context(), src); err == nil || !strings.Contains(err.Error(), "open in a window") {
		t.Errorf("%v", err)
	}
	if looked, err := importer(st).Look(t.Context(), src); err != nil || !looked.Imported || looked.Added != nil {
		t.Errorf("%+v, %v", looked, err)
	}
}

// TestACallsLineIsWhatWouldBeTyped: a shell that is given as a list of words is its command.
func TestACallsLineIsWhatWouldBeTyped(t *testing.T) {
	x := &taking{Importer: importer(nil)}
	for args, want := range map[string]string{
		`{"command":["bash","-lc","ls -l"]}`: `terminal {"command":"ls -l"}`, `{"command":["git","log"]}`: `terminal {"command":"git log"}`,
		`{"command":"ls"}`: `shell {"command":"ls"}`, `{"command":[]}`: `shell {"command":[]}`,
	} {
		if got := x.line(engine.Call{Name: "shell", Args: args}); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

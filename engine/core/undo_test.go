package core_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/engine/provider/providertest"
)

// write is a call of write_file.
func write(id, path, content string) engine.Call {
	return engine.Call{ID: id, Name: "write_file", Args: fmt.Sprintf(`{"path":%q,"content":%q}`, path, content)}
}

func (s *story) file(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.deps.Dir, name))
	if os.IsNotExist(err) {
		return "(none)"
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

func (s *story) put(name, content string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.deps.Dir, name), []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// do sends an undo or redo and returns the n-th Rewound.
func (s *story) rewound(n int, op engine.Undo) engine.Rewound {
	s.t.Helper()
	s.core.Do(op)
	return nth[engine.Rewound](s, n)
}

func nth[E engine.Event](s *story, n int) E {
	s.t.Helper()
	var last E
	until(s, func(E) bool {
		seen := 0
		for _, e := range s.told() {
			if x, ok := e.(E); ok {
				if seen++; seen == n {
					last = x
					return true
				}
			}
		}
		return false
	})
	return last
}

// threeFiles is a session whose second turn changes one file, makes one in a new folder, and empties one.
func threeFiles(t *testing.T) *story {
	s := newStory(t, providertest.Text("hello"),
		providertest.Calls(write("1", "a.go", "package a // new\n"), write("2", "deep/er/b.go", "package b\n"), write("3", "c.txt", "")),
		providertest.Text("done"))
	s.deps.Mode = core.ModeAuto
	s.put("a.go", "package a\n")
	s.put("c.txt", "c\r\nd\r\n")
	if err := os.Chmod(filepath.Join(s.deps.Dir, "c.txt"), 0o640); err != nil {
		t.Fatal(err)
	}
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	s.ended(1)
	s.core.Do(engine.Submit{Text: "change three files"})
	s.ended(2)
	if s.file("a.go") != "package a // new\n" || s.file("deep/er/b.go") != "package b\n" || s.file("c.txt") != "" {
		t.Fatal("the files were not changed")
	}
	return s
}

func TestAnUndoBringsBackThreeFilesAndTheChatAndARedoUndoesThat(t *testing.T) {
	s := threeFiles(t)
	e := s.rewound(1, engine.Undo{})
	if e.Turn != 2 || e.Turns != 1 || e.Messages != 6 || len(e.Files) != 3 || e.Text != "change three files" || !strings.HasPrefix(e.Line, "Undid turn 2: 3 files restored, chat back to ") {
		t.Fatalf("%+v", e)
	}
	if s.file("a.go") != "package a\n" || s.file("deep/er/b.go") != "(none)" || s.file("c.txt") != "c\r\nd\r\n" {
		t.Fatalf("%q %q %q", s.file("a.go"), s.file("deep/er/b.go"), s.file("c.txt"))
	}
	if info, err := os.Stat(filepath.Join(s.deps.Dir, "c.txt")); err != nil || info.Mode().Perm() != 0o640 {
		t.Fatal(info, err)
	}
	if _, err := os.Stat(filepath.Join(s.deps.Dir, "deep")); err == nil {
		t.Fatal("the folders that were made stay behind")
	}
	o := nth[engine.Opened](s, 2)
	if got := chat(o.Past); got != "user:hi assistant:hello" || o.Session.Turns != 1 || o.Session.Messages != 2 || o.Session.Last != "hello" {
		t.Fatalf("%s %+v", got, o.Session)
	}

	e = s.rewound(2, engine.Undo{Redo: true})
	if !e.Back || len(e.Files) != 3 || !strings.HasPrefix(e.Line, "Redid turn 2: 3 files brought back") {
		t.Fatalf("%+v", e)
	}
	if s.file("a.go") != "package a // new\n" || s.file("deep/er/b.go") != "package b\n" || s.file("c.txt") != "" {
		t.Fatal("the redo did not bring the files back")
	}
	o = nth[engine.Opened](s, 3)
	if !strings.HasSuffix(chat(o.Past), "assistant:done") || o.Session.Turns != 2 || o.Session.Messages != 8 {
		t.Fatalf("%s %+v", chat(o.Past), o.Session)
	}

	s.rewound(3, engine.Undo{})
	s.model.Add(providertest.Text("again"))
	s.core.Do(engine.Submit{Text: "something else"})
	if b := nth[engine.Began](s, 3); b.Turn != 2 {
		t.Fatalf("the next turn has number %d", b.Turn)
	}
	s.ended(3)
	req, _ := s.model.Last()
	var sent []string
	for _, m := range req.Messages {
		sent = append(sent, m.Text())
	}
	if fmt.Sprint(sent) != "[hi hello something else]" {
		t.Fatal(sent)
	}
	s.core.Do(engine.Undo{Redo: true})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "Nothing was brought back") })
}

// chat is what records say, tool messages and calls apart.
func chat(recs []engine.Record) string {
	var out []string
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok && a.Message.Text() != "" {
			out = append(out, string(a.Message.Role)+":"+a.Message.Text())
		}
	}
	return strings.Join(out, " ")
}

func TestAnUndoHoldsAfterARestart(t *testing.T) {
	s := threeFiles(t)
	id := s.rewound(1, engine.Undo{}).ID
	s.stop()
	list, _ := s.store.List(context.Background(), engine.Query{})
	if list[0].Turns != 1 || list[0].Messages != 2 {
		t.Fatalf("%+v", list[0])
	}
	s.start(list[0].ID)
	if got := chat(until[engine.Opened](s, nil).Past); got != "user:hi assistant:hello" {
		t.Fatal(got)
	}
	if e := s.rewound(1, engine.Undo{Redo: true}); e.ID != id || s.file("deep/er/b.go") != "package b\n" {
		t.Fatalf("%+v", e)
	}
	s.model.Add(providertest.Text("more"))
	s.core.Do(engine.Submit{Text: "go on"})
	s.ended(1)
	if req, _ := s.model.Last(); len(req.Messages) != 9 {
		t.Fatalf("%d messages were sent", len(req.Messages))
	}
}

func TestAnUndoDoesNotTrampleOnWhatTheUserChanged(t *testing.T) {
	for _, c := range []struct{ choice, a, b string }{
		{engine.UndoMine, "package a // mine\n", "(none)"}, {engine.UndoAll, "package a\n", "(none)"}, {"", "package a // mine\n", "package b\n"},
	} {
		s := threeFiles(t)
		s.put("a.go", "package a // mine\n")
		s.core.Do(engine.Undo{})
		q := until[engine.Asked](s, nil).Question
		if q.Title != "a.go was also changed by you." || len(q.Choices) != 3 {
			t.Fatalf("%+v", q)
		}
		s.core.Do(engine.Answer{ID: q.ID, Choice: "diff"})
		q = nth[engine.Asked](s, 2).Question
		if !strings.Contains(q.Body, "-package a // new\n+package a // mine\n") {
			t.Fatalf("%q", q.Body)
		}
		if s.file("a.go") != "package a // mine\n" || s.file("deep/er/b.go") != "package b\n" {
			t.Fatal("something was done before the answer")
		}
		s.core.Do(engine.Answer{ID: q.ID, Choice: c.choice, Text: "never mind"})
		if c.choice == "" {
			until(s, func(n engine.Noted) bool { return n.Text == "Nothing was undone." })
		} else {
			e := nth[engine.Rewound](s, 1)
			if kept := c.choice == engine.UndoMine; kept != (len(e.Kept) == 1) || kept != strings.Contains(e.Line, "a.go stays as you have it") {
				t.Fatalf("%+v", e)
			}
		}
		if s.file("a.go") != c.a || s.file("deep/er/b.go") != c.b {
			t.Fatalf("%s: %q %q", c.choice, s.file("a.go"), s.file("deep/er/b.go"))
		}
		if c.choice == engine.UndoAll { // what was overwritten is not lost either
			s.rewound(2, engine.Undo{Redo: true})
			if s.file("a.go") != "package a // mine\n" {
				t.Fatalf("the redo gave %q", s.file("a.go"))
			}
		}
		s.stop()
	}
}

func TestChatAndFilesGoBackApart(t *testing.T) {
	s := threeFiles(t)
	e := s.rewound(1, engine.Undo{What: engine.UndoChat})
	if len(e.Files) != 0 || e.From == "" || s.file("a.go") != "package a // new\n" {
		t.Fatalf("%+v", e)
	}
	// the files of a turn that left the chat without them belong to what an undo of an earlier turn restores
	e = s.rewound(2, engine.Undo{Turn: 1, What: engine.UndoFiles})
	if len(e.Files) != 3 || e.From != "" || s.file("a.go") != "package a\n" || !strings.Contains(e.Line, "the chat stays") {
		t.Fatalf("%+v", e)
	}
	s.rewound(3, engine.Undo{Redo: true})
	s.rewound(4, engine.Undo{Redo: true})
	if s.file("a.go") != "package a // new\n" || !strings.HasSuffix(chat(nth[engine.Opened](s, 5).Past), "assistant:done") {
		t.Fatal("two redos do not bring both back")
	}
	s.core.Do(engine.Undo{Turn: 7})
	until(s, func(n engine.Noted) bool {
		return strings.Contains(n.Text, "there is no such turn; the session has 2 turns")
	})
}

func TestAnUndoDuringATurnIsRefused(t *testing.T) {
	s := newStory(t, providertest.Hang(engine.TextDelta{Text: "thinking"}))
	s.start("")
	s.core.Do(engine.Undo{})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "nothing was sent yet") })
	s.core.Do(engine.Submit{Text: "hi"})
	until[engine.Streamed](s, nil)
	s.core.Do(engine.Undo{})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "Stop it first") })
	s.core.Do(engine.Interrupt{})
	s.ended(1)
	if e := s.rewound(1, engine.Undo{}); !strings.Contains(e.Line, "the chat is empty again") {
		t.Fatalf("%+v", e)
	}
}

func TestWhatACommandChangedIsToldAndStays(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "terminal", Args: `{"command":"echo x > made.txt"}`}), providertest.Text("done"))
	s.deps.Mode = core.ModeAuto
	s.start("")
	s.core.Do(engine.Submit{Text: "run it"})
	s.ended(1)
	e := s.rewound(1, engine.Undo{})
	if !strings.Contains(e.Line, "Files changed by commands (not by edit tools) stay as they are: made.txt.") || s.file("made.txt") != "x\n" {
		t.Fatal(e.Line)
	}
}

func TestWithoutCopiesOnlyTheChatGoesBack(t *testing.T) {
	for _, how := range []func(*story){
		func(s *story) {
			s.deps.Resolver = settings(s.t, config.Value{Key: "checkpoints.enabled", Text: "false"})
		},
		func(s *story) { s.deps.NoTrace = true },
	} {
		s := newStory(t, providertest.Calls(write("1", "a.go", "new\n")), providertest.Text("done"))
		s.deps.Mode = core.ModeAuto
		how(s)
		s.start("")
		s.core.Do(engine.Submit{Text: "write"})
		s.ended(1)
		if e := s.rewound(1, engine.Undo{}); !strings.Contains(e.Line, "no copies are kept") || s.file("a.go") != "new\n" {
			t.Fatal(e.Line)
		}
		if _, err := os.Stat(filepath.Join(s.deps.Paths.Data, "checkpoints")); err == nil {
			t.Fatal("copies were written all the same")
		}
		s.stop()
	}
}

func TestAnUndoAfterACompactionRestoresFilesAndStopsAtTheSummary(t *testing.T) {
	s := newStory(t)
	for range 9 {
		s.model.Add(answerOf(8_000))
	}
	s.model.Add(providertest.Calls(write("1", "a.go", "new\n")), answerOf(8_000))
	s.summaries(providertest.Text(checkpoint))
	s.narrow(100_000)
	s.deps.Mode = core.ModeAuto
	s.put("a.go", "old\n")
	s.start("")
	s.turns(1, 10)
	s.core.Do(engine.Compact{})
	until(s, func(e engine.Compacted) bool { return e.Child != "" })
	for told := len(s.told()); ; told = len(s.told()) { // it is told a moment before it is over
		s.core.Do(engine.Undo{})
		refused := false
		until(s, func(e engine.Event) bool {
			n, noted := e.(engine.Noted)
			_, done := e.(engine.Rewound)
			refused = noted && strings.Contains(n.Text, "being compacted") && slices.ContainsFunc(s.told()[told:], func(e engine.Event) bool { return e == engine.Event(n) })
			return refused || done
		})
		if !refused {
			break
		}
	}
	e := nth[engine.Rewound](s, 1)
	if e.Turn != 10 || len(e.Files) != 1 || s.file("a.go") != "old\n" {
		t.Fatalf("%+v", e)
	}
	until(s, func(o engine.Opened) bool { return o.Resumed && o.Session.Turns == 9 })
	s.core.Do(engine.Undo{Turn: 1})
	until(s, func(n engine.Noted) bool { return strings.HasPrefix(n.Text, "Nothing was undone: ") })
	if e := s.rewound(2, engine.Undo{Redo: true}); s.file("a.go") != "new\n" {
		t.Fatalf("the redo did not bring the file back: %+v", e)
	}
}

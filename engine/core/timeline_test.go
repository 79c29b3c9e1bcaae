package core_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
)

func TestTheTimelineHasWhatItsFrameShows(t *testing.T) {
	s := threeFiles(t)
	line, ctx := s.core.Timeline(), context.Background()
	turns, err := line.Turns(ctx)
	if err != nil || len(turns) != 2 || turns[1].Text != "change three files" || turns[1].Number != 2 || !turns[1].Here || turns[1].Why != engine.ExitFinished || turns[0].At.IsZero() {
		t.Fatalf("%+v %v", turns, err)
	}
	var files []string
	for _, f := range turns[1].Files {
		files = append(files, string(f.Kind)+" "+f.Name)
	}
	if got := strings.Join(files, ", "); got != "M a.go, M c.txt, A deep/er/b.go" || turns[1].Files[0].Add != 1 || turns[1].Files[0].Del != 1 || turns[1].Files[1].Del != 2 {
		t.Fatalf("%s %+v", got, turns[1].Files)
	}
	s.put("a.go", "package a // mine\n")
	turns, _ = line.Turns(ctx)
	r, err := line.Rewind(ctx, 2)
	if err != nil || !turns[1].Files[0].Edited || turns[1].Files[1].Edited || r.Turns != 1 || len(r.Files) != 3 || !r.Files[0].Edited || r.Files[1].Edited || r.Text != "change three files" {
		t.Fatalf("%+v %+v %v", turns[1].Files, r, err)
	}
	// What going back does, as its diff says it: what the turn made goes away.
	if b := r.Files[2]; b.Name != "deep/er/b.go" || b.Kind != engine.FileDeleted || b.Add != 0 || b.Del == 0 || r.Files[1].Add != 2 || r.Files[1].Del != 0 {
		t.Fatalf("going back: %+v", r.Files)
	}
	d, err := line.Diff(ctx, 2, filepath.Join(s.deps.Dir, "a.go"))
	if err != nil || !strings.Contains(d, "-package a // mine\n+package a\n") || strings.Contains(d, "b.go") {
		t.Fatal(d, err)
	}
	if _, err := line.Rewind(ctx, 9); err == nil {
		t.Fatal("a turn that is not there")
	}
	s.rewound(1, engine.Undo{Edited: engine.UndoAll})
	if turns, _ = line.Turns(ctx); len(turns) != 2 || turns[1].Here || !turns[1].Files[0].Undone || !turns[0].Here {
		t.Fatalf("%+v", turns)
	}
}

func TestAForkIsACopyUpToATurnThatGoesItsOwnWay(t *testing.T) {
	s := threeFiles(t)
	ctx := context.Background()
	id, err := s.core.Timeline().Fork(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := s.core.Timeline().Fork(ctx, 0)
	if err != nil || whole == id {
		t.Fatal(whole, err)
	}
	before := s.core
	s.core.Do(engine.Open{Session: id})
	o := nth[engine.Opened](s, 2)
	if before != s.core || chat(o.Past) != "user:hi assistant:hello" || o.Session.ParentWhy != "fork" || o.Session.Turns != 1 || o.Session.Messages != 2 {
		t.Fatalf("%s %+v", chat(o.Past), o.Session)
	}
	s.core.Do(engine.Open{Session: whole})
	if o = nth[engine.Opened](s, 3); o.Session.Turns != 2 || !strings.HasSuffix(chat(o.Past), "assistant:done") {
		t.Fatalf("%s %+v", chat(o.Past), o.Session)
	}
	if e := s.rewound(1, engine.Undo{}); len(e.Files) != 3 || s.file("a.go") != "package a\n" {
		t.Fatalf("the copy cannot undo: %+v", e)
	}
	if _, err := s.core.Timeline().Fork(ctx, 7); err == nil {
		t.Fatal("a fork of a turn that is not there")
	}
}

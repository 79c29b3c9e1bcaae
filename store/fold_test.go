package store

import (
	"testing"
	"time"

	"talaria/engine"
	"talaria/store/journal"
	"talaria/store/storetest"
)

func TestARecordThatCameDuringAFoldIsTakenInAfterACrash(t *testing.T) {
	dir := t.TempDir()
	st := at(t, dir)
	l, err := st.Create(t.Context(), engine.Session{ID: "one", Dir: "/p"})
	must(t, err)
	must(t, l.Append(t.Context(), storetest.Said("before", time.Now())))
	came := false
	must(t, l.Fold(t.Context(), func(s *engine.Session) {
		s.Messages = 1
		if !came {
			came = true
			must(t, l.Append(t.Context(), storetest.Said("meanwhile", time.Now())))
		}
	}))
	must(t, l.Close()) // as a crash would, it folds nothing
	st = at(t, dir)
	list, err := st.List(t.Context(), engine.Query{})
	must(t, err)
	if len(list) != 1 || list[0].Messages != 2 || list[0].Folded != 2 {
		t.Errorf("listed %+v", list)
	}
}

func TestAChangeWhoseCommitLandedInSpiteOfItsErrorIsMadeOnce(t *testing.T) {
	spend := func(s *engine.Session) { s.Usage.Input += 5 }
	stored := journal.Row{Session: engine.Session{ID: "one", Folded: 3, Usage: engine.Usage{Input: 5}}, Rev: 6}
	f := folding{id: "one", own: journal.Row{Session: engine.Session{ID: "one", Folded: 2}, Rev: 5}, last: 3,
		changes: []func(*engine.Session){spend, spend}, tried: attempt{rev: 6, changes: 1}}
	if r, err := f.row(&stored); err != nil || r.Usage.Input != 10 {
		t.Errorf("after the commit that landed: %+v, %v", r.Usage, err)
	}
	stored.Rev, stored.Usage.Input = 5, 0
	if r, err := f.row(&stored); err != nil || r.Usage.Input != 10 {
		t.Errorf("after the commit that did not: %+v, %v", r.Usage, err)
	}
}

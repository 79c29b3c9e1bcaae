// Package storetest is the contract of engine.Store as a suite of stories. Every store runs it; it knows nothing of how
// a store keeps things and makes no claim about crashes, which a store tests for itself.
package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"talaria/engine"
)

// Start is when the stories take place.
var Start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// Contract runs all stories, each on a fresh store from open.
func Contract(t *testing.T, open func(t *testing.T) engine.Store) {
	stories := []struct {
		name string
		tell func(*testing.T, engine.Store)
	}{
		{"RecordsComeBackInOrder", recordsComeBack},
		{"WhatALaterVersionWroteSurvives", unknownSurvives},
		{"NothingIsKeptOfASessionWithoutRecords", nothingBeforeTheFirst},
		{"ASessionHasOneOwner", oneOwner},
		{"AResumedSessionGoesOn", resumed},
		{"SessionsAreListedNewestFirst", listed},
		{"ASessionThatWasNeverFoldedIsListed", neverFolded},
		{"ASessionIsFoundByWhatTheUserRemembers", found},
		{"ACompressedSessionLeadsToItsNewestChild", lineage},
		{"ATitleGivenByTheUserStays", renamed},
		{"ADeletedSessionIsGone", deleted},
		{"ACompressedSessionIsDeletedWhole", deletedWhole},
		{"DraftsAreKeptForEachSession", drafts},
		{"HistoryIsNewestFirst", history},
		{"WordsAreFoundInTitlesAndMessages", searched},
		{"SearchFollowsWhatHappens", searchFollows},
		{"TheTailIsReadWithoutOwning", tail},
		{"ARecordThatCannotBeWrittenHoldsUpNoOther", refused},
		{"N07ManyUpdatesAtOnceLoseNothing", concurrent},
	}
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			st := open(t)
			t.Cleanup(func() { must(t, st.Close()) })
			s.tell(t, st)
		})
	}
}

// Said is the record of a user's message.
func Said(text string, at time.Time) engine.Record {
	return engine.Record{At: at, Event: engine.Appended{Message: engine.UserMessage(text, at)}}
}

// Texts returns the text of the messages among recs.
func Texts(recs []engine.Record) []string {
	var all []string
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok {
			all = append(all, a.Message.Text())
		}
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func is(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("got error %v, want %v", err, target)
	}
}

// create starts session id of dir and writes one message a text.
func create(t *testing.T, st engine.Store, s engine.Session, texts ...string) engine.Log {
	t.Helper()
	l, err := st.Create(t.Context(), s)
	must(t, err)
	for i, text := range texts {
		must(t, l.Append(t.Context(), Said(text, Start.Add(time.Duration(i)*time.Second))))
	}
	return l
}

// stored creates a session, folds it and closes it.
func stored(t *testing.T, st engine.Store, s engine.Session, texts ...string) {
	t.Helper()
	l := create(t, st, s, texts...)
	must(t, l.Fold(t.Context(), func(row *engine.Session) { row.Title, row.Updated = s.Title, s.Updated }))
	must(t, l.Close())
}

func ids(list []engine.Session) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, s.ID)
	}
	return out
}

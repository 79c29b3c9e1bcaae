package core_test

import (
	"context"
	"errors"
	"testing"

	"talaria/engine"
)

// TestASessionThatAnotherWindowHasIsCopied forks while its owner goes on: the copy has what was said, the owner keeps it.
func TestASessionThatAnotherWindowHasIsCopied(t *testing.T) {
	s := threeFiles(t)
	ctx := context.Background()
	owner := nth[engine.Opened](s, 1).Session.ID
	if _, err := s.deps.Store.Open(ctx, owner); !errors.Is(err, engine.ErrOwned) {
		t.Fatalf("the session is free: %v", err)
	}
	id, err := s.core.ForkSession(ctx, owner)
	if err != nil || id == owner {
		t.Fatal(id, err)
	}
	s.core.Do(engine.Open{Session: id})
	o := nth[engine.Opened](s, 2)
	if o.Session.ParentID != owner || o.Session.ParentWhy != engine.WhyFork || o.Session.Turns != 2 {
		t.Fatalf("%+v", o.Session)
	}
	if e := s.rewound(1, engine.Undo{}); len(e.Files) != 3 {
		t.Fatalf("the copy cannot undo: %+v", e)
	}
	if _, err := s.core.ForkSession(ctx, "nobody"); !errors.Is(err, engine.ErrNotFound) {
		t.Fatal(err)
	}
}

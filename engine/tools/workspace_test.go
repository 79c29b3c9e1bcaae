package tools

import (
	"context"
	"path/filepath"
	"testing"
)

func TestALockIsForgottenWhenNobodyHasIt(t *testing.T) {
	w := NewWorkspace(t.TempDir(), "")
	for range 3 {
		unlock, err := w.Lock(context.Background(), filepath.Join(w.Dir(), "a.txt"))
		if err != nil {
			t.Fatal(err)
		}
		unlock()
	}
	if len(w.locks.paths) != 0 {
		t.Fatalf("%d locks are kept", len(w.locks.paths))
	}
}

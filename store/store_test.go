package store

import (
	"testing"

	"talaria/engine"
	"talaria/store/storetest"
)

func TestTheStoreOnDiskKeepsTheContract(t *testing.T) {
	storetest.Contract(t, func(t *testing.T) engine.Store {
		st, err := Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return st
	})
}

func TestTheStoreInMemoryKeepsTheContract(t *testing.T) {
	storetest.Contract(t, func(*testing.T) engine.Store { return NewMemory() })
}

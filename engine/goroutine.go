package engine

import (
	"runtime/debug"
	"sync/atomic"
)

// Crash is a panic that a goroutine did not survive.
type Crash struct {
	Where string // the name given to Go
	Value any
	Stack []byte
}

var crashHandler atomic.Pointer[func(Crash)]

// OnCrash sets what happens when a goroutine started by Go panics: the program restores the terminal and says how to
// resume (law 13). It returns a function that puts the former handler back.
func OnCrash(h func(Crash)) (restore func()) {
	old := crashHandler.Swap(&h)
	return func() { crashHandler.Store(old) }
}

// Go runs f in a goroutine of its own. It is the only way to start one (arch_test): a panic is reported to the handler
// of OnCrash instead of ending the program with a raw terminal; without a handler it goes on.
func Go(where string, f func()) {
	go func() {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			h := crashHandler.Load()
			if h == nil || *h == nil {
				panic(v)
			}
			(*h)(Crash{where, v, debug.Stack()})
		}()
		f()
	}()
}

// Package engine is the vocabulary of Talaria: what the loop, the screen, the store, the tools and the
// providers say to one another. It holds types, their JSON, and the few pure functions that everybody must
// agree on (folding deltas into a message, merging stream pieces). It knows no network, no terminal and no file.
//
// Read it in this order: message.go (what is said), provider.go (how a model answers), tool.go (what a model can
// do), event.go and op.go (the seam between engine and screen), store.go (what is kept), errors.go (what goes wrong).
//
// It refuses anything outside the standard library, and any behaviour that belongs to one package alone.
package engine

package feed

import "talaria/engine"

// Prepend puts the blocks of older records before all others and returns how many there are. Records must end where a
// reply has all its results, so that no block has its one half in them and its other half in what is there already.
func (f *Feed) Prepend(recs []engine.Record) int {
	old := newFeed(f.kit)
	old.now, old.route = f.now, f.route
	for _, r := range recs {
		if r.Event != nil {
			old.On(r.Event, true)
		}
	}
	old.closeLive()
	old.stopCalls("no result was stored")
	old.retire() // its hints were for the moment after it
	f.Entries = append(old.Entries, f.Entries...)
	return len(old.Entries)
}

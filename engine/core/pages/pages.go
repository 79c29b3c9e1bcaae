// Package pages reads a conversation back from its end, a page at a time, over all sessions that it went on in after a
// compression. A page is what a screen can show without knowing the rest: no reply is parted from its results, what was
// undone is left out although the undo stands pages later, and what a compression carried over into the next session
// stands once, where it was said.
//
// It refuses to own a session or to write: the pages of a session that is open anywhere are read the same way.
package pages

import (
	"context"
	"errors"
	"math"
	"slices"

	"talaria/engine"
	"talaria/engine/provider/think"
)

// Reader reads from a library. It is safe for concurrent use.
type Reader struct{ Library engine.Library }

// First is how many records of a session are told when it comes on screen: enough for a large one. The screen asks for what
// stands before them as the user comes to it.
const First = 100

// grow is by how much a page is made longer as long as it has no place to be cut at.
const grow = 4

// Earlier returns about n records before p.
func (r Reader) Earlier(ctx context.Context, p engine.Place, n int) (engine.Page, error) {
	for {
		page, err := r.page(ctx, p, n)
		if err != nil || len(page.Records) > 0 || page.Next == nil {
			return page, err
		}
		p = *page.Next // all of it was undone
	}
}

func (r Reader) page(ctx context.Context, p engine.Place, n int) (engine.Page, error) {
	var recs []engine.Record
	var next *engine.Place
	for want := max(1, n); ; want *= grow {
		var err error
		if recs, err = r.Library.Before(ctx, p.Session, p.Before, want); err != nil {
			return engine.Page{}, err
		}
		if len(recs) == 0 {
			return engine.Page{}, nil
		}
		var onward *engine.Place
		if recs, onward = r.own(ctx, p.Session, recs); onward != nil {
			next = onward
			break
		}
		if len(recs) < want || recs[0].Seq <= 1 {
			break
		}
		if at := cut(recs); at >= 0 {
			recs = recs[at:]
			next = &engine.Place{Session: p.Session, Before: recs[0].Seq}
			break
		}
	}
	standing, undone := stand(recs, p.Undone)
	for i, r := range standing {
		standing[i] = think.Record(r)
	}
	if next != nil {
		next.Undone = undone
	}
	return engine.Page{Records: standing, Next: next}, nil
}

// cut is the first place in recs where a page may begin: a round of the model, or a turn. -1 when there is none.
func cut(recs []engine.Record) int {
	for i, r := range recs {
		_, began := r.Event.(engine.Began)
		_, stepped := r.Event.(engine.Stepped)
		a, ok := r.Event.(engine.Appended)
		asks := ok && a.Message.Role == engine.RoleUser && !a.Message.Steer && !a.Message.Aside
		if began || stepped || asks && alone(recs[:i]) {
			return i
		}
	}
	return -1
}

// alone reports whether a message of the user's after before begins its turn: the turn has not begun there already. A
// session of another program has no other beginnings.
func alone(before []engine.Record) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if _, began := before[i].Event.(engine.Began); began {
			return false
		}
		if _, note := before[i].Event.(engine.Noted); !note && before[i].Event != nil {
			return true
		}
	}
	return false // what stands before is not here
}

// own takes out of recs, the records of session id up to some place, what a compression carried over into it: that stands in
// the session before, where the conversation goes on. Without any of it in recs, or when the session before is gone, recs
// are all its own and onward is nil.
func (r Reader) own(ctx context.Context, id string, recs []engine.Record) (_ []engine.Record, onward *engine.Place) {
	head, err := r.Library.Before(ctx, id, 2, 1)
	if err != nil || len(head) == 0 {
		return recs, nil
	}
	o, ok := head[0].Event.(engine.Opened)
	carried := head[0].Seq + uint64(o.Session.Messages) // one append has them all
	if row := o.Session; !ok || row.ParentWhy != engine.WhyCompression || row.ParentID == "" || row.ParentID == id || recs[0].Seq > carried {
		return recs, nil
	}
	before, told, err := r.seam(ctx, o.Session.ParentID, id)
	if err != nil {
		return recs, nil // it was deleted: what is here is all there is
	}
	kept := head
	if !told && recs[0].Seq > 1 { // the summary may stand before what was asked for
		first, err := r.Library.Before(ctx, id, recs[0].Seq, 0)
		if err != nil {
			return recs, nil
		}
		recs = append(first, recs...)
	}
	for _, rec := range recs {
		a, said := rec.Event.(engine.Appended)
		if rec.Seq > carried || said && a.Message.Summary && !told {
			kept = append(kept, rec)
		}
	}
	return kept, &engine.Place{Session: o.Session.ParentID, Before: before}
}

// seam is the number below which the session parent was compressed into child. Told is false when the program ended before
// the parent said so: then nothing in it tells the summary.
func (r Reader) seam(ctx context.Context, parent, child string) (before uint64, told bool, err error) {
	for n := 16; ; n *= grow * grow {
		recs, err := r.Library.Before(ctx, parent, 0, n)
		if err != nil {
			return 0, false, err
		}
		for _, rec := range recs {
			if c, ok := rec.Event.(engine.Compacted); ok && c.Child == child {
				return rec.Seq + 1, true, nil
			}
		}
		if len(recs) == 0 {
			return 0, false, errors.New("the session is empty")
		}
		if len(recs) < n {
			return 0, false, nil
		}
	}
}

// later marks records that stand behind a page and are not part of it.
const later = math.MaxUint64

// stand returns what recs show when undone follow them, and which undos and redos reach back beyond them.
func stand(recs, undone []engine.Record) (standing, beyond []engine.Record) {
	behind := slices.Clone(undone)
	for i := range behind {
		behind[i].Seq = later
	}
	standing = engine.Standing(append(slices.Clone(recs), behind...))
	for len(standing) > 0 && standing[len(standing)-1].Seq == later {
		standing = standing[:len(standing)-1]
	}
	here := map[string]bool{}  // messages of recs
	close := map[string]bool{} // undos that end in recs
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok {
			here[a.Message.ID] = true
		}
	}
	for _, r := range append(slices.Clone(recs), undone...) {
		e, ok := r.Event.(engine.Rewound)
		switch {
		case !ok || e.From == "":
		case e.Back && close[e.ID], !e.Back && here[e.From]:
			close[e.ID] = true
		default:
			beyond = append(beyond, r)
		}
	}
	return standing, beyond
}

package transcript

import (
	"talaria/engine"
	"talaria/themes"
	"talaria/ui/transcript/feed"
)

// older is what is known of the conversation before its first block here, and who waits for it.
type older struct {
	more bool      // there is more than is here
	lead bool      // there was more: the row that said so stays, blank, so that nothing moves when all is read
	top  bool      // the reader wants the very first row
	step feed.Kind // the reader wants the block of this kind before the one in use, "" for none
}

// Need says how much of what is older the reader asks for now.
type Need int

// NeedNone: what is here is enough. NeedPage: the reader is near the first row, or looks for a block before it. NeedAll:
// the reader searches, or wants the very first row.
const (
	NeedNone Need = iota
	NeedPage
	NeedAll
)

// nearScreens is how many screens above the first row on screen should be there before the reader comes to them.
const nearScreens = 3

// SetMore says whether the conversation goes on before its first block here.
func (t *Transcript) SetMore(more bool) {
	t.older.more, t.older.lead = more, t.older.lead || more
	if !more {
		t.older.top, t.older.step = false, ""
	}
}

// Need says whether something older should be read now.
func (t *Transcript) Need() Need {
	switch {
	case !t.older.more || t.view.height <= 0 || t.layout.width <= 0:
		return NeedNone
	case t.older.top, t.focus.find != nil:
		return NeedAll
	case t.older.step != "":
		return NeedPage
	}
	p, short, ok := t.top()
	if !ok || short > 0 {
		return NeedPage
	}
	most := nearScreens * t.view.height
	if _, left := t.up(p, most); left > 0 {
		return NeedPage
	}
	return NeedNone
}

// Prepend puts older records before all that is here. What is on screen stays where it is; only a reader who waits for
// the first row, or for a block before the first, is taken there. Records end where a reply has all its results.
func (t *Transcript) Prepend(recs []engine.Record, more bool) {
	if !t.older.more {
		return // the screen was cleared meanwhile
	}
	step := t.older.step
	n := t.feed.Prepend(recs)
	t.moved(n)
	if t.older.more = more; t.older.top {
		t.toTop()
	}
	if step != "" {
		t.StepTo(step, -1)
	}
	if t.focus.wait {
		t.NextHit(-1, true)
	}
	if !more {
		t.older.top, t.older.step = false, ""
	}
}

// moved gives every block its new number, n higher.
func (t *Transcript) moved(n int) {
	first := t.view.at
	for _, i := range []*int{&t.view.at.block, &t.view.seen.block, &t.focus.at, &t.spool.at, &t.spool.past, &t.mark.from.block, &t.mark.to.block} {
		if *i >= 0 {
			*i += n
		}
	}
	for y, i := range t.view.shown {
		if i >= 0 {
			t.view.shown[y] = i + n
		}
	}
	var hits []int
	if t.focus.find != nil {
		hits = t.found(0, n)
	}
	if t.focus.hit > 0 {
		t.focus.hit += len(hits)
	}
	for _, i := range t.focus.hits {
		hits = append(hits, i+n)
	}
	t.focus.hits = hits
	if p := t.view.at; !t.view.following && n > 0 && first.row < 0 && t.gap(p.block) == 0 {
		t.view.at, _ = t.up(t.place(p.block, 0), 1) // the row that said that there is more is a row of what came
	}
}

// notice is the row above the first block, which says that there is more.
func (t *Transcript) notice() string {
	s := t.feed.Sheet()
	if !t.older.more {
		return ""
	}
	return s.Ink(themes.FgMuted, s.Truncate(s.Words("↑ reading older messages…"), t.layout.width))
}

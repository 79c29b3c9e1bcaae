package transcript

import (
	"regexp"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/themes"
	"talaria/ui/style"
	"talaria/ui/transcript/feed"
)

// focus is the block in use while the reader browses, and what is searched.
type focus struct {
	at   int
	find *regexp.Regexp // nil without a search
	hits []int          // the entries that have it
	hit  int            // which of them was gone to, from 1
	wait bool           // none was found yet, and the first that is shall be gone to
}

// Browse begins at the last block on screen. The view stops following unless all fits.
func (t *Transcript) Browse() {
	t.focus = focus{at: -1}
	p, short, ok := t.top()
	if !ok {
		return
	}
	if t.view.following && short == 0 {
		t.view.following, t.view.at = false, p
		t.view.seen, _ = t.last()
	}
	bottom, _ := t.down(p, max(0, t.view.height-1))
	t.focus.at = bottom.block
}

// Focused is what the block in use says; ok is false where there is none.
func (t *Transcript) Focused() (feed.Item, bool) {
	if i := t.focus.at; i >= 0 && i < len(t.feed.Entries) {
		return t.feed.Entries[i].Item()
	}
	return feed.Item{}, false
}

// FocusRows is where the block in use stands in the last View: its first row and how many. None: n is 0.
func (t *Transcript) FocusRows() (y, n int) {
	for i, e := range t.view.shown {
		if e != t.focus.at || e < 0 {
			continue
		}
		if n == 0 {
			y = i
		}
		n++
	}
	return y, n
}

// Step moves to the next block, or with a negative n to the one before. A block that goes on below the screen is first
// scrolled through.
func (t *Transcript) Step(n int) {
	i := t.focus.at
	if n > 0 {
		if p, short, ok := t.top(); ok && short == 0 && i >= 0 {
			bottom, _ := t.down(p, t.view.height-1)
			if bottom.block == i && bottom.row < len(t.rows(i))-1 {
				t.ScrollBy(min(len(t.rows(i))-1-bottom.row, max(1, t.view.height-2)))
				return
			}
		}
		i = t.after(max(i, -1))
	} else {
		i = t.before(min(max(i, 0), len(t.feed.Entries)))
	}
	t.focusOn(i, 0)
}

// FocusSeen uses a block that is on screen: the one in use if it is, else the first.
func (t *Transcript) FocusSeen() {
	p, _, ok := t.top()
	if !ok {
		return
	}
	if bottom, _ := t.down(p, max(0, t.view.height-1)); t.focus.at < p.block || t.focus.at > bottom.block {
		t.focus.at = p.block
	}
}

// StepTo moves to the next block of a kind, or with a negative n to the one before, which Prepend may still bring.
func (t *Transcript) StepTo(k feed.Kind, n int) {
	t.older.step = ""
	for i := t.focus.at + n; i >= 0 && i < len(t.feed.Entries); i += n {
		if one, ok := t.feed.Entries[i].Item(); ok && one.Kind == k && len(t.rows(i)) > 0 {
			t.focusOn(i, 0)
			return
		}
	}
	if n < 0 && t.older.more {
		t.older.step = k
	}
}

// StepEnd moves to the first block, or to the last.
func (t *Transcript) StepEnd(last bool) {
	if last {
		t.focusOn(t.before(len(t.feed.Entries)), 0)
		t.Bottom()
		return
	}
	t.focusOn(t.after(-1), 0)
	t.Top()
}

// ToggleFocus expands or collapses the block in use; false when it has nothing more.
func (t *Transcript) ToggleFocus() bool { return t.focus.at >= 0 && t.toggle(t.focus.at) }

// focusOn uses block i, and brings its row into view.
func (t *Transcript) focusOn(i, row int) {
	if i < 0 || len(t.rows(i)) == 0 {
		return
	}
	t.focus.at = i
	p, _, ok := t.top()
	if !ok {
		return
	}
	if n := len(t.rows(i)); row == 0 && n < t.view.height {
		row = n - 1 // all of it
		if p.block == i && p.row > 0 || t.later(p, place{block: i, row: 0}) {
			t.anchor(t.place(i, 0))
			return
		}
	}
	want := t.place(i, row)
	bottom, _ := t.down(p, t.view.height-1)
	switch {
	case t.later(p, want):
		t.anchor(want)
	case t.later(want, bottom) && len(t.rows(i)) >= t.view.height:
		t.anchor(want)
	case t.later(want, bottom):
		up, _ := t.up(want, t.view.height-1)
		t.anchor(up)
	}
}

// Find searches what was said and done for text, in either case; "" ends the search. What Prepend brings is searched too.
func (t *Transcript) Find(text string) {
	t.focus.find, t.focus.hits, t.focus.hit, t.focus.wait = nil, nil, 0, false
	if text != "" {
		t.focus.find = regexp.MustCompile(`(?i)` + regexp.QuoteMeta(text))
		t.focus.hits = t.found(0, len(t.feed.Entries))
	}
}

// Hits is how many blocks have what is searched, and which of them was gone to, from 1; 0 while none was. More says that
// there may be others in what was not read yet.
func (t *Transcript) Hits() (at, of int, more bool) {
	return t.focus.hit, len(t.focus.hits), t.focus.find != nil && t.older.more
}

// found are the entries from from up to to that have what is searched.
func (t *Transcript) found(from, to int) (hits []int) {
	for i, e := range t.feed.Entries[from:to] {
		if !e.Hidden() && t.focus.find.MatchString(e.Searched()) {
			hits = append(hits, from+i)
		}
	}
	return hits
}

// NextHit goes to the next block that has what was searched, with a negative n to the one before, around the ends; here
// stays where it is if it has it. A hit in what is folded away is opened.
func (t *Transcript) NextHit(n int, here bool) {
	hits := t.focus.hits
	if t.focus.wait = len(hits) == 0 && t.older.more; len(hits) == 0 {
		return
	}
	k := 0
	if n > 0 {
		for k < len(hits)-1 && (hits[k] < t.focus.at || hits[k] == t.focus.at && !here) {
			k++
		}
		if hits[k] < t.focus.at || hits[k] == t.focus.at && !here {
			k = 0
		}
	} else {
		past := func(i int) bool { return i > t.focus.at || i == t.focus.at && !here }
		for k = len(hits) - 1; k > 0 && past(hits[k]); k-- {
		}
		if past(hits[k]) {
			k = len(hits) - 1
		}
	}
	i := hits[k]
	row := t.hitRow(i)
	if row < 0 && t.toggle(i) {
		row = t.hitRow(i)
	}
	t.focusOn(i, max(0, row))
	t.focus.hit = k + 1
}

func (t *Transcript) hitRow(i int) int {
	for row, line := range t.rows(i) {
		if t.focus.find.MatchString(ansi.Strip(line)) {
			return row
		}
	}
	return -1
}

// Lit marks what is searched in lines of the view.
func (t *Transcript) Lit(lines []string) []string {
	if t.focus.find == nil {
		return lines
	}
	s := t.feed.Sheet()
	mark := s.On(themes.SelFg, themes.SelBg).Reverse(s.Colour(themes.SelBg) == nil)
	for y, line := range lines {
		plain := ansi.Strip(line)
		var marks []lipgloss.Range
		for _, at := range t.focus.find.FindAllStringIndex(plain, -1) {
			from := style.Width(plain[:at[0]])
			marks = append(marks, lipgloss.NewRange(from, from+style.Width(plain[at[0]:at[1]]), mark))
		}
		if len(marks) > 0 {
			lines[y] = lipgloss.StyleRanges(line, marks...)
		}
	}
	return lines
}

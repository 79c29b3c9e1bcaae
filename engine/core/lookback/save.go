package lookback

import (
	"context"
	"fmt"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/memory"
	"talaria/engine/review"
)

// saveTime bounds the look for facts before a summary: the user waits for that.
const saveTime = 45 * time.Second

// Save returns what keeps the facts of a transcript before it is summarised; nil where nothing is remembered. It never
// fails: what could not be asked or kept is left.
func (l *Lookback) Save() func(ctx context.Context, transcript string) {
	if l.d.Notes == nil || l.d.Notes.ReadOnly {
		return nil
	}
	return l.save
}

func (l *Lookback) save(ctx context.Context, transcript string) {
	asking, cancel := context.WithTimeout(ctx, saveTime)
	defer cancel()
	var known []string
	for _, t := range []memory.Target{memory.Notes, memory.User} {
		entries, err := l.d.Notes.Entries(t)
		if err != nil {
			return // a file that cannot be read is not written either
		}
		known = append(known, entries...)
	}
	facts, err := review.Facts(asking, l.d.Facts, transcript, known)
	if err != nil || ctx.Err() != nil {
		return
	}
	var saved []string
	for _, f := range facts {
		t := memory.Notes
		if f.User {
			t = memory.User
		}
		if _, added, err := l.d.Notes.Add(t, f.Text); err == nil && added {
			saved = append(saved, fmt.Sprintf("%q", f.Text))
		}
	}
	if len(saved) > 0 {
		l.d.Tell(context.WithoutCancel(ctx), engine.Noted{Kind: engine.NoteInfo, Text: "Remembered before compacting: " + strings.Join(saved, ", ") + "."})
	}
}

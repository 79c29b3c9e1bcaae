package delegate

import (
	"context"
	"time"

	"talaria/engine"
)

func (r *recorder) write(ctx context.Context, at time.Time, e engine.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log == nil || engine.Transient(e) {
		return
	}
	r.err = r.log.Append(context.WithoutCancel(ctx), engine.Record{At: at, Event: e})
}

// close brings the session's row up to how it ended.
func (r *recorder) close(ctx context.Context, o engine.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	_ = r.log.Fold(ctx, func(s *engine.Session) { // the journal has it all; a failed fold is made up for at the next start
		s.Turns, s.Messages, s.Usage, s.Cost, s.Changed, s.Last = 1, len(o.Stored), o.Usage, o.Cost, o.FilesChanged, clip(oneLine(o.Final), 300)
	})
	_ = r.log.Close() // as above
	r.log = nil
}

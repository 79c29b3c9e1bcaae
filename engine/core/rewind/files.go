package rewind

import (
	"context"
	"time"

	"talaria/engine"
	"talaria/engine/checkpoint"
	"talaria/engine/core/past"
	"talaria/engine/tools/file"
)

// keepFiles sets up that every file is kept before a tool changes it.
func (r *Rewinder) keepFiles(ctx context.Context) {
	cfg := r.d.Copies
	if !cfg.Enabled || r.d.Dir == "" {
		return
	}
	const mb = 1 << 20
	r.kept = checkpoint.Open(checkpoint.Options{Dir: r.d.Dir, MaxBytes: int64(cfg.MaxMB * mb),
		MaxAge: time.Duration(cfg.MaxDays * 24 * float64(time.Hour)), MaxFile: int64(cfg.MaxFileMB * mb), Now: r.d.Now, Write: file.Replace,
		Lost: func(text string) { r.note(context.WithoutCancel(ctx), engine.NoteWarning, "%s", text) }})
	r.d.Space.OnChange(func(path string) func() {
		if log := r.changes.Load(); log != nil {
			return log.Keep(path)
		}
		return func() {}
	})
	engine.Go("prune file copies", func() { _ = r.kept.Prune() }) // what cannot be removed is tried again at the next start
}

// Open makes the log of a session's changes the one that is written. recs are those of a session that is resumed.
func (r *Rewinder) Open(session string, recs []engine.Record) {
	r.Drop()
	r.d.Space.Forget()
	if r.kept == nil {
		return
	}
	log := r.kept.Session(session)
	if asked := past.Asked(recs); len(asked) > 0 {
		log.Begin(asked[len(asked)-1].ID) // a continued turn is the last one
	}
	r.changes.Store(log)
}

// GoOn makes a session that goes on for another the one whose changes are kept: what was changed before can be
// taken back in it too.
func (r *Rewinder) GoOn(from, to string) {
	before := r.changes.Load()
	if before == nil {
		return
	}
	_ = r.kept.Copy(from, to) // without it the files of earlier turns stay as they are
	log := r.kept.Session(to)
	log.Begin(before.Turn())
	r.changes.Store(log)
}

// Begin says that the turn of the user's message id begins: what is changed from now on belongs to it.
func (r *Rewinder) Begin(id string) {
	if log := r.changes.Load(); log != nil {
		log.Begin(id)
	}
}

// Watched notes which files a command changes: those are not kept, but they are told of.
func (r *Rewinder) Watched(t engine.Tool) engine.Tool {
	if r.kept == nil {
		return t
	}
	return watchedTool{engine.Wrapped{Tool: t}, r}
}

type watchedTool struct {
	engine.Wrapped
	r *Rewinder
}

// Run runs the command between two looks at the files of the session's directory.
func (t watchedTool) Run(ctx context.Context, call engine.Call, out engine.Output) (engine.Result, error) {
	if log := t.r.changes.Load(); log != nil {
		defer log.Watch(t.r.d.Watch)()
	}
	return t.Tool.Run(ctx, call, out)
}

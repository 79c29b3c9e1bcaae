package core

import (
	"context"
	"path/filepath"
	"time"

	"talaria/engine"
	"talaria/engine/checkpoint"
	"talaria/engine/core/past"
	"talaria/engine/tools/file"
)

// keepFiles sets up that every file is kept before a tool changes it.
func (c *Core) keepFiles(ctx context.Context) {
	cfg := c.d.Resolver.Config.Checkpoints
	if !cfg.Enabled || c.d.NoTrace || c.d.Paths.Data == "" {
		return
	}
	const mb = 1 << 20
	c.kept = checkpoint.Open(checkpoint.Options{Dir: filepath.Join(c.d.Paths.Data, "checkpoints"), MaxBytes: int64(cfg.MaxMB * mb),
		MaxAge: time.Duration(cfg.MaxDays * 24 * float64(time.Hour)), MaxFile: int64(cfg.MaxFileMB * mb), Now: c.d.Now, Write: file.Replace,
		Lost: func(text string) { c.note(context.WithoutCancel(ctx), engine.NoteWarning, "%s", text) }})
	c.space.OnChange(func(path string) func() {
		if log := c.changes.Load(); log != nil {
			return log.Keep(path)
		}
		return func() {}
	})
	engine.Go("prune file copies", func() { _ = c.kept.Prune() }) // what cannot be removed is tried again at the next start
}

// changesOf makes the log of a session's changes the one that is written. recs are those of a session that is resumed.
func (c *Core) changesOf(session string, recs []engine.Record) {
	c.dropUndoQuestion()
	c.space.Forget()
	if c.kept == nil {
		return
	}
	log := c.kept.Session(session)
	if asked := past.Asked(recs); len(asked) > 0 {
		log.Begin(asked[len(asked)-1].ID) // a continued turn is the last one
	}
	c.changes.Store(log)
}

// changesGoOn makes a session that goes on for another the one whose changes are kept: what was changed before can be
// taken back in it too.
func (c *Core) changesGoOn(from, to string) {
	before := c.changes.Load()
	if before == nil {
		return
	}
	_ = c.kept.Copy(from, to) // without it the files of earlier turns stay as they are
	log := c.kept.Session(to)
	log.Begin(before.Turn())
	c.changes.Store(log)
}

// watched notes which files a command changes: those are not kept, but they are told of.
func (c *Core) watched(t engine.Tool) engine.Tool {
	if c.kept == nil {
		return t
	}
	return watchedTool{t, c}
}

type watchedTool struct {
	engine.Tool
	c *Core
}

// Run runs the command between two looks at the files of the session's directory.
func (t watchedTool) Run(ctx context.Context, call engine.Call, out engine.Output) (engine.Result, error) {
	if log := t.c.changes.Load(); log != nil {
		defer log.Watch(t.c.d.Dir)()
	}
	return t.Tool.Run(ctx, call, out)
}

// Touches names the files that the command works on, where its tool can.
func (t watchedTool) Touches(call engine.Call) []string {
	if toucher, ok := t.Tool.(engine.Toucher); ok {
		return toucher.Touches(call)
	}
	return nil
}

// keepTrajectory writes the turn for training, when that is asked for. A turn is over whether that works or not.
func (c *Core) keepTrajectory(ctx context.Context, o engine.Outcome, specs []engine.Spec) {
	if c.d.Trajectory == nil || c.d.NoTrace {
		return
	}
	if err := c.d.Trajectory(o, specs, c.d.Now()); err != nil {
		c.note(context.WithoutCancel(ctx), engine.NoteWarning, "This turn is not in the trajectory file: %v", err)
	}
}

package tools

import (
	"context"
	"io/fs"

	"talaria/engine"
)

// readKey is a part of a file that somebody read: each agent has a chat of its own to look it up in.
type readKey struct {
	agent, path   string
	offset, limit int
}

type readMark struct {
	mark
	times int
}

// maxReads bounds what is remembered; beyond it everything is forgotten, which costs a repeated reading.
const maxReads = 1000

type scriptKey struct{}

// Scripted marks work whose results do not go into a chat, such as a script's: what it reads is never left out because it
// was read before.
func Scripted(ctx context.Context) context.Context {
	return context.WithValue(ctx, scriptKey{}, true)
}

// Again counts how often the agent of ctx has read this part of the file at path, this time included, without the file
// having changed in between. 1 is the first time.
func (w *Workspace) Again(ctx context.Context, path string, offset, limit int, info fs.FileInfo) int {
	if scripted, _ := ctx.Value(scriptKey{}).(bool); scripted {
		return 1
	}
	key := readKey{engine.AgentOf(ctx), Real(path), offset, limit}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reads == nil || len(w.reads) >= maxReads {
		w.reads = map[readKey]readMark{}
	}
	m := w.reads[key]
	if now := markOf(info); m.times == 0 || !m.same(now) {
		m = readMark{mark: now}
	}
	m.times++
	w.reads[key] = m
	return m.times
}

// ForgetReads forgets what was read, but not what files looked like: the chat that it was read in was summarised.
func (w *Workspace) ForgetReads() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads = nil
}

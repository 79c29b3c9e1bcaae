package core

import (
	"context"

	"talaria/engine"
	"talaria/engine/core/notebook"
	"talaria/engine/memory"
	"talaria/engine/prompt"
)

// newNotes opens the memory; nil when it is switched off.
func (c *Core) newNotes() *memory.Files {
	m := c.d.Resolver.Config.Memory
	if !m.Enabled || c.d.Paths.Memories == "" {
		return nil
	}
	return &memory.Files{Dir: c.d.Paths.Memories, Limits: map[memory.Target]int{memory.Notes: m.MemoryChars, memory.User: m.UserChars},
		Threat: func(s string) string { return prompt.Threat(s, true) }, ReadOnly: c.d.NoTrace}
}

// remembered are the blocks of the memory for the prompt, as they stand when it is built.
func (c *Core) remembered(ctx context.Context) []string {
	if c.notes == nil {
		return nil
	}
	var blocks []string
	for _, t := range []memory.Target{memory.Notes, memory.User} {
		block, err := c.notes.Snapshot(t)
		if err != nil {
			c.note(ctx, engine.NoteWarning, "What was remembered is left out: %v", err)
			continue
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// Memory is what is remembered, nil when nothing is remembered.
func (c *Core) Memory() engine.Remembered { return notebook.New(c.notes) }

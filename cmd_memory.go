package main

import (
	"fmt"
	"strings"

	"talaria/engine/memory"
)

// remembered opens the memory to read it.
func (c *cmdline) remembered() (*memory.Files, error) {
	p, err := c.program()
	if err != nil {
		return nil, err
	}
	return &memory.Files{Dir: p.paths.Memories, ReadOnly: true}, nil
}

// showMemory prints what is remembered: both files, or the one that is named (memory or user).
func showMemory(c *cmdline) error {
	files, err := c.remembered()
	if err != nil {
		return err
	}
	targets := []memory.Target{memory.Notes, memory.User}
	if len(c.args) == 1 {
		if targets = []memory.Target{memory.Target(c.args[0])}; targets[0] != memory.Notes && targets[0] != memory.User {
			return fmt.Errorf("there is no memory %q; it is memory or user", c.args[0])
		}
	}
	all, lines := map[string][]string{}, []string(nil)
	for _, t := range targets {
		entries, err := files.Entries(t)
		if err != nil {
			return err
		}
		all[string(t)] = append([]string{}, entries...)
		lines = append(lines, files.Path(t))
		for _, e := range entries {
			lines = append(lines, "- "+strings.ReplaceAll(e, "\n", "\n  "))
		}
		if len(entries) == 0 {
			lines = append(lines, "(nothing is remembered)")
		}
	}
	return c.print(all, lines...)
}

// memoryPath prints where the files are.
func memoryPath(c *cmdline) error {
	files, err := c.remembered()
	if err != nil {
		return err
	}
	return c.print(map[string]string{"memory": files.Path(memory.Notes), "user": files.Path(memory.User)}, files.Path(memory.Notes), files.Path(memory.User))
}

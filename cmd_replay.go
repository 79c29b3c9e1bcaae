package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"

	"talaria/engine"
	"talaria/engine/provider/think"
	"talaria/store"
	"talaria/store/replay"
	"talaria/ui"
)

// replayFile plays a journal in the screen. The argument is a file, or a session as --resume takes it.
func replayFile(c *cmdline) error {
	speed := 1.0
	if text, ok := c.opts["--speed"]; ok {
		v, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
		if err != nil || v <= 0 {
			return fmt.Errorf("--speed %q is not a speed, such as 4 or 0.5", text)
		}
		speed = v
	}
	p, err := c.program()
	if err != nil {
		return err
	}
	path := c.args[0]
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		err := c.withStore(func(ctx context.Context, s engine.Store) error {
			one, err := s.Find(ctx, path, p.dir)
			if err == nil {
				path = filepath.Join(p.paths.Journal, one.ID+".jsonl")
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("replay %s: there is no such file and no such session", path)
		}
	}
	tape, err := replay.Load(path, think.Record)
	if err != nil {
		return err
	}
	if !term.IsTerminal(os.Stdout.Fd()) {
		return fmt.Errorf("replay needs a terminal; talaria sessions show and talaria sessions export print a session")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	player := replay.New(tape, speed)
	engine.Go("replay", func() { player.Run(ctx) })
	home, _ := os.UserHomeDir() // only to write ~ for it
	look := p.look()
	look.Notify = "off"
	_, err = ui.Run(ctx, ui.Deps{Engine: player, Player: player, Library: store.NewMemory(), Theme: p.theme,
		Options: ui.Options{Dir: p.dir, Home: home, Version: version, Mode: tape.Session.Mode, Settings: look}})
	return err
}

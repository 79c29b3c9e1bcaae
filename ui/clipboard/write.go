package clipboard

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Writer puts a text on the clipboard with a program: terminals that do not take texts (OSC 52) drop them without a word,
// and tmux does unless it was told otherwise.
type Writer struct {
	Name string // of the program
	desk Desk
	path string
	args []string
}

// Writer returns what puts a text on the clipboard here; nil when there is no such program. Over ssh the desktop is not the
// user's: only tmux can pass a text on to their terminal.
func (d Desk) Writer() *Writer {
	var all []Writer
	if d.Getenv("SSH_CONNECTION") == "" && d.Getenv("SSH_TTY") == "" {
		if d.System == "darwin" {
			all = append(all, Writer{Name: "pbcopy"})
		}
		if d.Getenv("WAYLAND_DISPLAY") != "" {
			all = append(all, Writer{Name: "wl-copy"})
		}
		if d.Getenv("DISPLAY") != "" {
			all = append(all, Writer{Name: "xclip", args: []string{"-selection", "clipboard", "-in"}})
		}
	}
	if d.Getenv("TMUX") != "" {
		all = append(all, Writer{Name: "tmux", args: []string{"load-buffer", "-w", "-"}}) // -w: and to the terminal outside
	}
	for _, w := range all {
		if path, err := d.Look(w.Name); err == nil {
			w.desk, w.path = d, path
			return &w
		}
	}
	return nil
}

// Write puts text on the clipboard. Programs that hold a selection stay behind for that; they are not waited for.
func (w *Writer) Write(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(w.desk.Limit, patience))
	defer cancel()
	cmd := exec.CommandContext(ctx, w.path, w.args...)
	cmd.Stdin = strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("copy with %s: %w", w.Name, err)
	}
	return nil
}

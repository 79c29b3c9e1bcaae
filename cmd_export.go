package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/guard"
	"talaria/store"
	"talaria/store/export"
)

// exportSession writes a session to stdout, or to the file that --output names.
func exportSession(c *cmdline) error {
	format := c.opts["--format"]
	if format == "" {
		format = "md"
		if c.json {
			format = "json"
		}
	}
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		chat, err := export.Read(ctx, s, c.args[0])
		if err != nil {
			return err
		}
		o := export.Options{Format: format, Mask: guard.Redact}
		path := c.opts["--output"]
		if path == "" || path == "-" {
			return export.Write(c.out, chat, o)
		}
		if err := writeNew(path, func(w io.Writer) error { return export.Write(w, chat, o) }); err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.errs, "Exported to "+path+".")
		return err
	})
}

// writeNew makes the file at path, for its owner only, and never over one that is there.
func writeNew(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// exporter is what /export in the screen asks: it writes into the session's directory.
type exporter struct {
	lib engine.Library
	dir string
}

// Formats are those of package export.
func (x exporter) Formats() []string { return export.Formats() }

// Export writes the session as a file of that format and returns its path.
func (x exporter) Export(ctx context.Context, id, format string) (string, error) {
	chat, err := export.Read(ctx, x.lib, id)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := "talaria-" + chat.Session.ID
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		path := filepath.Join(x.dir, name+"."+format)
		err := writeNew(path, func(w io.Writer) error {
			return export.Write(w, chat, export.Options{Format: format, Mask: guard.Redact})
		})
		if !errors.Is(err, fs.ErrExist) || n == 99 {
			return path, err
		}
	}
}

// pruneSessions deletes what is older than --days, or than sessions.prune_days.
func pruneSessions(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	days := p.resolver.Config.Sessions.PruneDays
	if text, ok := c.opts["--days"]; ok {
		if days, err = strconv.ParseFloat(strings.TrimSuffix(text, "d"), 64); err != nil || days <= 0 {
			return fmt.Errorf("--days %q is not a number of days", text)
		}
	}
	if days <= 0 {
		return fmt.Errorf("sessions.prune_days is 0, which keeps everything. talaria sessions prune --days 90 deletes what nobody touched for 90 days; --dry-run shows it first")
	}
	before := daysAgo(days)
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		old, ok := s.(store.Pruner)
		if !ok {
			return fmt.Errorf("these sessions cannot be pruned")
		}
		_, dry := c.opts["--dry-run"]
		run, word := old.Prune, "deleted"
		if dry {
			run, word = old.Old, "would be deleted"
		}
		list, err := run(ctx, before)
		lines := []string{}
		for i, one := range list {
			list[i].System = ""
			lines = append(lines, fmt.Sprintf("%s  %s  %s", one.ID, one.Updated.Local().Format("2006-01-02"), safe(one.Title)))
		}
		lines = append(lines, fmt.Sprintf("%d sessions %s.", len(list), word))
		if list == nil {
			list = []engine.Session{}
		}
		if perr := c.print(list, lines...); err == nil {
			err = perr
		}
		return err
	})
}

func daysAgo(days float64) time.Time {
	return time.Now().Add(-time.Duration(days * 24 * float64(time.Hour)))
}

// prune deletes, beside everything else, what sessions.prune_days lets go.
func (p *program) prune(ctx context.Context) {
	days := p.resolver.Config.Sessions.PruneDays
	old, ok := p.store.(store.Pruner)
	if days <= 0 || !ok {
		return
	}
	engine.Go("prune sessions", func() { _, _ = old.Prune(ctx, daysAgo(days)) }) // what cannot go now goes at the next start
}

package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/store/adopt"
)

// foreign is one line of talaria sessions import --json: a session of another program, and the one it is or became here.
type foreign struct {
	adopt.Head
	Session  string `json:"session_id"`
	Imported bool   `json:"imported"`
	Added    *int   `json:"added,omitempty"` // messages; none in a listing
	Note     string `json:"note,omitempty"`
}

// importSessions lists what other programs keep, or takes over what the arguments name.
func importSessions(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	_, all := c.opts["--all"]
	sources, partly, err := c.sources()
	if err != nil {
		return err
	}
	if partly != nil {
		fmt.Fprintf(c.errs, "talaria: some sessions could not be looked for: %v\n", partly)
	}
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		x := importer{store: s, resolver: p.resolver}
		if !all && len(c.args) == 0 {
			return c.listForeign(ctx, x, sources)
		}
		return c.takeOver(ctx, x, sources, all)
	})
}

// sources are the sessions that there are, or the files that the arguments name.
func (c *cmdline) sources() (found []adopt.Source, partly, err error) {
	home, _ := os.UserHomeDir() // without one, only what the programs' own variables name is there
	places := adopt.Places(os.Getenv, home)
	if from := c.opts["--from"]; from != "" {
		if !slices.Contains(adopt.Tools(), adopt.Tool(from)) {
			return nil, nil, fmt.Errorf("--from %q: it takes %v", from, []string{string(adopt.Claude), string(adopt.Codex), string(adopt.Hermes)})
		}
		places = slices.DeleteFunc(places, func(p adopt.Place) bool { return string(p.Tool) != from })
	}
	found, partly = adopt.Find(places)
	return found, partly, nil
}

// listForeign shows the sessions as they are read, the newest first; those in which nothing was said are left out.
func (c *cmdline) listForeign(ctx context.Context, x importer, sources []adopt.Source) error {
	list := []foreign{}
	for _, src := range sources {
		h, err := src.Read(nil)
		if err != nil {
			fmt.Fprintf(c.errs, "talaria: %v\n", err)
			continue
		}
		if h.Messages == 0 {
			continue
		}
		one := foreign{Head: h, Session: h.SessionID(0)}
		if _, err := x.store.Find(ctx, one.Session, ""); err == nil {
			one.Imported = true
		}
		list = append(list, one)
		if c.json {
			continue
		}
		mark := ""
		if one.Imported {
			mark = "  (imported)"
		}
		if _, err := fmt.Fprintf(c.out, "%-11s  %s  %4d messages  %s%s\n    %s%s\n", h.Tool, h.Ended.Local().Format("2006-01-02 15:04"), h.Messages,
			safe(headline(h)), mark, safe(h.ID), troubles(h)); err != nil {
			return err
		}
	}
	switch {
	case c.json:
		return c.print(list)
	case len(list) == 0:
		return c.print(nil, "No sessions of Claude Code, Codex or Hermes were found.", "talaria sessions import FILE takes one from anywhere.")
	}
	return c.print(nil, fmt.Sprintf("%d sessions. talaria sessions import ID takes one over, --all all of them; the files stay as they are.", len(list)))
}

// headline is what a session is called, or how it begins.
func headline(h adopt.Head) string {
	text := h.Title
	if text == "" {
		text = h.First
	}
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > 60 {
		r = append(r[:59], '…')
	}
	return string(r)
}

// troubles says what of a session cannot be taken over, "" when all can.
func troubles(h adopt.Head) string {
	var parts []string
	if n := h.Skips(); n > 0 {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(h.Skipped)) {
			kinds = append(kinds, fmt.Sprintf("%s %d", safe(kind), h.Skipped[kind]))
		}
		parts = append(parts, fmt.Sprintf("%d unknown records skipped: %s", n, strings.Join(kinds, ", ")))
	}
	if h.Damaged > 0 {
		parts = append(parts, fmt.Sprintf("%d damaged lines skipped", h.Damaged))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, "; ") + ")"
}

// takeOver imports all sources, or those that the arguments name by id, the beginning of one, or path.
func (c *cmdline) takeOver(ctx context.Context, x importer, sources []adopt.Source, all bool) error {
	chosen := sources
	if !all {
		chosen = nil
		for _, arg := range c.args {
			src, err := pick(arg, sources)
			if err != nil {
				return err
			}
			chosen = append(chosen, src)
		}
	}
	list, failed := []foreign{}, 0
	for _, src := range chosen {
		one, err := x.take(ctx, src)
		if err != nil {
			failed++
			one.Note = err.Error()
			fmt.Fprintf(c.errs, "talaria: %s was not imported: %v\n", src.Path, err)
		}
		if one.Messages == 0 && err == nil && all {
			continue
		}
		list = append(list, one)
		if err != nil || c.json {
			continue
		}
		what := "nothing new"
		if n := *one.Added; n > 0 {
			what = fmt.Sprintf("%d messages", n)
		}
		if one.Note != "" {
			what += "; " + one.Note
		}
		if _, err := fmt.Fprintf(c.out, "%s  %s  %s: %s%s\n", one.Session, src.Tool, safe(headline(one.Head)), what, troubles(one.Head)); err != nil {
			return err
		}
	}
	if c.json {
		if err := c.print(list); err != nil {
			return err
		}
	}
	if failed > 0 {
		return errNotAll{failed, len(chosen), "sessions could not be imported"}
	}
	return nil
}

// pick finds the session that arg names: a file, an id, or the beginning of one.
func pick(arg string, sources []adopt.Source) (adopt.Source, error) {
	if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
		path, err := filepath.Abs(arg)
		if err != nil {
			return adopt.Source{}, err
		}
		if at := slices.IndexFunc(sources, func(s adopt.Source) bool { return s.Path == path }); at >= 0 {
			return sources[at], nil
		}
		return adopt.Of(path)
	}
	var fits []adopt.Source
	for _, s := range sources {
		name := strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
		for _, id := range []string{name, strings.TrimPrefix(name, "session_"), lastID(name)} {
			if arg == id {
				return s, nil
			}
			if len(arg) >= 4 && strings.HasPrefix(id, arg) && !slices.Contains(fits, s) {
				fits = append(fits, s)
			}
		}
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		return adopt.Source{}, fmt.Errorf("no file and no session of another program is called %q. talaria sessions import lists them", arg)
	}
	return adopt.Source{}, fmt.Errorf("%d sessions of other programs begin with %q: give more of the id", len(fits), arg)
}

// lastID is the id at the end of the name of a file of Codex, rollout-2026-01-02T03-04-05-ID.
func lastID(name string) string {
	const stamp = len("rollout-2006-01-02T15-04-05-")
	if strings.HasPrefix(name, "rollout-") && len(name) > stamp {
		return name[stamp:]
	}
	return name
}

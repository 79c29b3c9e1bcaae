package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core/journal"
	"talaria/engine/core/title"
	"talaria/engine/core/ward"
	"talaria/engine/guard"
	"talaria/engine/prompt"
	"talaria/engine/tools"
	"talaria/store/adopt"
	"talaria/store/bring"
)

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
		x := bring.Importer{Store: s, Count: journal.Count, Title: title.Of, Mask: guard.Redact, Redact: ward.Redact, Line: tools.Line,
			Repo:  func(dir string) string { repo, _ := prompt.Git(dir); return repo },
			Route: func(h adopt.Head) engine.Route { return routeOf(p.resolver, h) }}
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
func (c *cmdline) listForeign(ctx context.Context, x bring.Importer, sources []adopt.Source) error {
	list := []bring.Foreign{}
	for _, src := range sources {
		one, err := x.Look(ctx, src)
		if err != nil {
			fmt.Fprintf(c.errs, "talaria: %v\n", err)
			continue
		}
		if one.Messages == 0 {
			continue
		}
		list = append(list, one)
		if c.json {
			continue
		}
		mark := ""
		if one.Imported {
			mark = "  (imported)"
		}
		if _, err := fmt.Fprintf(c.out, "%-11s  %s  %4d messages  %s%s\n    %s%s\n", one.Tool, one.Ended.Local().Format("2006-01-02 15:04"), one.Messages,
			safe(one.Name()), mark, safe(one.ID), safe(one.Troubles())); err != nil {
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

// takeOver imports all sources, or those that the arguments name by id, the beginning of one, or path.
func (c *cmdline) takeOver(ctx context.Context, x bring.Importer, sources []adopt.Source, all bool) error {
	chosen := sources
	if !all {
		chosen = nil
		for _, arg := range c.args {
			src, err := adopt.Pick(arg, sources)
			if err != nil {
				return err
			}
			chosen = append(chosen, src)
		}
	}
	list, failed := []bring.Foreign{}, 0
	for _, src := range chosen {
		one, err := x.Take(ctx, src)
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
		if _, err := fmt.Fprintf(c.out, "%s  %s  %s: %s%s\n", one.Session, src.Tool, safe(one.Name()), what, safe(one.Troubles())); err != nil {
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

// routeOf is the model that a session was kept with, where there is a key for it; else the one that is used here, which an
// empty route stands for.
func routeOf(r config.Resolver, h adopt.Head) engine.Route {
	provider := h.Provider
	for _, b := range r.Catalogue.Builtins {
		if provider == "" && b.BaseURL != "" && strings.TrimRight(b.BaseURL, "/") == strings.TrimRight(h.BaseURL, "/") {
			provider = b.Name
		}
	}
	if provider == "" || h.Model == "" {
		return engine.Route{}
	}
	found, err := r.Switch(engine.Route{}, provider+"/"+h.Model)
	if err != nil || found.Route.Provider != provider || found.Key == "" {
		return engine.Route{}
	}
	return found.Route
}

package main

import (
	"context"
	_ "embed"
	"strings"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/engine/core/self"
	"talaria/store/health"
)

// changes is what is new, as users read it.
//
//go:embed CHANGELOG.md
var changes string

// reports tells the screen about the program itself. C may be nil: then nothing is known of tools and servers.
func (p *program) reports(c *core.Core) self.Pages {
	return self.Pages{
		Tools: c.Tools, Servers: c.Servers, Skills: p.skills, Off: p.resolver.Config.Tools.DisabledToolsets,
		Settings: func() (config.Config, config.Origins, error) {
			cfg, origins, _, err := readSettings(p.flags, p.paths, p.dir)
			return cfg, origins, err
		},
		Doctor: func(ctx context.Context) (out engine.Report, lines []string) {
			found := examine(ctx, p, nil, p.paths, false)
			for _, f := range found.Findings {
				out.Rows = append(out.Rows, engine.ReportRow{Name: f.Area + ": " + f.Text, Mark: string(f.Level), Text: strings.TrimSpace(f.Text + "\n" + f.Do), Dim: f.Level == health.OK})
			}
			out.Note = map[bool]string{true: "nothing is wrong"}[found.Worst() == health.OK || found.Worst() == health.Note]
			return out, reportLines(found)
		},
		Changes: changes, Version: version, Config: p.paths.Config, State: p.paths.State, Log: p.paths.Log,
	}
}

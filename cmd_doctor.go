package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/store"
	"talaria/store/health"
)

// lowSpace is how much room a disk should have, in bytes.
const lowSpace = 200 << 20

// doctor looks at everything that talaria stands on; with --repair it mends what can be mended.
func doctor(c *cmdline) error {
	home, _ := os.UserHomeDir() // TALARIA_HOME may stand in for it
	p, err := c.program()
	_, repair := c.opts["--repair"]
	r := examine(context.Background(), p, err, config.PathsFor(os.Getenv, home), repair)
	if err := c.print(r, reportLines(r)...); err != nil {
		return err
	}
	if r.Worst() == health.Fault {
		n := 0
		for _, f := range r.Findings {
			if f.Level == health.Fault {
				n++
			}
		}
		return errNotAll{n, len(r.Findings), "things that were looked at do not work"}
	}
	return nil
}

// examine looks at everything. P is nil when the configuration could not be read, because of err.
func examine(ctx context.Context, p *program, err error, paths config.Paths, repair bool) (r health.Report) {
	if err != nil {
		r.Add("configuration", health.Fault, err.Error(), "mend "+paths.Config+"; talaria config schema is what editors check it with")
	} else {
		r.Add("configuration", health.OK, paths.Config+" is in order", "")
		checkKeys(p, &r)
	}
	checkTerminal(&r)
	checkDisk(paths, &r)
	if repair {
		repairStore(ctx, paths, &r)
	}
	health.Check(ctx, paths.Data, &r)
	if paths.State != paths.Data {
		checkDrafts(paths, &r)
	}
	return r
}

// checkKeys tells which keys are there, never what they are.
func checkKeys(p *program, r *health.Report) {
	ready := 0
	for _, con := range p.resolver.Known() {
		if con.Ready && con.Found != "" {
			ready++
			r.Add("keys", health.OK, con.Name+": "+con.Found, "")
		}
	}
	route, err := p.resolver.ResolveRoute()
	switch {
	case err != nil && ready == 0:
		r.Add("keys", health.Note, "no model is connected", "talaria connect finds or adds one; talaria --demo needs none")
	case err != nil:
		r.Add("keys", health.Warning, engine.AsError(err).Error(), cmp.Or(engine.AsError(err).Hint, "talaria connect chooses another"))
	default:
		r.Add("keys", health.OK, "talaria asks "+route.Route.Provider+"/"+route.Route.Model, "")
	}
}

// checkTerminal tells what the screen will find.
func checkTerminal(r *health.Report) {
	name := os.Getenv("TERM")
	if !term.IsTerminal(os.Stdout.Fd()) {
		r.Add("terminal", health.OK, "stdout is not a terminal now: print mode", "")
	} else if w, h, err := term.GetSize(os.Stdout.Fd()); err == nil {
		level, do := health.OK, ""
		if w < 40 || h < 10 {
			level, do = health.Note, "the screen wants 40x10 cells at least"
		}
		r.Add("terminal", level, fmt.Sprintf("%s, %d columns, %d rows", cmp.Or(name, "TERM is not set"), w, h), do)
	}
	if name == "" || name == "dumb" {
		level := health.Note // of no matter to print mode
		if term.IsTerminal(os.Stdout.Fd()) {
			level = health.Warning
		}
		r.Add("terminal", level, "TERM is "+cmp.Or(name, "not set")+": nothing can be drawn", "use a terminal that can, or talaria -p")
	}
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	if up := strings.ToUpper(locale); !strings.Contains(up, "UTF-8") && !strings.Contains(up, "UTF8") {
		r.Add("terminal", health.Note, "the locale is "+cmp.Or(locale, "not set")+", which does not say UTF-8", "export LANG=C.UTF-8, or talaria config set ui.glyphs ascii")
	}
	colours := "as TERM says"
	switch {
	case os.Getenv("NO_COLOR") != "":
		colours = "none (NO_COLOR)"
	case strings.Contains(os.Getenv("COLORTERM"), "truecolor"), strings.Contains(os.Getenv("COLORTERM"), "24bit"):
		colours = "16 million (COLORTERM)"
	case strings.Contains(name, "256"):
		colours = "256"
	}
	r.Add("terminal", health.OK, "colours: "+colours, "")
	for _, tool := range []string{"git", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			r.Add("programs", health.Note, tool+" is not in PATH", "some tools work less well without it")
		}
	}
}

// checkDisk tries to write where talaria writes.
func checkDisk(paths config.Paths, r *health.Report) {
	for _, dir := range []string{paths.Data, paths.State} {
		if _, err := os.Stat(dir); err != nil {
			continue // made when it is needed
		}
		f, err := os.CreateTemp(dir, ".doctor-")
		if err == nil {
			f.Close()
			err = os.Remove(f.Name())
		}
		if err != nil {
			r.Add("disk", health.Fault, "cannot write to "+dir+": "+err.Error(), "sessions go on in memory and are not saved until this works; TALARIA_HOME names another place")
			continue
		}
		var s unix.Statfs_t
		if unix.Statfs(dir, &s) == nil {
			free := int64(s.Bavail) * int64(s.Bsize)
			level, do := health.OK, ""
			if free < lowSpace {
				level, do = health.Warning, "make room: talaria sessions prune --days 90 deletes old sessions"
			}
			r.Add("disk", level, fmt.Sprintf("%s is writable, %s free", dir, bytesText(free)), do)
		}
		if paths.State == paths.Data {
			break
		}
	}
}

// checkDrafts tells of drafts that wait outside the database.
func checkDrafts(paths config.Paths, r *health.Report) {
	list, _ := filepath.Glob(filepath.Join(paths.Drafts, "*.json")) // the pattern is sound
	if len(list) > 0 {
		r.Add("drafts", health.Note, fmt.Sprintf("%d drafts wait in %s because the database did not take them", len(list), paths.Drafts), "they are used as they are")
	}
}

// repairStore rebuilds the database and clears up.
func repairStore(ctx context.Context, paths config.Paths, r *health.Report) {
	s, err := store.Open(paths.Data, store.Drafts(paths.Drafts))
	if err == nil {
		defer s.Close()
		kept := ""
		if again, ok := s.(store.Rebuilder); ok {
			kept, err = again.Rebuild(ctx)
		}
		if err == nil && kept != "" {
			r.Add("repair", health.OK, "the database was rebuilt from the journals; the old one is "+kept, "")
		}
	}
	if err != nil {
		r.Add("repair", health.Fault, "the database could not be rebuilt: "+err.Error(), "")
	}
	done, err := health.Sweep(paths.Data)
	for _, text := range done {
		r.Add("repair", health.OK, text, "")
	}
	if err != nil {
		r.Add("repair", health.Warning, err.Error(), "")
	}
}

func reportLines(r health.Report) []string {
	marks := map[health.Level]string{health.OK: "ok   ", health.Note: "note ", health.Warning: "warn ", health.Fault: "ERROR"}
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, marks[f.Level]+"  "+f.Area+": "+safe(f.Text))
		if f.Do != "" {
			lines = append(lines, "       "+safe(f.Do)+".")
		}
	}
	for _, s := range r.Sizes {
		line := fmt.Sprintf("size   %-12s %10s", s.What, bytesText(s.Bytes))
		if s.Files > 1 {
			line += fmt.Sprintf("  %d files", s.Files)
		}
		lines = append(lines, line)
	}
	if w := r.Worst(); w == health.OK || w == health.Note {
		lines = append(lines, "Nothing is wrong.")
	}
	return lines
}

func bytesText(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}

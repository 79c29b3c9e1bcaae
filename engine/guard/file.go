package guard

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
)

// fileArgs are the arguments by which file tools name files. They are decoded as the tools decode them, so that both
// see the same path.
type fileArgs struct {
	Path  string `json:"path"`
	Patch string `json:"patch"`
	Glob  string `json:"file_glob"`
}

// files returns the paths that c works on.
func (g *Guard) files(c engine.Call) []string {
	var in fileArgs
	_ = json.Unmarshal([]byte(c.Args), &in) // what cannot be read names no file, and then the call is asked
	var paths []string
	if in.Path != "" {
		paths = append(paths, in.Path)
	}
	for _, m := range patchHeader.FindAllStringSubmatch(in.Patch, -1) {
		paths = append(paths, m[1])
	}
	if g.o.Touches != nil {
		paths = append(paths, g.o.Touches(c)...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// places looks the files of c up; worst first.
func (g *Guard) places(c engine.Call) []place {
	l := g.land(g.o.Dir())
	var all []place
	seen := map[string]bool{}
	for _, f := range g.files(c) {
		if p := l.look(f); !seen[p.given] {
			seen[p.given] = true
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return b.badness() - a.badness() })
	return all
}

// read decides about a tool that only reads.
func (g *Guard) read(c engine.Call, s engine.Spec, mode string) decision {
	ps := g.places(c)
	if d := g.denied("read", ps); d != nil {
		return *d
	}
	if len(ps) == 0 && s.Toolset == "file" {
		ps = []place{g.land(g.o.Dir()).look(".")}
	}
	switch {
	case mode == modeAuto, len(ps) == 0 && slices.Contains(free, s.Toolset):
		return pass()
	case len(ps) == 0:
		return g.unknown(c, s, mode, "what it reads is not known")
	}
	var ask []place
	for _, p := range ps {
		if p.secret || !p.results && (p.own || p.err != nil || !p.inside) {
			ask = append(ask, p)
		}
	}
	if glob := secretGlob(c); glob != "" {
		ask = append(ask, place{given: glob, real: glob, secret: true, inside: true})
	}
	covered, offer := g.fileRules("read", ask)
	if len(ask) == 0 || covered {
		return pass()
	}
	w := ask[0]
	why := w.why()
	switch {
	case w.own:
		why = "it is one of Talaria's own files"
	case w.secret:
		why = "it may hold keys"
	}
	return decision{question: &engine.Question{Title: "Read " + g.name(ask), Why: why}, rules: offer}
}

// secretGlob returns the file pattern of a search that looks for credential files, "" when it does not.
func secretGlob(c engine.Call) string {
	var in fileArgs
	if json.Unmarshal([]byte(c.Args), &in) != nil || in.Glob == "" {
		return ""
	}
	name := strings.NewReplacer("*", "x", "?", "x").Replace(filepath.Base(in.Glob))
	if (land{}).isSecret("/"+name) || strings.HasPrefix(filepath.Base(in.Glob), ".e") {
		return in.Glob
	}
	return ""
}

// write decides about a tool that changes files.
func (g *Guard) write(c engine.Call, s engine.Spec, mode string) decision {
	ps := g.places(c)
	if d := g.denied("edit", ps); d != nil {
		return *d
	}
	switch {
	case mode == modePlan:
		return planned(s.Name)
	case mode == modeAuto:
		return pass()
	case len(ps) == 0:
		return g.unknown(c, s, mode, "which files it changes is not known")
	case mode == modeEdit && ps[0].badness() == 0:
		return pass()
	}
	covered, offer := g.fileRules("edit", ps)
	if covered {
		return pass()
	}
	q := &engine.Question{Title: "Edit " + g.name(ps), Why: ps[0].why()}
	if q.Why == "" {
		q.Why = "edits ask in this mode"
	}
	if g.o.Preview != nil {
		q.Diff = g.o.Preview(c)
	}
	return decision{question: q, rules: offer}
}

// denied returns a decision when a deny rule forbids one of the places.
func (g *Guard) denied(kind string, ps []place) *decision {
	for _, p := range ps {
		for _, r := range g.deny {
			if r.kind == kind && (r.matches(p.given) || r.matches(p.real)) {
				d := byRule(deny("your settings forbid this (approvals.deny: %s). %s", r, noConsent))
				return &d
			}
		}
	}
	return nil
}

// fileRules says whether rules of kind cover all places already, and else which ones "this session" would add. For what is secret, Talaria's own, or dangerous to change there is no
// rule for a session.
func (g *Guard) fileRules(kind string, ps []place) (covered bool, offer []rule) {
	granted := g.granted()
	covered, firm := true, false
	for _, p := range ps {
		if p.own || p.secret || p.err != nil || kind == "edit" && p.shielded {
			covered, firm = false, true
			continue
		}
		if slices.ContainsFunc(granted, func(r rule) bool { return r.kind == kind && r.matches(p.real) }) {
			continue
		}
		covered = false
		if kind == "edit" && !p.inside {
			firm = true
			continue
		}
		if r := g.dirRule(kind, filepath.Dir(p.real)); !slices.ContainsFunc(offer, func(o rule) bool { return o.pattern == r.pattern }) {
			offer = append(offer, r)
		}
	}
	if firm {
		offer = nil
	}
	return covered, offer
}

// why says in words what asks about a place, "" for an ordinary one.
func (p place) why() string {
	switch {
	case p.own:
		return "this belongs to Talaria itself"
	case p.secret:
		return "this may hold keys or passwords"
	case p.err != nil:
		return fmt.Sprintf("where this leads cannot be told: %v", p.err)
	case !p.inside && p.linked():
		return "a link leads out of the workspace"
	case !p.inside:
		return "this lies outside the workspace"
	case p.shielded:
		return "a change here can run commands later or weaken a protection"
	}
	return ""
}

// name writes places for a title: below the session's directory without it, and with where a link leads.
func (g *Guard) name(ps []place) string {
	dir := strings.TrimSuffix(g.o.Dir(), "/") + "/"
	var all []string
	for _, p := range ps {
		text := strings.TrimPrefix(p.given, dir)
		if p.linked() {
			text += " → " + p.real
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

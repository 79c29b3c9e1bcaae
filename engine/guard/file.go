package guard

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"talaria/engine"
	"talaria/engine/guard/place"
	"talaria/engine/guard/rule"
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
func (g *Guard) places(c engine.Call) []place.Place {
	l := g.land(g.o.Dir())
	var all []place.Place
	seen := map[string]bool{}
	for _, f := range g.files(c) {
		if p := l.Look(f); !seen[p.Given] {
			seen[p.Given] = true
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b place.Place) int { return b.Badness() - a.Badness() })
	return all
}

// read decides about a tool that only reads.
func (g *Guard) read(c engine.Call, s engine.Spec, mode string) decision {
	if s.Toolset == "web" || s.Toolset == "vision" && address(c) {
		return g.fetch(c, s, mode)
	}
	ps := g.places(c)
	action := strings.TrimSpace(s.Name + " " + g.name(ps))
	if d := g.denied(rule.Read, ps); d != nil {
		d.action = action
		return *d
	}
	if len(ps) == 0 && s.Toolset == "file" {
		ps = []place.Place{g.land(g.o.Dir()).Look(".")}
	}
	switch {
	case mode == modeAuto, len(ps) == 0 && slices.Contains(free, s.Toolset):
		return decision{free: mode != modeAuto, by: "auto mode allows it", action: action}
	case len(ps) == 0:
		return g.unknown(c, s, mode, "what it reads is not known")
	}
	var ask []place.Place
	for _, p := range ps {
		if p.Secret || !p.Results && (p.Own || p.Err != nil || !p.Inside) {
			ask = append(ask, p)
		}
	}
	if glob := secretGlob(c); glob != "" {
		ask = append(ask, place.Place{Given: glob, Real: glob, Secret: true, Inside: true})
	}
	if len(ask) == 0 {
		return decision{by: "reading inside the workspace is free", action: action}
	}
	by, offer := g.fileRules(rule.Read, ask)
	if by != "" {
		return decision{by: by, action: action}
	}
	w := ask[0]
	reason := why(w)
	switch {
	case w.Own:
		reason = "it is one of Talaria's own files"
	case w.Secret:
		reason = "it may hold keys"
	}
	return decision{by: reason, action: action, question: &engine.Question{Title: "Read " + g.name(ask), Why: reason}, items: offer}
}

// secretGlob returns the file pattern of a search that looks for credential files, "" when it does not.
func secretGlob(c engine.Call) string {
	var in fileArgs
	if json.Unmarshal([]byte(c.Args), &in) != nil || in.Glob == "" {
		return ""
	}
	name := strings.NewReplacer("*", "x", "?", "x").Replace(filepath.Base(in.Glob))
	if place.Credential("/"+name) || strings.HasPrefix(filepath.Base(in.Glob), ".e") {
		return in.Glob
	}
	return ""
}

// write decides about a tool that changes files.
func (g *Guard) write(c engine.Call, s engine.Spec, mode string) decision {
	ps := g.places(c)
	d := g.change(c, s, mode, ps)
	d.action = strings.TrimSpace("edit " + g.name(ps))
	return d
}

func (g *Guard) change(c engine.Call, s engine.Spec, mode string, ps []place.Place) decision {
	if d := g.denied(rule.Edit, ps); d != nil {
		return *d
	}
	switch {
	case mode == modePlan:
		return planned(s.Name)
	case mode == modeAuto:
		return pass("auto mode allows it")
	case len(ps) == 0:
		return g.unknown(c, s, mode, "which files it changes is not known")
	}
	loses := ""
	if g.o.Loses != nil {
		loses = g.o.Loses(c)
	}
	if loses == "" && mode == modeEdit && ps[0].Badness() == 0 {
		return pass("edit mode allows edits in the workspace")
	}
	by, offer := g.fileRules(rule.Edit, ps)
	if loses != "" {
		by, offer = "", nil // a rule about edits says nothing of a file that goes: that is asked each time
	}
	if by != "" {
		return pass(by)
	}
	q := &engine.Question{Title: "Edit " + g.name(ps), Why: why(ps[0]), Draft: draft(c)}
	if q.Why == "" {
		q.Why = loses
	}
	if q.Why == "" {
		q.Why = "edits ask in this mode"
	}
	if g.o.Preview != nil {
		q.Diff = g.o.Preview(c)
	}
	return decision{by: q.Why, question: q, items: offer}
}

// denied returns a decision when a deny rule forbids one of the places.
func (g *Guard) denied(kind rule.Kind, ps []place.Place) *decision {
	for _, p := range ps {
		for _, r := range g.k.deny {
			if r.Matches(kind, p.Given) || r.Matches(kind, p.Real) {
				d := byRule(deny("the rule of your settings: deny "+r.String(), "your settings forbid this (approvals.deny: %s). %s", r, noConsent))
				return &d
			}
		}
	}
	return nil
}

// fileRules names the rules of kind that cover all places, "" when they do not, and then what may be remembered. What
// is secret, Talaria's own, or dangerous to change is asked each time.
func (g *Guard) fileRules(kind rule.Kind, ps []place.Place) (by string, offer []rule.Ladder) {
	inForce := g.k.inForce()
	var used []string
	covered, firm := true, false
	for _, p := range ps {
		if p.Own || p.Secret || p.Err != nil || kind == rule.Edit && p.Shielded {
			covered, firm = false, true
			continue
		}
		if i := slices.IndexFunc(inForce, func(r rule.Rule) bool { return r.Matches(kind, p.Real) }); i >= 0 {
			used = append(used, "the rule "+inForce[i].String())
			continue
		}
		covered = false
		l := rule.ForFile(kind, p.Real, g.k.base)
		if kind == rule.Edit && !p.Inside || len(l.Rules) == 0 {
			firm = true
			continue
		}
		offer = append(offer, l)
	}
	switch {
	case covered:
		slices.Sort(used)
		return strings.Join(slices.Compact(used), "; "), nil
	case firm:
		return "", nil
	}
	return "", offer
}

// why says in words what asks about a place, "" for an ordinary one.
func why(p place.Place) string {
	switch {
	case p.Own:
		return "this belongs to Talaria itself"
	case p.Secret:
		return "this may hold keys or passwords"
	case p.Err != nil:
		return fmt.Sprintf("where this leads cannot be told: %v", p.Err)
	case !p.Inside && p.Linked():
		return "a link leads out of the workspace"
	case !p.Inside:
		return "this lies outside the workspace"
	case p.Shielded:
		return "a change here can run commands later or weaken a protection"
	}
	return ""
}

// name writes places for a title: below the session's directory without it, and with where a link leads.
func (g *Guard) name(ps []place.Place) string {
	dir := strings.TrimSuffix(g.o.Dir(), "/") + "/"
	var all []string
	for _, p := range ps {
		text := strings.TrimPrefix(p.Given, dir)
		if p.Linked() {
			text += " → " + p.Real
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

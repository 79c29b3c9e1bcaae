package demo

import (
	"fmt"
	"slices"
	"strings"

	"talaria/engine"
)

// scene is what a request says about where the script is. Nothing else is kept between requests, so a session that was
// stopped, resumed or opened on another day goes on where it was.
type scene struct {
	part    *part // nil: no part was asked for
	run     int   // how many parts the session has begun, this one included; makes the ids of the calls unique
	resumed bool  // the user said "continue"
	steer   string
	tools   []engine.Spec
	done    map[string][]engine.Result // by step
}

// read finds the scene in a request.
func read(req engine.Request) scene {
	s := scene{tools: req.Tools, done: map[string][]engine.Result{}}
	var newest *part
	for _, m := range req.Messages {
		if m.Role != engine.RoleUser || m.Steer {
			continue
		}
		s.part, s.resumed = nil, false
		// Two messages in a row reach a provider as one, with a blank line between them.
		for _, said := range strings.Split(m.Text(), "\n\n") {
			switch p := partFor(said); {
			case p != nil:
				s.part, newest, s.run = p, p, s.run+1
			case isContinue(said):
				s.part, s.resumed = newest, true
			case normal(said) != "":
				s.part, s.resumed = nil, false
			}
		}
	}
	s.steer = steerOf(req.Messages)
	s.gather(req.Messages)
	return s
}

// steerOf returns what the user said since the last reply, riding on a tool result or as a message of its own.
func steerOf(msgs []engine.Message) string {
	if len(msgs) == 0 {
		return ""
	}
	last := msgs[len(msgs)-1]
	if last.Role == engine.RoleTool || last.Steer {
		return strings.Join(strings.Fields(last.Text()), " ")
	}
	return ""
}

// gather finds the results of this run's steps by the ids of their calls.
func (s *scene) gather(msgs []engine.Message) {
	for _, m := range msgs {
		for _, r := range m.Results() {
			var run, n int
			var step string
			id := strings.ReplaceAll(r.CallID, "_", " ")
			if _, err := fmt.Sscanf(id, "demo %d %s %d", &run, &step, &n); err == nil && run == s.run {
				s.done[step] = append(s.done[step], r)
			}
		}
	}
}

func (s *scene) callID(step string, n int) string {
	return fmt.Sprintf("demo_%d_%s_%d", s.run, step, n)
}

func (s *scene) has(tool string) bool {
	return slices.ContainsFunc(s.tools, func(t engine.Spec) bool { return t.Name == tool })
}

// result returns the result that tool gave in a step, and whether there is one.
func (s *scene) result(step, tool string) (engine.Result, bool) {
	for _, r := range s.done[step] {
		if r.Name == tool {
			return r, true
		}
	}
	return engine.Result{}, false
}

// severity orders how a call ended; a step ended as its worst call did.
var severity = []string{"", "done", "failed", "denied", "stopped"}

// status is how a step ended, in a word of severity. An update of the task list beside the step's own call is left out.
func (s *scene) status(step string) string {
	worst := 0
	beside := slices.ContainsFunc(s.done[step], func(r engine.Result) bool { return r.Name != "todo" })
	for _, r := range s.done[step] {
		if r.Name != "todo" || !beside {
			worst = max(worst, slices.Index(severity, word(r.Status)))
		}
	}
	return severity[worst]
}

func word(st engine.Status) string {
	switch st {
	case engine.StatusDone:
		return "done"
	case engine.StatusDenied:
		return "denied"
	case engine.StatusStopped:
		return "stopped"
	case engine.StatusFailed, engine.StatusRefused, engine.StatusTimeout:
		return "failed"
	}
	return "failed"
}

// notes joins what the screen said about a step's results.
func (s *scene) notes(step string) string {
	var all []string
	for _, r := range s.done[step] {
		note := r.Note
		if note == "" {
			note = fmt.Sprintf("%d lines", strings.Count(strings.TrimSpace(r.Text), "\n")+1)
		}
		all = append(all, note)
	}
	if len(all) == 0 {
		return "not done"
	}
	return list(all)
}

// partFor returns the part that a whole message asks for; nil for anything else.
func partFor(said string) *part {
	said = normal(said)
	for i := range parts {
		if slices.Contains(parts[i].words, said) {
			return &parts[i]
		}
	}
	return nil
}

func isContinue(said string) bool {
	return slices.Contains([]string{"continue", "go on", "weiter"}, normal(said))
}

func normal(said string) string {
	return strings.Trim(strings.ToLower(strings.Join(strings.Fields(said), " ")), " .!?\"'`/")
}

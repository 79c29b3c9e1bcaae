package demo

import (
	"slices"
	"strings"

	"talaria/engine"
)

// reply is what the script says next.
type reply struct {
	thought string
	text    string
	calls   []engine.Call
	pretend string // what is said, and dropped, before the pretended failure
}

// next finds what the script says to a request.
func next(req engine.Request) reply {
	s := read(req)
	switch {
	case len(req.Tools) == 0 && len(s.done) > 0:
		return reply{text: say("sum", map[string]string{"done": list(s.shown())})}
	case s.part == nil && s.resumed:
		return reply{text: script["nothing to continue"]}
	case len(req.Tools) == 0 && (s.part == nil || len(s.part.steps) > 0):
		return reply{text: script["idle"]}
	case s.part == nil:
		return reply{text: script["help"]}
	}
	return s.next()
}

// next answers what happened in the last step, and takes the next one that can be taken.
func (s *scene) next() reply {
	var said []string
	add := func(name string, more map[string]string) {
		values := s.values()
		for k, v := range more {
			values[k] = v
		}
		if text := say(name, values); text != "" {
			said = append(said, text)
		}
	}
	if s.steer != "" {
		add("steer", nil)
	}
	last := s.last()
	if last >= 0 {
		add(s.reaction(s.part.steps[last]), nil)
	}
	for _, name := range s.part.steps[last+1:] {
		st := steps[name]
		if !s.has(st.tool) {
			add("no tool", map[string]string{"tool": st.tool})
			continue
		}
		if st.skip != nil && st.skip(s) != "" {
			add(st.skip(s), nil)
			continue
		}
		add(name, nil)
		return reply{thought: script[name+": thought"], text: strings.Join(said, "\n\n"), calls: s.calls(name)}
	}
	if s.part.pretend {
		return reply{pretend: script[s.part.end], text: script[s.part.end+": again"]}
	}
	add(s.part.end, nil)
	return reply{thought: script[s.part.end+": thought"], text: strings.Join(said, "\n\n")}
}

// last is the place of the last step that ran, -1 before the first.
func (s *scene) last() int {
	for i := len(s.part.steps) - 1; i >= 0; i-- {
		if s.done[s.part.steps[i]] != nil {
			return i
		}
	}
	return -1
}

// reaction names the text about how a step ended.
func (s *scene) reaction(step string) string {
	if step != "ask" {
		return step + ": " + s.status(step)
	}
	switch c, own := s.answer(); {
	case own != "":
		return "ask: free"
	case c == nil:
		return "ask: unanswered"
	}
	return "ask: done"
}

// values are what texts may name.
func (s *scene) values() map[string]string {
	c, own := s.answer()
	answer := own
	if c != nil {
		answer = c.Label
	} else if own == "" {
		answer = choices[0].Label
	}
	files := s.files()
	for i, f := range files {
		files[i] = "`" + f + "`"
	}
	return map[string]string{
		"file": demoFile, "answer": answer, "files": list(files), "note": s.notes("find"),
		"find": s.notes("find"), "read": s.notes("read"), "steer": s.steer,
	}
}

// calls returns the calls of a step, with the task list first where it is offered and the part has one.
func (s *scene) calls(name string) []engine.Call {
	st := steps[name]
	var all []call
	if st.listed && s.has("todo") && slices.Contains(s.part.steps, "plan") {
		all = append(all, call{"todo", map[string]any{"todos": s.tasks(name)}})
	}
	if st.calls != nil {
		all = append(all, st.calls(s)...)
	}
	var out []engine.Call
	for i, c := range all {
		args, err := engine.Marshal(c.args)
		if err != nil {
			panic(err) // strings, numbers and lists of these
		}
		out = append(out, engine.Call{ID: s.callID(name, i), Name: c.tool, Args: string(args)})
	}
	return out
}

// tasks is the task list as it stands when the step called now begins.
func (s *scene) tasks(now string) []engine.Task {
	at := slices.Index(s.part.steps, now)
	var out []engine.Task
	for _, t := range tasks {
		first, last := slices.Index(s.part.steps, t.steps[0]), slices.Index(s.part.steps, t.steps[len(t.steps)-1])
		status := "pending"
		switch {
		case last < at && slices.ContainsFunc(t.steps, func(n string) bool { return s.status(n) == "done" }):
			status = "completed"
		case t.id == "tidy" && last < at && s.status("write") != "done": // nothing was written: nothing is left behind
			status = "completed"
		case last < at:
			status = "cancelled"
		case first <= at || at == 0 && first == 1: // the plan is made as its first task begins
			status = "in_progress"
		}
		out = append(out, engine.Task{ID: t.id, Content: t.content, Status: status})
	}
	return out
}

// shown names the steps that ran, in their order.
func (s *scene) shown() []string {
	var names []string
	for _, p := range parts {
		for _, n := range p.steps {
			if s.done[n] != nil && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

package core_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider/providertest"
)

// mostFirst is what the first request may cost, in tokens: prompt, tools and one word.
const mostFirst = 6_000

func TestHiCostsLittle(t *testing.T) {
	s := newStory(t, providertest.Text("hello"))
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	s.ended(1)
	req := s.model.Requests()[0]
	total := agent.Estimate(req.System, req.Messages, req.Tools)
	var sizes []string
	for _, spec := range req.Tools {
		sizes = append(sizes, fmt.Sprintf("%5d %s", agent.Estimate("", nil, []engine.Spec{spec}), spec.Name))
	}
	slices.Sort(sizes)
	t.Logf("%d tokens for %q: prompt %d, %d tools %d\n%s", total, "hi", agent.Estimate(req.System, nil, nil), len(req.Tools), agent.Estimate("", nil, req.Tools), strings.Join(sizes, "\n"))
	if total >= mostFirst || len(req.Tools) < 10 {
		t.Errorf("%d tokens, %d tools", total, len(req.Tools))
	}
}

// The instructions of a directory ride on the first result from there; the prompt stays byte for byte as it was, in the
// next turn and after a resume.
func TestInstructionsOfASubdirectoryRideOnAResult(t *testing.T) {
	read := providertest.Calls(engine.Call{ID: "c1", Name: "read_file", Args: `{"path":"api/x.txt"}`})
	s := newStory(t, read, providertest.Text("read"), providertest.Text("again"), providertest.Text("resumed"))
	for name, text := range map[string]string{"AGENTS.md": "Root rules.", "api/AGENTS.md": "Only tabs in here.", "api/x.txt": "x"} {
		path := filepath.Join(s.deps.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.deps.Trusted = true
	s.start("")
	s.turns(1, 2)
	id := until(s, func(engine.Opened) bool { return true }).Session.ID
	s.stop()
	if err := os.WriteFile(filepath.Join(s.deps.Dir, "AGENTS.md"), []byte("Other rules."), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start(id)
	s.turns(3, 3)
	reqs := s.model.Requests()
	if strings.Contains(reqs[0].System, "Only tabs") || !strings.Contains(reqs[0].System, "Root rules.") {
		t.Error("the prompt holds the wrong instructions")
	}
	for i, r := range reqs {
		if r.System != reqs[0].System {
			t.Errorf("the prompt of request %d is another", i+1)
		}
	}
	told := 0
	for _, m := range reqs[len(reqs)-1].Messages {
		for _, p := range m.Parts {
			if r, ok := p.(engine.Result); ok {
				told += strings.Count(r.Text, "Only tabs in here.")
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

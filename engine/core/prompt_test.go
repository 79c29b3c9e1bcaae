package core_test

import (
	"fmt"
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

package core_test

import (
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

// The model that auxiliary.session_search names makes short what the main model finds of earlier sessions.
func TestLongFindsOfEarlierSessionsAreMadeShortByTheModelThatIsNamed(t *testing.T) {
	long := providertest.Text("It was a race. " + strings.Repeat("Many words. ", 400))
	s := newStory(t, long, long, long, long, providertest.Calls(engine.Call{ID: "1", Name: "session_search", Args: `{"query":"race"}`}), providertest.Text("as last time"))
	side := providertest.Scripted(providertest.Text("the race was in the cache"))
	s.deps.Resolver = settings(s.t, config.Value{Key: "auxiliary.session_search.model", Text: "small"})
	s.deps.Aux = func(task string, _ config.Resolved) (engine.Provider, engine.Route, error) {
		if task != engine.TaskSessionSearch {
			t.Errorf("asked for %s", task)
		}
		return side, engine.Route{Provider: "demo", Model: "small"}, nil
	}
	s.start("")
	for i := range 4 {
		s.core.Do(engine.Submit{Text: "why is it flaky? " + strings.Repeat("the clock ", 300)})
		s.ended(i + 1)
	}
	s.core.Do(engine.Open{})
	s.core.Do(engine.Submit{Text: "as last time"})
	s.ended(5)
	if got := s.lastResult().Text; !strings.Contains(got, "the race was in the cache") || strings.Contains(got, "assistant (msg") {
		t.Errorf("%q", got)
	}
	s.stop()
}

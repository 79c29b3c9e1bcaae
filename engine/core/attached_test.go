package core_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider/providertest"
)

// A file that a message names is in the copy that is sent, for every request of the turn, and never in the session.
func TestAFileThatAMessageNamesReachesTheModelAndIsNotStored(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "todo", Args: `{}`}), providertest.Text("seen"), providertest.Text("later"))
	if err := os.WriteFile(filepath.Join(s.deps.Dir, "notes.txt"), []byte("the word is heron\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start("")
	s.core.Do(engine.Submit{Text: "what is the word in @notes.txt?"})
	s.ended(1)
	s.core.Do(engine.Submit{Text: "and now?"})
	s.ended(2)
	for i, want := range []bool{true, true, false} {
		sent := ""
		for _, m := range s.model.Requests()[i].Messages {
			sent += m.Text()
		}
		if strings.Contains(sent, "the word is heron") != want {
			t.Errorf("request %d: %q", i, sent)
		}
	}
	if stored := strings.Join(s.history(), "|"); strings.Contains(stored, "heron") || !strings.Contains(stored, "@notes.txt") {
		t.Errorf("stored %q", stored)
	}
	if paths, err := s.core.Typed().Paths(context.Background()); err != nil || !strings.Contains(strings.Join(paths, " "), "notes.txt") {
		t.Errorf("%q %v", paths, err)
	}
}

package core_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/provider/providertest"
)

func script(code string) providertest.Step {
	args, _ := json.Marshal(map[string]string{"code": code})
	return providertest.Calls(engine.Call{ID: "call_s", Name: "execute_code", Args: string(args)})
}

// lastResult is the result that the newest request carries.
func (s *story) lastResult() engine.Result {
	s.t.Helper()
	req, _ := s.model.Last()
	for i := len(req.Messages) - 1; i >= 0; i-- {
		if rs := req.Messages[i].Results(); len(rs) > 0 {
			return rs[len(rs)-1]
		}
	}
	s.t.Fatal("no result was sent")
	return engine.Result{}
}

// A program that reads fifty files is one call of the model, costs no iteration, and only its own words come back.
func TestAProgramOfFiftyReadsCostsNoIteration(t *testing.T) {
	read := func(n int) providertest.Step {
		return script(fmt.Sprintf("/* %d */", n) + `let n = 0; for (let i = 0; i < 50; i++) n += read_file({path: "secret.txt", offset: 1 + i % 3}).includes("SESAME") ? 1 : 0; return n`)
	}
	s := newStory(t, read(1), read(2), read(3), providertest.Text("done"))
	s.deps.Resolver = settings(t, config.Value{Key: "agent.max_turns", Text: "2"})
	os.WriteFile(filepath.Join(s.deps.Dir, "secret.txt"), []byte("SESAME\nSESAME\nSESAME\n"), 0o600)
	s.start("")
	s.core.Do(engine.Submit{Text: "count"})
	o := s.ended(1).Outcome
	if !o.Completed || o.Final != "done" || o.APICalls != 4 {
		t.Fatalf("%+v: three rounds of programs used up a budget of two", o)
	}
	if r := s.lastResult(); r.Status != engine.StatusDone || r.Text != "50\n[done; 50 calls]" {
		t.Errorf("the model was told %s %q", r.Status, r.Text)
	}
	req, _ := s.model.Last()
	if b, _ := json.Marshal(req.Messages); strings.Contains(string(b), "SESAME\\n") {
		t.Error("what was read went to the model")
	}
	began := 0
	for _, e := range s.told() {
		if _, ok := e.(engine.CallBegan); ok {
			began++
		}
	}
	if began != 3 {
		t.Errorf("%d calls were told to the screen", began)
	}
	until(s, func(e engine.CallWrote) bool { return strings.Contains(e.Text, "› Read secret.txt") })
}

// The calls of a program pass the same gates: what the user denies is an exception, and nothing was done.
func TestADeniedGateStopsACallOfAProgram(t *testing.T) {
	s := newStory(t, script(`try { write_file({path: "new.txt", content: "x"}) } catch (e) { console.log(e.status + ": " + e.message) }
try { terminal({command: "touch other.txt"}) } catch (e) { console.log(e.status + ": " + e.message) }`), providertest.Text("done"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	for i, title := range []string{"new.txt", "Run a command"} {
		q := until(s, func(e engine.Asked) bool { return strings.Contains(e.Question.Title, title) })
		s.core.Do(engine.Answer{ID: q.Question.ID, Choice: engine.ChoiceDeny, Text: fmt.Sprintf("no %d", i)})
	}
	s.ended(1)
	r := s.lastResult()
	if strings.Count(r.Text, "denied: ") != 2 || !strings.Contains(r.Text, "no 0") || !strings.Contains(r.Text, "no 1") {
		t.Errorf("the program was told %q", r.Text)
	}
	if left, _ := os.ReadDir(s.deps.Dir); len(left) != 0 {
		t.Errorf("something was done: %v", left)
	}
}

func TestAProgramInPlanModeAndWithoutAnybodyToAsk(t *testing.T) {
	s := newStory(t, script(`try { write_file({path: "new.txt", content: "x"}) } catch (e) { return e.message }`), providertest.Text("done"))
	s.deps.Mode = "plan"
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	s.ended(1)
	if r := s.lastResult(); !strings.Contains(r.Text, "plan mode is on") {
		t.Errorf("told %q", r.Text)
	}

	s = newStory(t, script(`try { write_file({path: "new.txt", content: "x"}) } catch (e) { return e.message }`), providertest.Text("done"))
	s.deps.Attended = false
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	s.ended(1)
	if r := s.lastResult(); !strings.Contains(r.Text, "approval is needed and there is nobody to ask") {
		t.Errorf("told %q", r.Text)
	}
}

func TestStopEndsAProgramAndTheCommandItRuns(t *testing.T) {
	s := newStory(t, script(`console.log("begun"); terminal({command: "sleep 7654321"})`), providertest.Text("never"))
	s.deps.Mode = "auto"
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until(s, func(e engine.CallWrote) bool { return strings.Contains(e.Text, "sleep 7654321") })
	s.core.Do(engine.Interrupt{})
	if o := s.ended(1).Outcome; !o.Interrupted {
		t.Errorf("%+v", o)
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range dirs {
		if b, _ := os.ReadFile(path); strings.Contains(string(b), "7654321") {
			t.Errorf("%s still runs %q", path, b)
		}
	}
}

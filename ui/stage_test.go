package ui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/uitest"
)

const (
	workDir = "/home/kim/src/shop"
	homeDir = "/home/kim"
)

var sonnet = engine.Route{Provider: "anthropic", Model: "sonnet-4.5", Effort: "high"}

// stage is the screen with an engine, a library and connections that the test plays.
type stage struct {
	*uitest.Screen
	m    *Model
	lib  *uitest.Library
	conn *uitest.Connections
}

// setting is what a story begins with.
type setting struct {
	Deps
	lib  *uitest.Library
	conn *uitest.Connections
}

// story runs f in a bubble with a fake clock.
func story(t *testing.T, f func(t *testing.T)) { synctest.Test(t, f) }

func theme(name string) func(bool, bool) themes.Theme {
	return func(bool, bool) themes.Theme {
		t, err := themes.Load(name)
		if err != nil {
			panic(err)
		}
		return t
	}
}

// start shows the screen before the engine told anything.
func start(t *testing.T, w, h int, change ...func(*setting)) *stage {
	t.Helper()
	e := uitest.NewEngine()
	s := setting{lib: uitest.NewLibrary(), conn: &uitest.Connections{}}
	s.Deps = Deps{Engine: e, Theme: theme("dusk"), Options: Options{Dir: workDir, Home: homeDir, Version: "1.0", Mode: "ask", Branch: func(string) string { return "main" }, Settings: Settings{Terminal: Terminal{Clipboard: true}}}}
	for _, c := range change {
		c(&s)
	}
	s.Deps.Library, s.Deps.Connect = s.lib, s.conn
	m := New(s.Deps)
	return &stage{uitest.Start(t, e, m, w, h), m, s.lib, s.conn}
}

// open shows a new session that is connected.
func open(t *testing.T, w, h int, change ...func(*setting)) *stage {
	t.Helper()
	s := start(t, w, h, change...)
	s.Tell(engine.Opened{Session: engine.Session{ID: "20000101_000000_aaaaaa", Dir: workDir, Route: sonnet, Cost: new(float64)}})
	return s
}

// working shows a turn at work.
func working(t *testing.T, w, h int, change ...func(*setting)) *stage {
	t.Helper()
	s := open(t, w, h, change...)
	s.Tell(engine.Began{Turn: 1, Route: sonnet}, engine.Noted{Kind: engine.NoteTitle, Text: "fix auth tests"}, uitest.User("Fix the race."))
	s.ops()
	return s
}

// ops are those of the engine since the last call.
func (s *stage) ops() []engine.Op { return s.Engine.Ops() }

// op is the one op since the last call.
func op[T engine.Op](t *testing.T, s *stage) (got T) {
	t.Helper()
	ops := s.ops()
	if len(ops) == 1 {
		if one, ok := ops[0].(T); ok {
			return one
		}
	}
	t.Errorf("the engine was asked %#v, want one %T", ops, got)
	return got
}

// none fails if the engine was asked anything.
func (s *stage) none(t *testing.T) {
	t.Helper()
	if ops := s.ops(); len(ops) > 0 {
		t.Errorf("the engine was asked %#v, want nothing", ops)
	}
}

// draft is what the library has for the session, "" being the directory's.
func (s *stage) draft(session string) string {
	text, _ := s.lib.Draft(context.Background(), workDir, session)
	return text
}

const thisSession = "20000101_000000_aaaaaa"

// an approval of an edit, and one of a command.
func editQuestion(id string) engine.Question {
	return engine.Question{ID: id, Kind: engine.Approval, Title: "Edit src/auth/refresh.ts", Why: "edits ask in ask mode",
		Diff: "--- a/src/auth/refresh.ts\n+++ b/src/auth/refresh.ts\n@@ -41,5 +41,7 @@\n async function refresh(id: SessionId) {\n-  if (inFlight) return inFlight;\n" +
			"-  const p = post(\"/token\", id);\n-  inFlight = p;\n+  const running = inFlight.get(id);\n+  if (running) return running;\n+  const p = post(\"/token\", id)\n" +
			"+    .finally(() => inFlight.delete(id));\n+  inFlight.set(id, p);\n   return p;\n",
		Rule: "edit src/auth/", At: 1, Draft: "const running = inFlight.get(id);\n",
		Rungs: []engine.Rung{{Rule: "edit src/auth/refresh.ts", Label: "edits of src/auth/refresh.ts"}, {Rule: "edit src/auth/", Label: "edits in src/auth/"}, {Rule: "edit src/auth/**", Label: "edits in src/auth/**"}},
		Choices: []engine.Choice{{Value: engine.ChoiceOnce}, {Value: engine.ChoiceSession, Label: "Allow edits in src/auth/ for this session"},
			{Value: engine.ChoiceAlways, Label: "Always allow edits in src/auth/ in this project"}, {Value: engine.ChoiceEdit, Label: "Edit the change first"}, {Value: engine.ChoiceDeny}}}
}

func commandQuestion(id, command string) engine.Question {
	return engine.Question{ID: id, Kind: engine.Approval, Title: "Run a command", Body: command, Why: "commands ask in ask mode",
		Choices: []engine.Choice{{Value: engine.ChoiceOnce}, {Value: engine.ChoiceDeny}}}
}

func storeQuestion(id string) engine.Question {
	return engine.Question{ID: id, Kind: engine.Clarify, Title: "Which token store should the fix keep?", Choices: []engine.Choice{
		{Value: "redis", Label: "Redis", Description: "used in production; adds a lock with SET NX"},
		{Value: "memory", Label: "In memory", Description: "what the tests use today; single process only"},
		{Value: "both", Label: "Both, behind one interface", Description: "about 60 more lines; keeps tests fast", Recommended: true}}}
}

// guardOver lets the guard of a dialog pass.
func (s *stage) guardOver() { s.Pass(time.Second) }

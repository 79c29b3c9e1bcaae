package ui

import (
	"context"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/keys"
	"talaria/ui/uitest"
)

// Key lint (UX 4.12): no clash, nothing only Alt reaches, in the table and with every preset.
func TestKeyLint(t *testing.T) {
	story(t, func(t *testing.T) {
		s := crowded(t, 80, 24, false) // with every feature
		for _, preset := range keys.Presets() {
			table, told := keys.New(s.m.table(), keys.Options{Preset: preset})
			if len(told) > 0 {
				t.Errorf("%s: %q", preset, told)
			}
			rows := table.All()
			for i, b := range rows {
				if len(b.Keys) == 0 { // a preset may leave an action to its command
					rows[i].Keys = []string{"f12"}
					rows[i].Scope = keys.Scope(100 + i)
				}
			}
			for _, fault := range keys.Lint(rows) {
				t.Errorf("%s: %s", preset, fault)
			}
		}
	})
}

func TestKeysOfTheUsersOwn(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 100, 30, func(s *setting) {
			s.Options.Keys = keys.Options{Own: map[string][]string{"send": {"ctrl+enter"}, "newline": {"enter"}, "top": {"ctrl+o"}, "fly": {"f5"}}}
		})
		s.See(`there is no action "fly"`, "Ctrl+O is Top now; Expand / collapse keeps Ctrl+X o")
		s.Type("one\ntwo")
		s.none(t)
		s.Press("ctrl+enter")
		s.Pass(time.Second)
		if got := op[engine.Steer](t, s); got.Text != "one\ntwo" {
			t.Errorf("sent %q", got.Text)
		}
	})
}

func TestBusyEnterQueuesOrInterrupts(t *testing.T) {
	for setting, want := range map[string]engine.Op{"steer": engine.Steer{Text: "more"}, "queue": engine.Queue{Text: "more"}, "interrupt": engine.Interrupt{}} {
		story(t, func(t *testing.T) {
			s := working(t, 80, 24, busy(setting))
			s.Type("more")
			s.Press("enter")
			s.Pass(time.Second)
			if got := s.ops(); len(got) != 1 || got[0] != want {
				t.Errorf("%s: asked %#v", setting, got)
			}
			if setting != "interrupt" {
				return
			}
			s.Tell(uitest.Stopped())
			if got := op[engine.Submit](t, s); got.Text != "more" {
				t.Errorf("sent %q", got.Text)
			}
		})
	}
}

func busy(enter string) func(*setting) { return func(s *setting) { s.Options.BusyEnter = enter } }

func TestPlanSetsTheModeAndBegins(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.Type("/plan fix the race")
		s.Press("enter")
		s.Pass(time.Second)
		if ops := s.ops(); len(ops) != 2 || ops[0] != (engine.Set{Mode: "plan"}) || ops[1].(engine.Submit).Text != "fix the race" {
			t.Errorf("asked %#v", ops)
		}
	})
}

func TestThePaletteDoesWhatIsChosen(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.Press("ctrl+x", "p")
		s.See("Commands", "/new", "Search")
		s.Type("mode")
		s.Press("pgdown", "pgdown", "pgup")
		s.Press("esc")
		s.Type("approval mode")
		s.Press("enter")
		if got := op[engine.Set](t, s); got.Mode != "edit" {
			t.Errorf("set %q", got.Mode)
		}
		s.Press("ctrl+x", "p")
		s.Type("/rename")
		s.Press("enter") // it wants words
		s.NotSee("Search")
		if got := s.m.Prompt.Value(); got != "/rename " {
			t.Errorf("the prompt is %q", got)
		}
	})
}

// kept is what was saved in the configuration.
type kept struct{ lines []string }

func (k *kept) Save(_ context.Context, key, text string) error {
	k.lines = append(k.lines, key+" "+text)
	return nil
}

func TestAKeyIsChangedWhileItIsPressed(t *testing.T) {
	story(t, func(t *testing.T) {
		k := &kept{}
		s := open(t, 100, 30, func(s *setting) { s.Save = k })
		s.Press("ctrl+x", "k")
		s.Type("Sessions")
		s.Press("enter", "ctrl+s")
		s.See("Received: Ctrl+S", "terminals stop their output")
		s.Press("enter")
		s.See("Received: Ctrl+S") // nothing is taken that cannot be had
		s.Press("ctrl+o")
		s.See("Received: Ctrl+O", "It is Expand / collapse now")
		s.Press("ctrl+x", ".")
		s.See("Received: Ctrl+X .", "Nothing else has it")
		s.Press("ctrl+o", "enter")
		s.See("Ctrl+O is Sessions now; Expand / collapse keeps Ctrl+X o")
		s.Press("esc", "esc")
		s.NotSee("Search")
		s.Press("ctrl+o")
		s.See("Search titles")
		if len(k.lines) != 1 || k.lines[0] != `ui.keys.sessions ["ctrl+o"]` {
			t.Errorf("kept %q", k.lines)
		}
	})
}

package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// facts are a program that knows of two settings.
type facts struct {
	asked []string
	saved map[string]string
}

func (f *facts) Report(_ context.Context, page string) (engine.Report, error) {
	f.asked = append(f.asked, page)
	switch page {
	case "settings":
		return engine.Report{Note: "/home/kim/.config/talaria/config.yaml", Rows: []engine.ReportRow{
			{Name: "agent.max_turns", Mark: "90", Value: "90", Text: "how many rounds\nFrom: default", Dim: true},
			{Name: "ui.theme", Mark: f.saved["ui.theme"], Value: f.saved["ui.theme"], Text: "the colours"}}}, nil
	case "doctor":
		return engine.Report{}, errors.New("the disk does not answer")
	case "changelog":
		return engine.Report{Text: "Unreleased\n- 日本語 and \x1b[31mred\x1b[0m, one long line that has to be wrapped because no window is as wide as it is long, whatever"}, nil
	}
	return engine.Report{Rows: []engine.ReportRow{{Name: page + " one", Mark: "ready", Text: "what it is"}}}, nil
}

func (f *facts) Save(_ context.Context, key, text string) error {
	if text == "pink" {
		return errors.New("ui.theme: there is no theme \"pink\"")
	}
	f.saved[key] = text
	return nil
}

func factual(t *testing.T, w, h int) (*stage, *facts) {
	f := &facts{saved: map[string]string{"ui.theme": "dusk"}}
	s := open(t, w, h, func(s *setting) { s.Views.Reports, s.Save, s.Views.Timeline = f, f, &past{} })
	s.ops()
	return s, f
}

func TestWhatTheProgramKnowsOfItselfIsAPageEach(t *testing.T) {
	story(t, func(t *testing.T) {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {36, 8}, {200, 60}} {
			s, f := factual(t, size[0], size[1])
			for _, page := range []string{"tools", "mcp", "skills", "settings", "doctor", "changelog", "bug"} {
				s.Type("/" + page + "\n")
				s.Pass(time.Second)
				switch page {
				case "settings":
					s.See("agent.max_turns", "90")
				case "doctor":
					s.See("the disk does not answer")
				case "changelog":
					s.See("日本語 and red")
				default:
					s.See(page+" one", "ready")
				}
				s.Press("esc")
			}
			if len(f.asked) != 7 {
				t.Errorf("%v", f.asked)
			}
			s.none(t)
		}
	})
}

func TestASettingIsChangedWhereItIsRead(t *testing.T) {
	story(t, func(t *testing.T) {
		s, f := factual(t, 80, 24)
		s.Type("/settings\n")
		s.Pass(time.Second)
		s.Press("down", "e", "ctrl+u")
		s.Type("pink")
		s.Press("enter")
		s.Pass(time.Second)
		s.See(`there is no theme "pink"`, "dusk")
		s.Press("e", "ctrl+u")
		s.Type("paper")
		s.Press("enter")
		s.Pass(time.Second)
		s.See("paper", "kept for the next start")
		if f.saved["ui.theme"] != "paper" {
			t.Errorf("%v", f.saved)
		}
	})
}

func TestTheDiffOfTheSessionReadsForwards(t *testing.T) {
	story(t, func(t *testing.T) {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 15}} {
			s, _ := factual(t, size[0], size[1])
			s.Type("/diff turn\n")
			s.Pass(time.Second)
			s.See("coupon.ts", "+1 −3")
			s.Press("enter")
			s.See("const 割引 = 3;")
			if text := s.Text(); strings.Index(text, "割引 = 1") > strings.Index(text, "割引 = 3") {
				t.Errorf("what was deleted stands second:\n%s", text)
			}
			s.Press("t", "esc", "esc")
			s.NotSee("+1 −3")
			s.Type("/diff everything\n")
			s.See("/diff shows what the session did")
		}
	})
}

func TestZenLeavesTheConversationAndTheStatus(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 120, 36)
		s.See("fix auth tests")
		s.Press("ctrl+x", "z")
		s.NotSee("fix auth tests", "sonnet-4.5 · high")
		s.See("ask │", "Zen:")
		s.Press("ctrl+x", "z")
		s.See("fix auth tests")
	})
}

func TestLinksOfTheConversationAreListedNewestFirst(t *testing.T) {
	story(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.Press("ctrl+x", "l")
		s.See("no link in the conversation")
		s = working(t, 100, 30)
		s.Tell(uitest.Reply("See https://example.com/a_(b) and (https://example.com/docs), then [this](https://example.org/x?y=1)."), uitest.Finished())
		s.Pass(time.Second)
		s.Press("ctrl+x", "l")
		text := s.Text()
		at := -1
		for _, u := range []string{"https://example.org/x?y=1 ", "https://example.com/docs ", "https://example.com/a_(b) "} {
			i := strings.LastIndex(text, u)
			if i <= at {
				t.Errorf("%q is not where it should be:\n%s", u, text)
			}
			at = i
		}
		s.Press("y")
		s.See("Copied")
	})
}

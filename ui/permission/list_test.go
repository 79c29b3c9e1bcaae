package permission

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"talaria/engine"
	"talaria/themes"
	"talaria/ui/style"
)

// keeper is the rules of a program.
type keeper struct {
	rules []engine.Permission
}

func (k *keeper) List(context.Context) ([]engine.Permission, error) {
	return slices.Clone(k.rules), nil
}

func (k *keeper) Revoke(_ context.Context, id string) error {
	n := len(k.rules)
	k.rules = slices.DeleteFunc(k.rules, func(p engine.Permission) bool { return p.ID == id })
	if len(k.rules) == n {
		return engine.ErrNoRule
	}
	return nil
}

func (k *keeper) Rulings(context.Context, int) ([]engine.Ruling, error) {
	return []engine.Ruling{{CallID: "c2", Action: "$ rm -rf build", Verdict: "denied", By: "the list of dangerous commands: deletes a directory tree", Mode: "ask", Asked: true, Choice: "deny", At: time.Unix(0, 0)},
		{CallID: "c1", Action: "$ npm test", Verdict: "allowed", By: "the rule command npm test", Mode: "ask", At: time.Unix(0, 0)}}, nil
}

func open(t *testing.T, p page) (*List, *keeper) {
	t.Helper()
	theme, err := themes.Load("dusk")
	if err != nil {
		t.Fatal(err)
	}
	k := &keeper{[]engine.Permission{
		{ID: "s1", Rule: "edit src/**", Scope: engine.ScopeSession, Made: "edit src/a.go", At: time.Now()},
		{ID: "p1", Rule: "command npm test", Scope: engine.ScopeProject, Made: "$ npm test -- refresh", At: time.Now()},
		{Rule: "command git push", Scope: engine.ScopeConfig, Deny: true}}}
	l := New(t.Context(), style.New(theme, false), k, p)
	run(l, l.Init())
	return l, k
}

func run(l *List, cmd tea.Cmd) {
	if cmd != nil {
		l.Update(cmd())
	}
}

func press(l *List, keys ...string) (closed bool) {
	for _, k := range keys {
		code := map[string]rune{"down": tea.KeyDown, "tab": tea.KeyTab, "esc": tea.KeyEscape}[k]
		msg := tea.KeyPressMsg{Code: code}
		if code == 0 {
			msg = tea.KeyPressMsg{Code: rune(k[0]), Text: k}
		}
		var cmd tea.Cmd
		cmd, closed = l.Update(msg)
		run(l, cmd)
	}
	return closed
}

func see(t *testing.T, l *List, want ...string) {
	t.Helper()
	for _, size := range [][2]int{{120, 32}, {80, 20}} {
		view, _ := l.View(size[0], size[1])
		for _, w := range want {
			if !strings.Contains(ansi.Strip(view), w) {
				t.Errorf("at %dx%d %q is not to be seen:\n%s", size[0], size[1], w, ansi.Strip(view))
			}
		}
	}
}

func TestARuleIsShownWithWhatItWasMadeForAndRevokedByTwoPresses(t *testing.T) {
	l, k := open(t, rules)
	press(l, "down")
	see(t, l, "edit src/**", "command npm test", "this project", "$ npm test -- refresh", "never · your settings")
	press(l, "x")
	see(t, l, "press x again")
	press(l, "down", "x")
	if len(k.rules) != 3 {
		t.Fatal("a rule went with one press, or one of the configuration")
	}
	see(t, l, "in the configuration")
	l.at = 1
	press(l, "x", "x")
	if len(k.rules) != 2 || k.rules[1].Rule != "command git push" {
		t.Fatalf("left: %+v", k.rules)
	}
	see(t, l, "Revoked: command npm test")
	if !press(l, "esc") {
		t.Error("Esc left it open")
	}
}

func TestWhyTellsWhatDecided(t *testing.T) {
	l, _ := open(t, rulings)
	see(t, l, "$ rm -rf build", "asked · denied", "deletes a directory tree")
	press(l, "down")
	see(t, l, "the rule command npm test")
	press(l, "tab")
	see(t, l, "edit src/**")
}

func TestTheListFitsEverySize(t *testing.T) {
	for _, p := range []page{rules, rulings} {
		l, _ := open(t, p)
		for w := -1; w < 130; w += 1 + w/10 {
			for _, h := range []int{-1, 0, 1, 2, 3, 5, 8, 12, 40} {
				view, cur := l.View(w, h)
				if lines := strings.Split(view, "\n"); view != "" && len(lines) > max(h, 0) {
					t.Fatalf("%d lines in %dx%d", len(lines), w, h)
				}
				for _, line := range strings.Split(view, "\n") {
					if ansi.StringWidth(line) > max(w, 0) {
						t.Fatalf("a line too long in %dx%d: %q", w, h, ansi.Strip(line))
					}
				}
				if cur != nil && (cur.X < 0 || cur.X >= w || cur.Y < 0 || cur.Y >= h) {
					t.Fatalf("cursor at %d,%d in %dx%d", cur.X, cur.Y, w, h)
				}
			}
		}
	}
}

package ui

import (
	"testing"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// tape is a player that notes its keys.
type tape struct {
	now   engine.Playing
	skips int
}

func (p *tape) Playing() engine.Playing { return p.now }
func (p *tape) Pause(on bool)           { p.now.Paused = on }
func (p *tape) Skip()                   { p.skips++ }
func (p *tape) Faster(up bool) {
	if p.now.Speed /= 2; up {
		p.now.Speed *= 4
	}
}

func TestAReplayHasItsOwnKeysAndSendsNothing(t *testing.T) {
	story(t, func(t *testing.T) {
		p := &tape{now: engine.Playing{Speed: 1, At: 65 * time.Second, Total: 90 * time.Second}}
		s := open(t, 100, 30, func(s *setting) { s.Player = p })
		s.Tell(uitest.User("Fix it."), uitest.Reply("Fixed."))
		s.ops()
		s.See("replay  1:05 of 1:30  1x", "Fixed.")
		s.Press("space", "+", "+", "-", "enter")
		s.See("paused", "2x")
		s.Type("hello")
		s.Press("enter")
		s.NotSee("hello")
		if p.skips != 2 || !p.now.Paused || len(s.ops()) != 0 {
			t.Errorf("%+v", p)
		}
	})
}

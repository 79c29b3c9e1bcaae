package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"talaria/engine"
	"talaria/ui/listen"
	"talaria/ui/uitest"
)

// A fast stream costs one Update a frame, not one for each piece; and a key that is pressed meanwhile is on screen at
// once: no command is under way but the one that waits for events.
func TestAFastStreamIsDeliveredInFrames(t *testing.T) {
	story(t, func(t *testing.T) {
		s := working(t, 80, 24)
		const pieces, each = 20_000, 100 * time.Microsecond
		go func() {
			for range pieces {
				s.Engine.Tell(uitest.Says("x"))
				time.Sleep(each)
			}
		}()
		before := s.Updates
		s.Pass(time.Second)
		typed := time.Now()
		s.Hit("k")
		if d := time.Since(typed); d > listen.Frame {
			t.Errorf("a key waited %v", d)
		}
		s.See("❯ k")
		s.Pass(2 * time.Second)
		ticks, most := 4, int(3*time.Second/listen.Frame)
		if n := s.Updates - before; n > most+ticks {
			t.Errorf("%d updates for %d pieces in 2 s, want at most %d", n, pieces, most)
		}
		got := strings.Count(s.Text(), "x")
		s.Tell(uitest.Says("END"))
		s.See("END")
		if got == 0 {
			t.Error("nothing arrived")
		}
	})
}

// BenchmarkStream20k is what 20,000 pieces of a reply of 100 kB cost the screen: listening, Update and View.
func BenchmarkStream20k(b *testing.B) {
	piece := uitest.Says("word ")
	for b.Loop() {
		e := uitest.NewEngine()
		m := New(Deps{Engine: e, Library: uitest.NewLibrary(), Connect: &uitest.Connections{}, Theme: theme("dusk"), Options: Options{Mode: "ask"}})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		e.Tell(engine.Opened{Session: engine.Session{ID: "s", Route: sonnet}}, engine.Began{Turn: 1, Route: sonnet})
		go func() {
			for i := range 20_000 {
				e.Tell(piece)
				if i%40 == 39 {
					e.Tell(uitest.Says("\n\n"))
				}
			}
			e.Close()
		}()
		updates := 0
		for {
			msg := m.listen.Next()()
			if _, ok := msg.(listen.Batch); !ok {
				break
			}
			m.Update(msg)
			m.View()
			updates++
		}
		b.ReportMetric(float64(updates), "updates/op")
	}
}

// BenchmarkKeyWhileStreaming is a key and its frame in a long session.
func BenchmarkKeyWhileStreaming(b *testing.B) {
	e := uitest.NewEngine()
	m := New(Deps{Engine: e, Library: uitest.NewLibrary(), Connect: &uitest.Connections{}, Theme: theme("dusk"), Options: Options{Mode: "ask"}})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	batch := listen.Batch{engine.Opened{Session: engine.Session{ID: "s", Route: sonnet}}, engine.Began{Turn: 1, Route: sonnet}}
	for range 2000 {
		batch = append(batch, uitest.User("a message"))
		batch = append(batch, uitest.Reply("An answer with `code` and **words**.\n\n- one\n- two\n")...)
	}
	m.Update(batch)
	m.View()
	for b.Loop() {
		m.Update(uitest.Key("x"))
		m.View()
		m.Update(uitest.Key("backspace"))
		m.View()
	}
}

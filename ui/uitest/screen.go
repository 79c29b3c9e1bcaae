package uitest

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/dlclark/regexp2/v2"

	"talaria/engine"
)

// stroke is how long a person takes for a key: longer than any burst of a paste.
const stroke = 50 * time.Millisecond

// frame is a little more than the least time between two deliveries of events.
const frame = 40 * time.Millisecond

// Screen drives a tea.Model in a synctest bubble. It is the terminal and the toolkit in one: commands run in goroutines,
// their messages come back in the order of the fake clock. A command begins when the one before it waits or has ended, so
// that of two that need no time the first is always the first.
type Screen struct {
	Engine  *Engine
	Updates int       // messages that the model took
	Left    bool      // the program ended
	Raw     []tea.Msg // what the toolkit was asked to do: bell, clipboard, suspend

	t     testing.TB
	model tea.Model
	inbox chan tea.Msg
	w, h  int
	drawn []string // the rows of the last frame that was found to fit
}

// Start shows the model in a window of w by h cells. It must be called inside synctest.Test.
func Start(t testing.TB, e *Engine, m tea.Model, w, h int) *Screen {
	s := &Screen{Engine: e, t: t, model: m, inbox: make(chan tea.Msg, 1<<12), w: w, h: h}
	t.Cleanup(func() {
		e.Close()
		s.Pass(time.Minute)        // timers of commands run out
		regexp2.StopTimeoutClock() // that of the lexers may have an end which an earlier story set far ahead
	})
	s.run(m.Init())
	s.Send(tea.WindowSizeMsg{Width: w, Height: h})
	s.Raw = nil // what a screen asks of every terminal when it begins is no part of a story
	return s
}

// run starts a command, and lets it come to its first wait.
func (s *Screen) run(cmd tea.Cmd) {
	if cmd != nil {
		engine.Go("command", func() { s.exec(cmd) })
		synctest.Wait()
	}
}

// exec runs a command to its end; those it brings run in a row where they are a sequence.
func (s *Screen) exec(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if msg == nil {
		return
	}
	if _, batch := msg.(tea.BatchMsg); batch {
		s.inbox <- msg
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			s.exec(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	s.inbox <- msg
}

// take gives the model one message and draws the screen.
func (s *Screen) take(msg tea.Msg) {
	if s.Left {
		return
	}
	if batch, ok := msg.(tea.BatchMsg); ok { // the toolkit's own: they run beside one another, and the model never sees it
		for _, c := range batch {
			s.run(c)
		}
		return
	}
	switch reflect.TypeOf(msg).Name() {
	case "QuitMsg":
		s.Left = true
		return
	case "RawMsg", "setClipboardMsg", "SuspendMsg", "clearScreenMsg":
		s.Raw = append(s.Raw, msg)
	}
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		s.w, s.h, s.drawn = size.Width, size.Height, nil
	}
	s.Updates++
	m, cmd := s.model.Update(msg)
	s.model = m
	s.run(cmd)
	s.check()
}

// check draws and holds the frame to the window.
func (s *Screen) check() {
	s.t.Helper()
	if s.w <= 0 || s.h <= 0 {
		s.model.View()
		return
	}
	lines := s.lines()
	if s.Left || len(lines) == 1 && lines[0] == "" { // the last frame of a program is empty
		return
	}
	if len(lines) != s.h {
		s.t.Fatalf("%d rows in a window of %dx%d:\n%s", len(lines), s.w, s.h, s.Text())
	}
	for i, l := range lines {
		if i < len(s.drawn) && s.drawn[i] == l {
			continue // most rows stay: measuring them again is what most of the tests' time would go to
		}
		if n := ansi.StringWidth(l); n > s.w {
			s.t.Fatalf("a row of %d cells in a window of %dx%d: %q", n, s.w, s.h, ansi.Strip(l))
		}
	}
	s.drawn = lines
}

func (s *Screen) lines() []string { return strings.Split(s.model.View().Content, "\n") }

// Wait lets everything happen that needs no time to pass.
func (s *Screen) Wait() {
	s.t.Helper()
	for range 10_000 {
		synctest.Wait()
		select {
		case msg := <-s.inbox:
			s.take(msg)
		default:
			return
		}
	}
	s.t.Fatal("the screen does not come to rest: a message causes itself")
}

// Pass lets time pass; what falls due happens at its moment.
func (s *Screen) Pass(d time.Duration) {
	s.t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case msg := <-s.inbox:
			s.take(msg)
		case <-timer.C:
			s.Wait()
			return
		}
	}
}

// Send gives the model a message, and lets happen what follows at once.
func (s *Screen) Send(msg tea.Msg) {
	s.t.Helper()
	s.take(msg)
	s.Wait()
}

// Press presses keys as a person does, by their names.
func (s *Screen) Press(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.Send(Key(name))
		s.Pass(stroke)
	}
}

// Hit presses a key and lets no time pass.
func (s *Screen) Hit(name string) {
	s.t.Helper()
	s.Send(Key(name))
}

// Type types text; a line break in it is Enter.
func (s *Screen) Type(text string) {
	s.t.Helper()
	for _, r := range text {
		if r == '\n' {
			s.Press("enter")
			continue
		}
		s.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		s.Pass(stroke)
	}
}

// Paste pastes with brackets.
func (s *Screen) Paste(text string) {
	s.t.Helper()
	s.Send(tea.PasteMsg{Content: text})
	s.Pass(stroke)
}

// Resize changes the window.
func (s *Screen) Resize(w, h int) {
	s.t.Helper()
	s.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// Tell lets the engine tell events, and the screen show them.
func (s *Screen) Tell(events ...any) {
	s.t.Helper()
	s.Engine.Tell(flatten(events)...)
	s.Pass(frame)
}

// View is the frame as the toolkit gets it.
func (s *Screen) View() tea.View { return s.model.View() }

// Text is the screen without colours and without blanks at the ends of rows.
func (s *Screen) Text() string {
	lines := s.lines()
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

// Status is the last row.
func (s *Screen) Status() string {
	lines := strings.Split(s.Text(), "\n")
	return lines[len(lines)-1]
}

// See fails unless each text is on the screen.
func (s *Screen) See(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.Text(), text) {
			s.t.Errorf("%q is not on the screen:\n%s", text, s.Text())
		}
	}
}

// NotSee fails if one of the texts is on the screen.
func (s *Screen) NotSee(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.Text(), text) {
			s.t.Errorf("%q is on the screen:\n%s", text, s.Text())
		}
	}
}

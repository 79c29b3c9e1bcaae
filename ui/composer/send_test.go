package composer

import (
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// owner is the least program around a composer. It stops when an Enter was decided upon and nothing is held.
type owner struct {
	c      *Composer
	sent   []string
	slow   time.Duration // what a View costs
	enters int
}

func (o *owner) Init() tea.Cmd { return nil }

func (o *owner) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() == "enter" {
			return o, o.c.Enter(time.Now())
		}
		o.c.Update(msg)
	case tea.PasteMsg:
		o.c.Update(msg)
	case SendMsg:
		text, ok := o.c.Send(msg)
		if ok {
			o.sent = append(o.sent, text)
			o.c.Reset()
		}
		if o.enters--; o.enters == 0 {
			return o, tea.Quit
		}
	}
	return o, nil
}

func (o *owner) View() tea.View {
	time.Sleep(o.slow)
	return tea.NewView("")
}

// feed runs the toolkit's own reader over bytes that come in one read.
func feed(t *testing.T, bytes string, enters int, slow time.Duration) *owner {
	t.Helper()
	in, out := io.Pipe()
	o := &owner{c: New(sheet(t)), slow: slow, enters: enters}
	p := tea.NewProgram(o, tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24), tea.WithoutSignalHandler(), tea.WithContext(t.Context()))
	go func() {
		io.WriteString(out, bytes)
	}()
	if _, err := p.Run(); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestU03LinesThatComeInOneReadAreOneTextThroughTheRealReader(t *testing.T) {
	for _, slow := range []time.Duration{0, 25 * time.Millisecond} {
		o := feed(t, "line1\rline2\r", 2, slow)
		if len(o.sent) != 0 || o.c.Value() != "line1\nline2" {
			t.Errorf("with %v a frame: sent %q, kept %q", slow, o.sent, o.c.Value())
		}
	}
}

func TestALineAndItsEnterInOneReadAreSentThroughTheRealReader(t *testing.T) {
	for _, slow := range []time.Duration{0, 25 * time.Millisecond} {
		if o := feed(t, "hello\r", 1, slow); len(o.sent) != 1 || o.sent[0] != "hello" {
			t.Errorf("with %v a frame: sent %q, kept %q", slow, o.sent, o.c.Value())
		}
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestKillNineDuringACompressionLosesNothing: the program is killed while the summary is being asked for. The session
// opens whole, as it was, and goes on.
func TestKillNineDuringACompressionLosesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("../talaria/config.yaml", quick+"\nmodel: {context_window: 12000}\n")
	const turns = 8
	var script strings.Builder
	for i := range turns {
		fmt.Fprintf(&script, "reply\ntext Answer %d. %s\n", i, strings.Repeat("some words of it ", 160))
	}
	script.WriteString("reply\ntext none\nreply\nstall\nreply\ntext Here we are again.\n") // the facts, the summary, the next turn
	m := d.model(script.String())
	p := d.open("--yolo")
	p.sees(ready)
	for i := range turns {
		p.says(fmt.Sprintf("question number %d", i))
		m.asks(t, i+1)
		p.sees("Ready")
	}
	p.says("/compact")
	m.asks(t, turns+2)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.exits()

	p = d.open("-c", "--yolo")
	p.sees(ready)
	p.says("and on")
	p.sees("Here we are again.", "Ready")
	text := plain(any(m.asks(t, turns+3)))
	for i := range turns {
		for _, want := range []string{fmt.Sprintf("question number %d", i), fmt.Sprintf("Answer %d.", i)} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%q stands %d times in the request after the crash", want, strings.Count(text, want))
			}
		}
	}
	p.quits()
	if all := d.listed(); len(all) != 1 {
		t.Errorf("%d sessions", len(all))
	}
}

// TestKillNineWhileATurnOnIsSummarised: from the timeline a turn and all after it are summarised, and the program is killed
// while it asks. The session opens as it was; done again, what came before the turn is sent word for word, and scrolling
// back reads all that was said.
func TestKillNineWhileATurnOnIsSummarised(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("../talaria/config.yaml", quick+"\nmodel: {context_window: 100000}\n")
	const turns, kept = 5, 2
	var script strings.Builder
	for i := range turns {
		fmt.Fprintf(&script, "reply\ntext Answer %d. %s\n", i, strings.Repeat("some words of it ", 160))
	}
	script.WriteString("reply\ntext none\nreply\nstall\nreply\ntext none\nreply\ntext ## Goal of all that. " + strings.Repeat("The lexer is ported. ", 12) + "\nreply\ntext Here we are again.\n")
	m := d.model(script.String())
	p := d.open("--yolo")
	p.sees(ready)
	for i := range turns {
		p.says(fmt.Sprintf("question number %d", i))
		m.asks(t, i+1)
		p.sees("Ready")
	}
	summarise := func() {
		p.says("/timeline")
		p.sees(fmt.Sprintf("Before \"question number %d\"", turns-1))
		p.presses(strings.Repeat("\x1b[A", turns-1-kept))
		p.sees(fmt.Sprintf("Before \"question number %d\"", kept))
		p.presses("5")
	}
	summarise()
	m.asks(t, turns+2)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.exits()

	p = d.open("-c", "--yolo")
	p.sees(ready)
	summarise()
	m.asks(t, turns+4)
	p.sees("were summarised:")
	p.says("and on")
	p.sees("Here we are again.", "Ready")
	text := plain(any(m.asks(t, turns+5)))
	for i := range turns {
		want := map[bool]int{true: 1, false: 0}[i < kept || i == turns-1] // the newest answer is quoted
		if n := strings.Count(text, fmt.Sprintf("Answer %d.", i)); n != want {
			t.Errorf("answer %d stands %d times in the request, want %d", i, n, want)
		}
	}
	if !strings.Contains(text, "Goal of all that") {
		t.Error("the summary is not sent")
	}
	for _, want := range []string{"question number 3", "Answer 0."} {
		p.pressesUntil(want, "\x1b[5~", func(screen string) bool { return strings.Contains(screen, want) })
		p.presses("\x1b[1;5F")
	}
	p.quits()
	if all := d.listed(); len(all) != 1 {
		t.Errorf("%d sessions", len(all))
	}
}

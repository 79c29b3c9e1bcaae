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

package main

import (
	"fmt"
	"strings"
	"testing"
)

// all is the terminal's scrollback and its screen, a line a row.
func (p *person) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for y := range p.screen.ScrollbackLen() {
		var row strings.Builder
		for x := range p.screen.Width() {
			if c := p.screen.ScrollbackCellAt(x, y); c != nil {
				row.WriteString(c.Content)
			}
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return b.String() + p.screen.String()
}

// TestInlineLeavesTheConversationInTheScrollback: everything that was said and done stands in the terminal's own
// scrollback, once and in order, also with windows that change, a dialog, and a view that took the whole screen meanwhile.
func TestInlineLeavesTheConversationInTheScrollback(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var long []string
	for i := range 40 {
		long = append(long, fmt.Sprintf("Paragraph %d of it.", i))
	}
	d.write("a.txt", "alpha\n")
	d.model("reply\ntext \"" + strings.Join(long, `\n\n`) + "\"\n" +
		"reply\ntext Now I look.\ncall read_file {\"path\":\"a.txt\"}\nreply\ncall terminal {\"command\":\"echo went; echo ran > ran\"}\nreply\ntext All of it is done.\n")
	p := d.open("--inline")
	p.sees(ready)
	p.says("first question")
	p.sees("Paragraph 39 of it.", "Ready")
	p.resize(70, 30) // narrower alone: the emulator does not move its rows up, as a terminal does
	p.sees("Paragraph 39 of it.", ready)
	p.presses("\x18[")
	p.sees("q leave", "▸")
	p.presses("q")
	p.seesNo("q leave")
	p.says("second question")
	p.answers("Allow this command?", "y")
	p.sees("All of it is done.", "Ready")
	p.quits()
	p.sees("talaria --resume")
	all := p.all()
	at := 0
	for _, want := range append(append([]string{"first question"}, long...), "second question", "Now I look.", "Read a.txt", "echo went; echo ran > ran", "All of it is done.", "talaria --resume") {
		i := strings.Index(all[at:], want)
		if i < 0 {
			t.Fatalf("%q does not stand after what came before it:\n%s", want, all)
		}
		at += i + len(want)
	}
	for _, once := range append(long, "All of it is done.", "Now I look.") {
		if n := strings.Count(all, once); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", once, n, all)
		}
	}
	if n := strings.Count(p.written(), "\x1b[?1049h"); n != 1 { // browse mode alone
		t.Errorf("the alternate screen was used %d times", n)
	}
}

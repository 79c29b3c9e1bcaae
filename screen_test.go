package main

import (
	"os"
	"testing"
	"time"
)

// TestNothingHappensNothingIsWritten: an idle screen writes no byte for a minute (UX 4.12).
func TestNothingHappensNothingIsWritten(t *testing.T) {
	if os.Getenv("TALARIA_SOAK") == "" {
		t.Skip("it takes a minute; make soak runs it")
	}
	t.Parallel()
	d := newDesk(t)
	p := d.open("--demo")
	p.says("hello")
	p.sees("Ready")
	p.settles()
	quiet, before := time.Now(), p.written()
	if err := soon("the screen to come to rest", func() bool { // what the reply left to draw
		if now := p.written(); now != before {
			before, quiet = now, time.Now()
		}
		return time.Since(quiet) > 2*time.Second
	}); err != nil {
		t.Fatal(err)
	}
	<-time.After(time.Minute)
	if after := p.written(); after != before {
		t.Errorf("%d bytes were written while nothing happened: %q", len(after)-len(before), after[len(before):])
	}
	p.quits()
}

func TestKeysOfTheConfigurationWork(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("../talaria/config.yaml", quick+"ui:\n  keys: {help: [f5], sessions: [ctrl+o]}\n  status: [cost, mode, context]\n")
	p := d.open("--demo")
	p.sees("Ctrl+O is Sessions now; Expand / collapse keeps Ctrl+X o", "– │ ask │ ctx")
	p.presses("\x1b[15~") // F5
	p.sees("[Keys] Commands")
	p.presses(esc)
	p.seesNo("[Keys] Commands")
	p.presses("\x0f") // Ctrl+O
	p.sees("Search titles")
	p.presses(esc)
	p.seesNo("Search titles")
	p.quits()
}

func TestWhatRunsInTheBackgroundIsShownAndAskedAboutOnLeaving(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.w, d.h = 120, 36
	d.model("reply\ncall terminal {\"command\":\"echo $$ > server; exec sleep 600\",\"background\":true}\nreply\ntext It runs.\n")
	p := d.open("--yolo")
	p.sees(ready)
	p.says("start the server")
	pid := d.pidIn("server")
	p.sees("It runs.", "Background 1", "Ready")
	p.presses(ctrlD)
	p.sees("1 command runs in the background.  s stop and quit")
	p.presses(esc)
	p.seesNo("stop and quit")
	p.presses(ctrlD)
	p.sees("stop and quit")
	p.presses("s")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.restored()
	if err := soon("the server to end", func() bool { return !alive(pid) }); err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"talaria/engine/provider/providertest"
)

// flowing is a model that goes on speaking until it is told to end; pieces counts what it said.
func (d *desk) flowing() (end func()) {
	done := make(chan struct{})
	end = sync.OnceFunc(func() { close(done) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for n := 0; r.Context().Err() == nil; n++ {
			select {
			case <-done:
				fmt.Fprint(w, providertest.TXT("\n\nThis is the end.")+providertest.FIN("stop")+providertest.DONE)
				return
			case <-time.After(2 * time.Millisecond): // the pace of a fast model
			}
			fmt.Fprint(w, providertest.TXT(fmt.Sprintf("word%d 中文 👩‍👩‍👧 ", n)))
			_ = http.NewResponseController(w).Flush()
		}
	}))
	d.t.Cleanup(func() { end(); server.CloseClientConnections(); server.Close() })
	d.env = append(d.env, "TALARIA_BASE_URL="+server.URL, "TALARIA_MODEL=fast")
	return end
}

// repaints checks that what stands on the screen is what a full repaint draws. The first and the last row are left out:
// title and numbers may come later.
func (p *person) repaints() {
	p.t.Helper()
	body := func(screen string) string {
		rows := strings.Split(strings.TrimRight(screen, "\n"), "\n")
		return strings.Join(rows[1:max(1, len(rows)-1)], "\n")
	}
	before, after := "", ""
	for range 3 { // what was still on its way when it was looked at is no fault of the drawing
		p.stands()
		n := len(p.written())
		before = body(p.look())
		p.presses("\x0c")
		p.until("the screen to be drawn anew", func(string) bool { return len(p.written()) > n+500 })
		p.stands()
		if after = body(p.look()); after == before {
			return
		}
	}
	p.t.Errorf("a repaint draws something else. Before:\n%s\nafter:\n%s", before, after)
}

// stands waits until the program has drawn nothing for a while.
func (p *person) stands() {
	p.t.Helper()
	n, since := -1, time.Now()
	p.until("the screen to stand still", func(string) bool {
		if now := len(p.written()); now != n {
			n, since = now, time.Now()
		}
		return time.Since(since) > 300*time.Millisecond
	})
}

// TestAStormOfWindowSizesWhileAnAnswerStreams: somebody drags the edge of the window. The frame at the end is right.
func TestAStormOfWindowSizesWhileAnAnswerStreams(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	end := d.flowing()
	p := d.open()
	p.sees(ready)
	p.says("speak")
	p.sees("word9 ")
	p.presses("한글 draft")
	p.sees("한글 draft")
	random := rand.New(rand.NewPCG(6, 10))
	for range 400 { // the emulator stays as it is: frames of an older size would break it, which a terminal survives
		if err := pty.Setsize(p.pty, &pty.Winsize{Cols: uint16(1 + random.IntN(d.w)), Rows: uint16(1 + random.IntN(d.h))}); err != nil {
			t.Fatal(err)
		}
	}
	p.resize(d.w, d.h)
	p.sees("한글 draft", "Writing")
	end()
	p.sees("This is the end.", "Ready", "한글 draft")
	p.repaints()
	p.presses(ctrlC)
	p.until("an empty prompt", func(string) bool { return !strings.Contains(p.prompt(), "draft") })
	p.quits()
}

// TestCtrlZGivesTheTerminalBackAndFgTakesItAgain, while an answer comes: it is complete afterwards.
func TestCtrlZGivesTheTerminalBackAndFgTakesItAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	end := d.flowing()
	p := d.open()
	p.sees(ready)
	p.says("speak")
	p.sees("word9 ")
	p.presses("my draft")
	p.sees("my draft")
	for range 2 {
		n := len(p.written())
		p.presses("\x1a")
		p.until("the terminal's own settings", func(string) bool {
			now, err := term.GetState(p.tty.Fd())
			return err == nil && *now == *p.before
		})
		p.restored()
		quiet := len(p.written())
		if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		p.until("the screen to be taken again", func(string) bool { return strings.Contains(p.written()[quiet:], "\x1b[?1049h") })
		if strings.Contains(p.written()[n:quiet], "\x1b[?1049h") {
			t.Error("the screen was taken while the program was suspended")
		}
		p.sees("my draft", "Writing")
	}
	end()
	p.sees("This is the end.", "Ready", "my draft")
	p.repaints()
	p.presses(" goes on")
	p.sees("my draft goes on")
	p.presses(ctrlC)
	p.until("an empty prompt", func(string) bool { return !strings.Contains(p.prompt(), "draft") })
	p.quits()
}

// TestU03MarkersInsideAPasteSendNothing: what is pasted may hold the markers of a paste itself.
func TestU03MarkersInsideAPasteSendNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	m := d.model("reply again\ntext Yes.\n")
	p := d.open()
	p.sees(ready)
	for _, text := range []string{"one \x1b[200~two three", "one \x1b[201~two three\r", "one two\x1b[200~\x1b[200~ three\x1b[201~\r\x1b[201~", "one \x1b]52;c;eHg=\atwo\x1b[2J three"} {
		p.presses(paste(text))
		p.until("the text in the prompt", func(string) bool { return strings.Contains(p.prompt(), "one two three") })
		p.presses(".")
		p.until("the next key behind it", func(string) bool { return strings.Contains(p.prompt(), ".") })
		if n := len(m.requests()); n != 0 {
			t.Fatalf("%q was sent", text)
		}
		p.presses(strings.Repeat(backspace, 40)) // four Ctrl+C would end the program
		p.until("an empty prompt", func(string) bool { return strings.Contains(p.prompt(), ready) })
	}
	p.presses("\x1b[200~a paste whose end is lost")
	p.settles()
	// The first ends the paste and clears it, and the next finds an empty prompt.
	p.pressesUntil("a Ctrl+C to count", ctrlC, func(screen string) bool { return strings.Contains(screen, "Ctrl+C again to quit") })
	p.presses("x")
	p.until("a key", func(string) bool { return strings.Contains(p.prompt(), "x") })
	if strings.Contains(p.written(), "\x1b]52;") {
		t.Error("what was pasted reached the terminal as a sequence")
	}
}

// TestATerminalGetsOnlyTheColoursItSaysItHas: over ssh and inside screen nothing tells of true colours.
func TestATerminalGetsOnlyTheColoursItSaysItHas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env           []string
		full, indexed bool
	}{
		{[]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, true, false},
		{[]string{"TERM=xterm-256color", "SSH_CONNECTION=10.0.0.1 22 10.0.0.2 22"}, false, true},
		{[]string{"TERM=screen-256color", "STY=1.pts"}, false, true},
		{[]string{"TERM=screen"}, false, true}, // screen turns them into what its own terminal has
		{[]string{"TERM=linux"}, false, false},
	} {
		d := newDesk(t)
		d.silent = true // a terminal that answers may tell more
		d.model("reply\ntext \"It **works**: `code`\"\n")
		d.env = append(d.env, c.env...)
		p := d.open("does", "it", "work?")
		p.sees("It works", "Ready")
		p.quits()
		full, indexed := strings.Contains(p.written(), "8;2;"), strings.Contains(p.written(), "8;5;")
		if full != c.full || indexed != c.indexed {
			t.Errorf("%v: true colours %v, indexed %v", c.env, full, indexed)
		}
	}
}

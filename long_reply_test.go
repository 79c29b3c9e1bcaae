package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"talaria/engine/provider/providertest"
)

// worked is how much processor time the program has used, in hundredths of a second; false where that is not told.
func (p *person) worked() (int, bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system, true
}

// TestU11ALongAnswerCostsAsMuchAtItsEndAsAtItsStart: 100,000 lines of thought and a list of 1,200 lines in 4,000 pieces go
// through the whole program. The processor time of the last quarter is that of the second one, and a key is answered.
func TestU11ALongAnswerCostsAsMuchAtItsEndAsAtItsStart(t *testing.T) {
	if raced {
		t.Skip("processor time under the race detector is its own")
	}
	t.Parallel()
	const lines, quarters = 1200, 4
	next := make(chan struct{}) // one for each quarter
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		say := func(piece string) { io.WriteString(w, piece); _ = http.NewResponseController(w).Flush() }
		for range 100 {
			say(providertest.RSN(strings.Repeat("\n", 1000)))
		}
		var text strings.Builder
		for i := range lines {
			fmt.Fprintf(&text, "- item %d with `code` and **bold** text to wrap around the end of the line\n", i)
		}
		all := text.String()
		const pieces = 4000
		for i := range pieces {
			if i%(pieces/quarters) == 0 {
				select {
				case <-next:
				case <-r.Context().Done():
					return
				}
			}
			say(providertest.TXT(all[i*len(all)/pieces : (i+1)*len(all)/pieces]))
		}
		select {
		case <-next:
		case <-r.Context().Done():
		}
		say(providertest.FIN("stop") + providertest.DONE)
	}))
	d := newDesk(t)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	d.env = append(d.env, "TALARIA_BASE_URL="+server.URL+"/v1", "TALARIA_MODEL=long")
	p := d.open()
	p.sees(ready)
	p.says("list it all")
	var took []int
	told := true
	for q := 1; q <= quarters; q++ {
		before, ok := p.worked()
		next <- struct{}{}
		p.sees(fmt.Sprintf("item %d with", q*lines/quarters-2))
		after, _ := p.worked()
		took, told = append(took, after-before), told && ok
	}
	t.Logf("hundredths of a second of processor time in each quarter: %v", took)
	if told && took[3] > 3*took[1]+30 {
		t.Errorf("the quarters took %v hundredths of a second of processor time", took)
	}
	before, _ := p.worked()
	p.presses("xyzzy")
	p.until("what was typed to be shown", func(string) bool { return strings.Contains(p.prompt(), "xyzzy") })
	if after, _ := p.worked(); told && after-before > 40 {
		t.Errorf("five keys took %d hundredths of a second of processor time", after-before)
	}
	next <- struct{}{}
	p.sees("Ready")
	p.presses(strings.Repeat(backspace, 5))
	p.quits()
}

// TestU14ASilentTerminalIsDrawnInTheDefaultColours: nothing answers what is asked about colours and keys, and the screen
// is there and can be used.
func TestU14ASilentTerminalIsDrawnInTheDefaultColours(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.silent = true
	m := d.model("reply\ntext All is well.\n")
	p := d.open()
	p.sees(ready)
	if w := p.written(); !strings.Contains(w, "\x1b]11;?") || !strings.Contains(w, "38;2;") && !strings.Contains(w, "38;5;") {
		t.Errorf("the background was not asked for, or nothing has a colour: %q", w)
	}
	p.says("hi")
	m.asks(t, 1)
	p.sees("All is well.", "Ready")
	p.quits()
}

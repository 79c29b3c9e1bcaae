package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"talaria/engine/provider/providertest"
)

// talker is a model that answers at length, keeps a task list, and writes a checkpoint when it is asked for one.
type talker struct {
	mu        sync.Mutex
	answers   int
	summaries int
	last      string // the newest request of the conversation
}

func (m *talker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := string(body)
	m.mu.Lock()
	defer m.mu.Unlock()
	var pieces []string
	switch {
	case strings.Contains(text, "You write checkpoints"):
		m.summaries++
		pieces = []string{providertest.TXT("## Goal\nport the lexer to Go\n## Done\n1. much"), providertest.FIN("stop")}
	case strings.Contains(text, "You look through a piece"):
		pieces = []string{providertest.TXT("none"), providertest.FIN("stop")}
	case m.answers == 0 && !strings.Contains(text, `"role":"tool"`):
		args := `{\"todos\":[{\"id\":\"a\",\"content\":\"write the scanner\",\"status\":\"completed\"},{\"id\":\"b\",\"content\":\"write the fuzz target\",\"status\":\"in_progress\"}]}`
		pieces = []string{providertest.TC(`[{"index":0,"id":"t1","type":"function","function":{"name":"todo","arguments":"` + args + `"}}]`), providertest.FIN("tool_calls")}
	default:
		m.answers++
		m.last = text
		pieces = []string{providertest.TXT(fmt.Sprintf("Answer %d begins. %sAnswer %d ends.", m.answers, strings.Repeat("Some words of it. ", 260), m.answers)), providertest.FIN("stop")}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, strings.Join(pieces, "")+providertest.USE(len(text)/4, 100)+providertest.DONE)
}

func (m *talker) count() (answers, summaries int, last string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answers, m.summaries, m.last
}

// TestASessionPastItsWindowThreeTimesIsOneConversation: it keeps its goal, its tasks and its last answers, is one row for
// whoever looks for it, and is scrolled to its first message, also after a resume.
func TestASessionPastItsWindowThreeTimesIsOneConversation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.w, d.h = 120, 36
	d.write("../talaria/config.yaml", quick+"\nmodel: {context_window: 16000}\n")
	m := &talker{}
	server := httptest.NewServer(m)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	d.env = append(d.env, "TALARIA_BASE_URL="+server.URL+"/v1", "TALARIA_MODEL=talker")
	p := d.open("--yolo")
	p.sees(ready)
	p.says("please port the lexer to Go")
	p.sees("Answer 1 ends.", "Ready")
	turns := 1
	for summaries := 0; summaries < 3; _, summaries, _ = m.count() {
		if turns++; turns > 40 {
			t.Fatalf("compressed %d times in 40 turns", summaries)
		}
		p.says(fmt.Sprintf("request number %d", turns))
		p.sees(fmt.Sprintf("Answer %d ends.", turns), "Ready")
	}
	_, _, last := m.count()
	for _, want := range []string{"port the lexer to Go", "write the fuzz target", fmt.Sprintf("Answer %d begins.", turns-1), fmt.Sprintf("request number %d", turns)} {
		if !strings.Contains(last, want) {
			t.Errorf("the request after the third compression lacks %q", want)
		}
	}
	firstRow := func() {
		t.Helper()
		p.presses("\x1b[1;5H") // Ctrl+Home
		p.until("the first message at the top", func(screen string) bool {
			rows := strings.Split(screen, "\n")
			return strings.HasPrefix(rows[1], "❯ please port the lexer to Go") && strings.Contains(screen, "Answer 1 begins.")
		})
		p.presses("\x1b[1;5F")
		p.sees(fmt.Sprintf("Answer %d ends.", turns))
	}
	firstRow()
	p.quits()
	if all := d.listed(); len(all) != 1 {
		t.Errorf("%d sessions are listed, want one", len(all))
	}

	p = d.open("-c", "--yolo")
	p.sees(fmt.Sprintf("Answer %d ends.", turns), "write the fuzz target", ready)
	firstRow()
	p.presses("\x18/") // what is searched is looked for in all of it
	p.sees("Search")
	p.presses("Answer 2 begins")
	p.presses(enter)
	p.sees("Answer 2 begins.", "1 of 1")
	p.presses("q")
	p.seesNo("1 of 1")
	p.says("and on")
	p.sees(fmt.Sprintf("Answer %d ends.", turns+1), "Ready")
	p.quits()
}

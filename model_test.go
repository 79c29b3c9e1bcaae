package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"talaria/engine/provider/providertest"
)

// model is a fake chat-completions server. It plays the replies of a file in turn and keeps what it was asked.
//
// The file is a list of replies, each begun by a line "reply". The lines below it say what is sent:
//
//	text WORDS          visible text; a Go string in quotes may hold any bytes
//	think WORDS         reasoning_content
//	call NAME {JSON}    a whole tool call; ids are call_1, call_2, ... over the whole file
//	raw BYTES           these bytes (a Go string)
//	finish REASON       the finish_reason; without one it is stop, or tool_calls when calls were made
//	use IN OUT          usage
//	bare                no finish, no [DONE]: only what stands here
//	cut                 the connection is torn down instead of ended; implies bare
//	stall               nothing more is sent, and the connection stays open; implies bare
//	status N, type T, header NAME VALUE, body TEXT     an answer that is no stream
//
// "reply again" repeats for every further request. A request the file has no reply for gets a 500 that says so.
type model struct {
	*httptest.Server
	mu      sync.Mutex
	answers []providertest.Answer
	again   bool
	asked   []request
	calls   int
}

type request struct {
	path   string
	header http.Header
	body   any
}

func newModel(text string) (*model, error) {
	m := &model{}
	for _, block := range split(text) {
		a, err := m.answer(block)
		if err != nil {
			return nil, err
		}
		m.answers = append(m.answers, a)
	}
	m.Server = httptest.NewServer(m)
	return m, nil
}

// split cuts a file into the lines of each reply, its head line included.
func split(text string) (blocks [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case line == "reply" || line == "reply again":
			blocks = append(blocks, []string{line})
		case len(blocks) > 0:
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], strings.TrimSpace(line))
		}
	}
	return blocks
}

func (m *model) answer(lines []string) (providertest.Answer, error) {
	m.again = lines[0] == "reply again"
	a := providertest.Answer{Type: "text/event-stream", Header: http.Header{}}
	var body strings.Builder
	bare, finish, usage, called := false, "", providertest.USE(100, 10), 0
	for _, line := range lines[1:] {
		word, rest, _ := strings.Cut(line, " ")
		text := rest
		if strings.HasPrefix(rest, `"`) {
			unquoted, err := strconv.Unquote(rest)
			if err != nil {
				return a, fmt.Errorf("%q: %w", line, err)
			}
			text = unquoted
		}
		switch word {
		case "text":
			body.WriteString(providertest.TXT(text))
		case "think":
			body.WriteString(providertest.RSN(text))
		case "call":
			name, args, _ := strings.Cut(rest, " ")
			quoted, _ := json.Marshal(args) // a string always encodes
			m.calls++
			body.WriteString(providertest.TC(fmt.Sprintf(`[{"index":%d,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%s}}]`, called, m.calls, name, quoted)))
			called++
		case "raw":
			body.WriteString(text)
		case "finish":
			finish = text
		case "use":
			var in, out int
			if _, err := fmt.Sscan(rest, &in, &out); err != nil {
				return a, fmt.Errorf("%q: %w", line, err)
			}
			usage = providertest.USE(in, out)
		case "bare":
			bare = true
		case "cut":
			bare, a.Cut = true, true
		case "stall":
			bare, a.Stall = true, true
		case "status":
			n, err := strconv.Atoi(rest)
			if err != nil {
				return a, fmt.Errorf("%q: %w", line, err)
			}
			bare, a.Status = true, n
			if a.Type == "text/event-stream" {
				a.Type = "application/json"
			}
		case "type":
			bare, a.Type = true, rest
		case "header":
			name, value, _ := strings.Cut(rest, " ")
			a.Header.Add(name, value)
		case "body":
			body.WriteString(text)
		default:
			return a, fmt.Errorf("a reply has no line %q", line)
		}
	}
	if !bare {
		if finish == "" && called > 0 {
			finish = "tool_calls"
		} else if finish == "" {
			finish = "stop"
		}
		body.WriteString(providertest.FIN(finish) + usage + providertest.DONE)
	}
	a.Body = []byte(body.String())
	return a, nil
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body) // what could not be read is not JSON, and the story sees null
	var body any
	_ = json.Unmarshal(raw, &body)
	m.mu.Lock()
	n := len(m.asked)
	m.asked = append(m.asked, request{r.URL.Path, r.Header.Clone(), body})
	if m.again && n >= len(m.answers) {
		n = len(m.answers) - 1
	}
	a := providertest.JSON(500, `{"error":{"message":"the story has no reply for this request"}}`)
	if n < len(m.answers) {
		a = m.answers[n]
	}
	m.mu.Unlock()
	a.ServeHTTP(w, r)
}

// requests are those so far.
func (m *model) requests() []request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]request(nil), m.asked...)
}

// patience is how long a test waits for what must come. It is only spent when the test fails.
const patience = 60 * time.Second

// soon waits until ok is true; what says what was waited for.
func soon(what string, ok func() bool) error {
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if ok() {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("waited %v in vain: %s", patience, what)
		}
	}
}

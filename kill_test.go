package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/engine/core/past"
	"talaria/engine/provider/providertest"
	"talaria/store"
	"talaria/store/health"
	"talaria/store/journal"
)

// A token is a word that stands once in all lives: u7x was said, s7x steered, q7x queued, d7x left in the prompt, t7x printed
// by a tool, and e7x ends an answer.
var (
	lifeMarks = regexp.MustCompile(`\b[usqdte]\d+x\b`)
	lifeMarkN atomic.Int64
)

func lifeMark(kind string) string { return fmt.Sprintf("%s%dx", kind, lifeMarkN.Add(1)) }

// scribe is a model that does what it is told: the first word of the user's newest message is a command. It writes slowly,
// and notes every token that it was sent, since what a request holds was acknowledged before.
type scribe struct {
	*httptest.Server
	mu   sync.Mutex
	sent map[string]bool
	asks int
}

func newScribe(t *testing.T) *scribe {
	s := &scribe{sent: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *scribe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Tools    []any `json:"tools"`
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Messages) == 0 { // not a chat request: a model list, say
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(parts ...string) {
		for _, p := range parts {
			_, _ = io.WriteString(w, p)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(time.Duration(rand.IntN(12)) * time.Millisecond): // a model's pace
			}
		}
	}
	if len(body.Tools) == 0 { // a title or a summary
		for range 12 {
			say(providertest.TXT("All of it, "), providertest.TXT("in short, as it was said and done. "))
		}
		say(providertest.FIN("stop") + providertest.DONE)
		return
	}
	text, rounds := "", 0
	s.mu.Lock()
	for _, m := range body.Messages {
		c := plain(m.Content)
		for _, tok := range lifeMarks.FindAllString(c, -1) {
			s.sent[tok] = true
		}
		switch m.Role {
		case "user":
			text, rounds = c, 0
		case "tool":
			rounds++
			if strings.Contains(c, "never ran") {
				rounds-- // it is called again
			}
		}
	}
	s.asks++
	n := s.asks
	s.mu.Unlock()
	say(reply(text, rounds, n)...)
}

// reply is what the model says to text after so many rounds of tools; n makes the ids of calls unique.
func reply(text string, rounds, n int) []string {
	number := regexp.MustCompile(`\d+`).FindString(lifeMarks.FindString(text))
	end := []string{providertest.TXT(" e" + number + "x."), providertest.FIN("stop") + providertest.USE(3000, 30) + providertest.DONE}
	call := func(name, args string) []string {
		b, _ := json.Marshal(args) // a string always encodes
		return []string{providertest.TXT("Now a call."), providertest.TC(fmt.Sprintf(`[{"index":0,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%s}}]`, n, name, b)),
			providertest.FIN("tool_calls") + providertest.USE(3000, 30) + providertest.DONE}
	}
	switch {
	case strings.Contains(text, "tool ") && rounds == 0:
		return call("read_file", `{"path":"a.txt"}`)
	case strings.Contains(text, "tool ") && rounds < 3:
		return call("terminal", fmt.Sprintf(`{"command":"sleep 0.1; echo t%s%dx"}`, number, n))
	case strings.Contains(text, "ask ") && rounds == 0:
		return call("terminal", fmt.Sprintf(`{"command":"touch f%s"}`, number))
	}
	var out []string
	for i := range 20 { // long enough that a few of them fill the window
		out = append(out, providertest.TXT(fmt.Sprintf("word %d, %s", i, strings.Repeat("and some more of it, ", 8))))
	}
	return append(out, end...)
}

// window is one of the windows in the home: it has a directory, a model and sessions of its own.
type window struct {
	*desk
	model *scribe
	acked map[string]string // token: how it was acknowledged

	// what the last life left, as it must come back
	id        string
	draft     string
	waiting   []engine.Waiting
	open      bool // a permission was being asked for
	unstopped bool // the history ends with something that was not answered
	counts    map[string]int
}

// living is one life of the program.
type living struct {
	*person
	w      *window
	before map[string]bool // on the screen at the last look
	typed  string          // the draft
	since  time.Time       // that it stood in the prompt
}

// observe notes what the screen acknowledges: what stands outside the prompt in two looks running.
func (l *living) observe() string {
	screen := l.look()
	prompt := l.prompt()
	if prompt == "" {
		return screen
	}
	seen := map[string]bool{}
	for _, tok := range lifeMarks.FindAllString(screen, -1) {
		seen[tok] = !strings.Contains(prompt, tok)
	}
	ready := strings.Contains(screen, "Ready")
	for tok := range seen {
		if seen[tok] && l.before[tok] && (tok[0] == 'u' || tok[0] == 's' || tok[0] == 'q' || tok[0] == 'e' && ready) {
			l.w.acked[tok] = "it was on the screen"
		}
	}
	l.before = seen
	return screen
}

// until waits, and observes, until ok or the death of the program; false is death.
func (l *living) until(what string, ok func(screen string) bool) bool {
	for end := time.Now().Add(patience); ; {
		screen := l.observe()
		if ok(screen) {
			return true
		}
		select {
		case <-l.ended:
			return false
		case <-time.After(4 * time.Millisecond): // the pace of looking
		}
		if time.Now().After(end) {
			l.t.Errorf("waited %v in vain: %s\n%s", patience, what, screen)
			_ = l.cmd.Process.Kill()
			<-l.ended
			return false
		}
	}
}

func (l *living) shows(text string) bool {
	return l.until("the screen to show "+text, func(screen string) bool { return strings.Contains(screen, text) })
}

// sends types text and presses key until the prompt is free of it.
func (l *living) sends(text, key string) bool {
	if _, err := l.pty.WriteString(text); err != nil {
		return false
	}
	if !l.until(text+" in the prompt", func(string) bool { return strings.Contains(l.prompt(), text) }) {
		return false
	}
	next := time.Time{}
	return l.until(text+" to be sent", func(string) bool {
		if !strings.Contains(l.prompt(), text) {
			return true
		}
		if now := time.Now(); now.After(next) {
			_, _ = l.pty.WriteString(key)
			next = now.Add(guarded)
		}
		return false
	})
}

// rests waits for the end of the turn, and allows what is asked.
func (l *living) rests() bool {
	next := time.Time{}
	return l.until("the turn to end", func(screen string) bool {
		if strings.Contains(screen, "Allow this") && time.Now().After(next) {
			_, _ = l.pty.WriteString("y")
			next = time.Now().Add(guarded)
		}
		return strings.Contains(screen, "Ready") && !strings.Contains(screen, "Allow this")
	})
}

// goesOn looks for what the last life left, and goes on from it.
func (l *living) goesOn() bool {
	w := l.w
	if !l.until("the prompt and the model", func(string) bool {
		screen := l.look() // Enter before a model is known asks for one
		return strings.Contains(screen, "❯") && strings.Contains(screen, "scripted")
	}) {
		return false
	}
	if w.draft != "" && !l.until("the draft "+w.draft+" to come back", func(string) bool { return strings.Contains(l.prompt(), strings.Fields(w.draft)[0]) }) {
		return false
	}
	if strings.HasPrefix(w.draft, "/") { // half a command: it came back, and is of no use
		_, _ = l.pty.WriteString(strings.Repeat(backspace, len(w.draft)))
		// What an empty prompt says depends on how the last turn ended; what was typed is gone either way.
		if w.draft = ""; !l.until("an empty prompt", func(string) bool {
			return strings.Contains(l.prompt(), "Ask anything") || strings.Contains(l.prompt(), "Enter continues")
		}) {
			return false
		}
	}
	if n := len(w.waiting); n > 0 && !l.shows(lifeMarks.FindString(w.waiting[n-1].Text)) {
		return false
	}
	if w.open && !l.shows("nothing of it happened") {
		return false
	}
	if w.draft == "" && len(w.waiting) == 0 && !w.unstopped {
		return true
	}
	asked := w.model.count()
	next := time.Time{}
	if !l.until("the turn to go on", func(string) bool { // with the draft, or with what waits
		if now := time.Now(); now.After(next) {
			_, _ = l.pty.WriteString(enter)
			next = now.Add(guarded)
		}
		return w.model.count() > asked
	}) {
		return false
	}
	if w.open && w.draft == "" && len(w.waiting) == 0 {
		if !l.shows("Allow this command?") {
			return false
		}
		w.counts["asked again"]++
	}
	return l.rests()
}

func (s *scribe) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asks
}

// does plays one story; the program may die at any point of it.
func (l *living) does(story string) {
	switch story {
	case "draft":
		l.typed = "say " + lifeMark("d")
		_, _ = l.pty.WriteString(l.typed)
		if l.until("the draft in the prompt", func(string) bool { return strings.Contains(l.prompt(), l.typed) }) {
			l.since = time.Now()
		}
		l.until("the end", func(string) bool { return false })
	case "ask":
		if l.sends("ask "+lifeMark("u"), enter) && l.shows("Allow this command?") && rand.IntN(3) > 0 {
			l.until("the end", func(string) bool { return false })
		}
		l.rests()
	case "tool":
		if l.sends("tool "+lifeMark("u"), enter) && l.sends("mind "+lifeMark("s"), enter) && l.sends("say "+lifeMark("q"), "\t") {
			l.sends("mind "+lifeMark("s"), enter)
		}
		l.rests()
	case "compact":
		for l.sends("/compact", enter) && l.rests() && l.sends("say "+lifeMark("u"), enter) && l.rests() {
		}
	default:
		for l.sends("say "+lifeMark("u"), enter) && l.rests() {
		}
	}
}

// live opens the newest session in a terminal, does story, and is killed: span after the start, or span after it has gone on
// from where the last life ended, so that a slow machine does not only kill programs that start.
func (w *window) live(t *testing.T, story string, span time.Duration) {
	d := *w.desk
	d.t = t
	var args []string
	if w.id != "" {
		args = append(args, "-r", w.id)
	}
	if story != "ask" && !w.open {
		args = append(args, "--yolo")
	}
	l := &living{person: d.open(args...), w: w}
	kill := func() { _ = l.cmd.Process.Kill() }
	early := rand.IntN(3) == 0
	if early {
		time.AfterFunc(span, kill)
	}
	if l.goesOn() {
		w.counts["went on from where it was"]++
		if !early {
			time.AfterFunc(span, kill)
		}
		l.does(story)
	}
	<-l.ended
	if !l.since.IsZero() && time.Since(l.since) > 3*time.Second {
		w.acked[l.typed] = "it stood in the prompt for three seconds"
	}
}

// prints runs print mode, and kills it span after the start.
func (w *window) prints(t *testing.T, span time.Duration) {
	args := []string{"--output", "stream-json", "--yolo", "-p", "tool " + lifeMark("u")}
	if w.id != "" {
		args = append(args, "-r", w.id)
	}
	cmd := exec.Command(w.program, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		t.Fatalf("start print mode: %v", err)
	}
	time.AfterFunc(span, func() { _ = cmd.Process.Kill() })
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // a line without an end says nothing
		}
		if strings.Contains(line, `"type":"appended"`) {
			for _, tok := range lifeMarks.FindAllString(line, -1) {
				w.acked[tok] = "print mode told it"
			}
		}
	}
	_ = cmd.Wait()
}

// tear leaves half a record at the end of the newest journal, as a power cut does; kill -9 alone hardly ever does.
func (w *window) tear(t *testing.T) {
	if w.id == "" {
		return
	}
	path := journal.Path(w.home, w.id)
	lines := strings.Split(strings.TrimSpace(string(readFile(t, path))), "\n")
	last := lines[len(lines)-1]
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(last[:1+rand.IntN(len(last)-1)]); err != nil {
		t.Fatal(err)
	}
	w.counts["torn"]++
}

// heard reads the home as the next start does, and looks for everything that was acknowledged.
func (w *window) heard(t *testing.T) {
	st, err := store.Open(w.home)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ctx := t.Context()
	tip, err := st.Find(ctx, "", w.dir)
	w.id, w.draft, w.waiting, w.open, w.unstopped = tip.ID, "", nil, false, false
	if err != nil && tip.ID == "" {
		w.id = ""
	}
	have := map[string]bool{} // in messages, and in what waits
	compacted := 0
	files, _ := os.ReadDir(journal.Dir(w.home)) // none before the first session
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".jsonl")
		if !ok {
			continue
		}
		recs, err := st.Tail(ctx, id, 0)
		if err != nil {
			continue // not a session yet
		}
		for _, r := range recs {
			if e, ok := r.Event.(engine.CallEnded); ok { // its message may not have been written any more
				for _, tok := range lifeMarks.FindAllString(e.Result.Text, -1) {
					have[tok] = true
				}
			}
			if e, ok := r.Event.(engine.Appended); ok && !e.Message.Aside {
				text := e.Message.Text()
				for _, res := range e.Message.Results() {
					text += " " + res.Text
				}
				for _, call := range e.Message.Calls() {
					text += " " + call.Args
				}
				for _, tok := range lifeMarks.FindAllString(text, -1) {
					have[tok] = true
				}
			}
		}
		s := past.Restore(recs)
		for _, wait := range append(slices.Clone(s.Steers), s.Queued...) {
			have[lifeMarks.FindString(wait.Text)] = true
		}
		for _, r := range recs {
			if e, ok := r.Event.(engine.Compacted); ok && e.Child != "" {
				compacted++
			}
		}
		if id == w.id {
			w.waiting = append(slices.Clone(s.Queued), s.Steers...)
			w.open = len(s.Open) > 0
			if n := len(s.Messages); n > 0 {
				last := s.Messages[n-1]
				w.unstopped = last.Role != engine.RoleAssistant || len(last.Calls()) > 0
			}
		}
	}
	w.counts["compressions in the home"] = compacted
	if w.draft, err = st.Draft(ctx, w.dir, w.id); err != nil {
		t.Errorf("the draft: %v", err)
	}
	if w.open {
		w.counts["killed while a permission was asked for"]++
	}
	w.model.mu.Lock()
	for tok := range w.model.sent {
		if w.acked[tok] == "" {
			w.acked[tok] = "the model was sent it"
		}
	}
	w.model.mu.Unlock()
	for tok, how := range w.acked {
		name := lifeMarks.FindString(tok)
		if name[0] == 'd' && how[:2] == "it" { // a draft, or sent since
			if have[name] || strings.Contains(w.draft, name) {
				continue
			}
		}
		if !have[name] {
			t.Errorf("%q is lost: %s", tok, how)
			delete(w.acked, tok) // told once
		}
	}
}

// sound checks what the whole home is like while nobody has it: every journal is healed and whole, the database is sound
// and holds what they hold.
func sound(t *testing.T, home string) (torn int) {
	t.Helper()
	st, err := store.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.List(t.Context(), engine.Query{}); err != nil {
		t.Fatal(err)
	}
	whole := map[string]map[uint64]string{}
	files, err := os.ReadDir(journal.Dir(home))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".jsonl")
		if !ok {
			torn++ // a torn end that was kept aside
			continue
		}
		if l, err := st.Open(t.Context(), id); err == nil {
			l.Close()
		} else if info, _ := f.Info(); info.Size() > 0 && len(journal.Read(readFile(t, journal.Path(home, id))).Recs) > 0 {
			t.Errorf("session %s cannot be opened: %v", id, err)
		}
		s := journal.Read(readFile(t, journal.Path(home, id)))
		if len(s.Bad)+len(s.Torn) > 0 {
			t.Errorf("session %s: %d bad lines and %d torn bytes after an open", id, len(s.Bad), len(s.Torn))
		}
		whole[id] = map[uint64]string{}
		for i, e := range s.Recs {
			if e.Seq != uint64(i+1) {
				t.Errorf("session %s: record %d stands at place %d", id, e.Seq, i+1)
			}
			whole[id][e.Seq] = string(e.Body)
		}
	}
	db, err := bolt.Open(filepath.Join(home, "sessions.db"), 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	_ = db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("the database is damaged: %v", err)
		}
		for id, recs := range whole {
			n := 0
			if b := tx.Bucket([]byte("messages")).Bucket([]byte(id)); b != nil {
				n = b.Stats().KeyN
				_ = b.ForEach(func(k, v []byte) error {
					seq, _ := strconv.ParseUint(fmt.Sprintf("%x", k), 16, 64)
					if want := recs[seq]; v[0] == '{' && string(v) != want {
						t.Errorf("session %s, record %d: the database has %.80s, the journal %.80s", id, seq, v, want)
					}
					return nil
				})
			}
			if n != len(recs) {
				t.Errorf("session %s: %d records in the journal, %d in the database", id, len(recs), n)
			}
		}
		return nil
	})
	db.Close()
	var r health.Report // what doctor says
	health.Check(t.Context(), home, &r)
	for _, f := range r.Findings {
		if f.Level == health.Warning || f.Level == health.Fault {
			t.Errorf("doctor, %s: %s", f.Area, f.Text)
		}
	}
	return torn
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestKillAtAnyPointLosesNothing: two windows in one home, each with drafts, steers, a queue, tools, questions, compressing
// and print mode, are killed with -9 at random points, again and again. Every next life, in the real program, has what was
// acknowledged. TALARIA_SOAK sets the number of kills: make soak makes 500.
func TestKillAtAnyPointLosesNothing(t *testing.T) {
	kills := 4
	if os.Getenv("TALARIA_SOAK") != "" {
		kills = 500
		if n, err := strconv.Atoi(os.Getenv("TALARIA_KILLS")); err == nil {
			kills = n
		}
	} else {
		t.Parallel()
	}
	base := newDesk(t)
	base.write("../talaria/config.yaml", quick+"model: {context_window: 12000}\ncompression: {protect_first_n: 0, protect_last_n: 3}\n")
	stories := []string{"say", "draft", "tool", "ask", "tool", "compact", "compact", "print"}
	if one := os.Getenv("TALARIA_STORY"); one != "" {
		stories = []string{one}
	}
	var windows []*window
	for i := range 2 {
		d := *base
		d.dir = filepath.Join(filepath.Dir(base.dir), fmt.Sprintf("project%d", i))
		if err := os.MkdirAll(d.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		w := &window{desk: &d, model: newScribe(t), acked: map[string]string{}, counts: map[string]int{}}
		d.env = append(slices.Clone(d.env), "TALARIA_BASE_URL="+w.model.URL, "TALARIA_MODEL=scripted")
		d.write("a.txt", "alpha\n")
		windows = append(windows, w)
	}
	torn := 0
	for done := 0; done < kills && !t.Failed(); {
		part := min(kills-done, 50)
		var wait sync.WaitGroup
		for i, w := range windows {
			wait.Go(func() {
				for n := done + i; n < done+part; n += len(windows) {
					story := stories[rand.IntN(len(stories))]
					span := time.Duration(100+rand.IntN(2400)) * time.Millisecond
					if story == "draft" {
						span *= 2
					}
					t.Run(fmt.Sprintf("%d_%s_%d", n, story, span.Milliseconds()), func(t *testing.T) {
						switch story {
						case "print":
							w.prints(t, span)
						default:
							w.live(t, story, span)
						}
						w.heard(t)
						w.counts[story]++
						if rand.IntN(4) == 0 {
							w.tear(t)
						}
					})
				}
			})
		}
		wait.Wait()
		done += part
		torn = sound(t, base.home)
	}
	acked, compacted := 0, 0
	for i, w := range windows {
		compacted = max(compacted, w.counts["compressions in the home"])
		t.Logf("window %d: %d things acknowledged, the model was asked %d times, %v", i, len(w.acked), w.model.count(), slices.Sorted(maps.Keys(w.counts)))
		t.Logf("window %d: %v", i, w.counts)
		acked += len(w.acked)
	}
	if acked == 0 {
		t.Error("nothing was acknowledged: the test tested nothing")
	}
	if kills >= 100 && compacted == 0 {
		t.Error("no session was compressed: the test left that out")
	}
	t.Logf("%d kills; %d torn ends were cut and kept aside", kills, torn)
}

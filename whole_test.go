package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/provider/providertest"
	"talaria/store"
)

// first is how long it takes from the start of the program to a screen that holds text; the program is then ended.
func (d *desk) first(text string, args ...string) time.Duration {
	d.t.Helper()
	begun := time.Now()
	p := d.open(args...)
	took := p.shown(begun, 0, text)
	_ = p.cmd.Process.Kill()
	<-p.ended
	return took
}

// shown is the time since begun at which text stands in what was written after the first from bytes.
func (p *person) shown(begun time.Time, from int, text string) time.Duration {
	p.t.Helper()
	for end := begun.Add(3 * patience); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if w := p.written(); len(w) > from && strings.Contains(w[from:], text) {
			return time.Since(begun)
		}
	}
	p.t.Fatalf("%q was never shown:\n%s", text, p.look())
	return 0
}

// middle is the median.
func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkWholeStart starts the program, a bare one of the same toolkit, and one of bubbletea alone in turn: to the first
// frame.
func BenchmarkWholeStart(b *testing.B) {
	d := newDesk(b)
	build := func(name string, args ...string) *desk {
		one := *d
		one.program = filepath.Join(binary, name)
		if out, err := exec.Command("go", append(append([]string{"build", "-o", one.program}, args...), "./testdata/bench/bare")...).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return &one
	}
	bare, tea := build("bare", "-tags", "glamour"), build("tea")
	d.env = append(d.env, "TALARIA_BASE_URL=http://127.0.0.1:9/v1", "TALARIA_MODEL=none")
	var ours, bares, teas []time.Duration
	for b.Loop() {
		for range 15 {
			ours, bares, teas = append(ours, d.first("❯")), append(bares, bare.first("Ask")), append(teas, tea.first("Ask"))
		}
	}
	b.ReportMetric(ms(middle(ours)), "talaria-ms")
	b.ReportMetric(ms(middle(bares)), "bare-ms")
	b.ReportMetric(ms(middle(teas)), "tea-ms")
	b.ReportMetric(float64(middle(ours))/float64(middle(bares)), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkWholeSilentStart starts the program in a terminal that answers questions, and in one that answers none, in turn.
func BenchmarkWholeSilentStart(b *testing.B) {
	d := newDesk(b)
	d.env = append(d.env, "TALARIA_BASE_URL=http://127.0.0.1:9/v1", "TALARIA_MODEL=none")
	silent := *d
	silent.silent = true
	var answered, alone []time.Duration
	for b.Loop() {
		for range 9 {
			answered, alone = append(answered, d.first("❯")), append(alone, silent.first("❯"))
		}
	}
	b.ReportMetric(ms(middle(answered)), "answered-ms")
	b.ReportMetric(ms(middle(alone)), "silent-ms")
	b.ReportMetric(ms(middle(alone)-middle(answered)), "delay-ms") // U14: under 200
	b.ReportMetric(0, "ns/op")
}

// BenchmarkWholeKeys types while an answer streams at 200 tokens a second: from a key to its letter on the screen.
func BenchmarkWholeKeys(b *testing.B) {
	d := newDesk(b)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			fmt.Fprint(w, providertest.TXT("word "))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(5 * time.Millisecond) // the pace of a fast model
		}
	}))
	b.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	d.env = append(d.env, "TALARIA_BASE_URL="+server.URL, "TALARIA_MODEL=fast")
	p := d.open()
	p.sees(ready)
	p.says("go on for ever")
	p.sees("word word")
	letters := []rune("абвгдежзийклмнопрстуфхцчшщыэюя")
	var all []time.Duration
	begun, before := time.Now(), len(p.written())
	for b.Loop() {
		for i := range 60 {
			key := string(letters[i%len(letters)])
			from, at := len(p.written()), time.Now()
			p.presses(key)
			all = append(all, p.shown(at, from, key))
		}
		p.presses(strings.Repeat(backspace, 60))
		p.until("an empty prompt", func(string) bool { return !strings.ContainsAny(p.prompt(), string(letters)) })
	}
	slices.Sort(all)
	b.ReportMetric(ms(all[len(all)/2]), "median-ms")
	b.ReportMetric(ms(all[len(all)*95/100]), "p95-ms")
	b.ReportMetric(float64(len(p.written())-before)/time.Since(begun).Seconds()/30, "B/frame") // at most 30 frames a second
	b.ReportMetric(0, "ns/op")
}

// filled stores a session of n messages in the home of d and returns its id.
func (d *desk) filled(st engine.Store, n int) string {
	d.t.Helper()
	l, err := st.Create(d.t.Context(), engine.Session{Dir: d.dir, Title: fmt.Sprintf("a session of %d", n)})
	if err != nil {
		d.t.Fatal(err)
	}
	defer l.Close()
	var recs []engine.Record
	at := time.Now().Add(-time.Hour)
	for i := range n {
		m := engine.UserMessage(fmt.Sprintf("question %d: %s", i, strings.Repeat("word ", 40)), at)
		if i%2 == 1 {
			m.Role = engine.RoleAssistant
		}
		recs = append(recs, engine.Record{At: at, Event: engine.Appended{Message: m}})
	}
	if err := l.Append(d.t.Context(), recs...); err != nil {
		d.t.Fatal(err)
	}
	if err := l.Fold(d.t.Context(), func(s *engine.Session) { s.Messages = n }); err != nil {
		d.t.Fatal(err)
	}
	return l.Session().ID
}

// resident is how much memory a process holds, in MB.
func (p *person) resident() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	if err != nil {
		return 0 // not on this system
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	return float64(pages*os.Getpagesize()) / (1 << 20)
}

// BenchmarkWholeLongSession opens a session of 10,000 messages, resizes it, and pastes a megabyte into its prompt. Memory
// is told beside that of an empty session.
func BenchmarkWholeLongSession(b *testing.B) {
	d := newDesk(b)
	d.env = append(d.env, "TALARIA_BASE_URL=http://127.0.0.1:9/v1", "TALARIA_MODEL=none")
	st, err := store.Open(d.home)
	if err != nil {
		b.Fatal(err)
	}
	id := d.filled(st, 10_000)
	st.Close()
	empty := d.open()
	empty.sees(ready)
	b.ReportMetric(empty.resident(), "empty-MB")
	var opens, plainStarts, steps, pastes []time.Duration
	memory, worked := 0.0, 0
	for b.Loop() {
		for range 5 {
			plainStarts = append(plainStarts, d.first("❯"))
			begun := time.Now()
			p := d.open("-r", id)
			opens = append(opens, p.shown(begun, 0, "question 9999"))
			worked, _ = p.worked()
			p.sees("Ready")
			memory = p.resident()
			for i, w := range []int{90, 110, 80, 100} {
				from, at := len(p.written()), time.Now()
				p.resize(w, 30+i%2)
				steps = append(steps, p.shown(at, from, "question 9999"))
			}
			from, at := len(p.written()), time.Now()
			go p.pty.WriteString(paste(strings.Repeat("0123456789", 100_000)))
			pastes = append(pastes, p.shown(at, from, "Pasted"))
			_ = p.cmd.Process.Kill()
			<-p.ended
		}
	}
	b.ReportMetric(ms(middle(opens)), "open-ms")
	b.ReportMetric(ms(middle(opens)-middle(plainStarts)), "open-less-start-ms")
	b.ReportMetric(float64(10*worked), "open-cpu-ms")
	b.ReportMetric(ms(middle(steps)), "resize-ms")
	b.ReportMetric(ms(middle(pastes)), "paste-1MB-ms")
	b.ReportMetric(memory, "MB")
	b.ReportMetric(0, "ns/op")
}

// TestSoakABigHomeStartsAsAnEmptyOne: 10,000 sessions and 1,000,000 messages do not make a start slower, and deleting them
// gives the space back.
func TestSoakABigHomeStartsAsAnEmptyOne(t *testing.T) {
	if os.Getenv("TALARIA_SOAK") == "" {
		t.Skip("it takes minutes; make soak runs it")
	}
	sessions := 10_000
	if n, err := strconv.Atoi(os.Getenv("TALARIA_SESSIONS")); err == nil {
		sessions = n
	}
	d, none := newDesk(t), newDesk(t)
	for _, desk := range []*desk{d, none} {
		desk.env = append(desk.env, "TALARIA_BASE_URL=http://127.0.0.1:9/v1", "TALARIA_MODEL=none")
	}
	st, err := store.Open(d.home)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	begun, old := time.Now(), time.Time{}
	for i := range sessions {
		if i == sessions*9/10 {
			old = time.Now()
		}
		d.filled(st, 100)
	}
	t.Logf("%d sessions of 100 messages written in %v; the database has %d MB", sessions, time.Since(begun).Round(time.Second), d.megabytes("sessions.db"))
	ratio := 0.0
	for try := 1; try <= 3 && (try == 1 || ratio > 1.2); try++ { // the machine may be busy with other things
		var big, small []time.Duration
		for range 15 {
			big, small = append(big, d.first("❯")), append(small, none.first("❯"))
		}
		ratio = float64(middle(big)) / float64(middle(small))
		t.Logf("to the first frame: %v, with an empty home %v, ratio %.2f", middle(big), middle(small), ratio)
	}
	if ratio > 1.2 {
		t.Errorf("a start takes %.2f times that of an empty home, at most 1.2 allowed", ratio)
	}
	before, index := d.megabytes("sessions.db"), d.megabytes("search")
	begun = time.Now()
	if gone, err := st.(store.Pruner).Prune(t.Context(), old); err != nil || len(gone) != sessions*9/10 {
		t.Fatalf("%d sessions were deleted: %v", len(gone), err)
	}
	t.Logf("nine of ten deleted in %v", time.Since(begun).Round(time.Second))
	for end := time.Now().Add(10 * time.Minute); ; time.Sleep(100 * time.Millisecond) { // the index is brought up beside
		db, words := d.megabytes("sessions.db"), d.megabytes("search")
		if fits := max(before/2, 64); db <= fits && words <= max(index/2, 8) {
			t.Logf("%v after the begin the database went from %d MB to %d MB, and the search index from %d MB to %d MB",
				time.Since(begun).Round(time.Second), before, db, index, words)
			return
		}
		if time.Now().After(end) {
			t.Fatalf("nine tenths were deleted: the database has %d of %d MB, and the search index %d of %d MB", db, before, words, index)
		}
	}
}

// megabytes is the size of a file in the home, or of all files in a folder of it.
func (d *desk) megabytes(name string) int64 {
	n := int64(0)
	_ = filepath.WalkDir(filepath.Join(d.home, name), func(_ string, f fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone meanwhile
		}
		if info, err := f.Info(); err == nil && !f.IsDir() {
			n += info.Size()
		}
		return nil
	})
	return n >> 20
}

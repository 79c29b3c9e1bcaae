package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/engine/core/dial"
	"talaria/engine/provider/providertest"
	"talaria/store"
)

// cutReply is a reply that is cut. A call in it writes marker; when the model says the reply again it writes proof.
type cutReply struct {
	name string
	said said
}

const (
	marker, proof = "marker.txt", "proof.txt"
	ending        = "All is written – fertig."
)

// cutText has no words twice, so that a model which goes on in the middle of one is joined to it without a doubt.
const cutText = "Die Größe is «checked» – naïvely, with 日本."

func cutReplies() []cutReply {
	write := []engine.Call{{ID: "call_cut", Name: "write_file", Args: args(obj{"path": marker, "content": "ok\n"})}}
	return []cutReply{
		{"text", said{Text: cutText}},
		{"text and a call", said{Text: cutText, Calls: write}},
		{"thinking and a call", said{Thought: "Let me «write» it.", Seal: "c2VhbA+/==", Calls: write}},
	}
}

// misfortune is a server that dies after so many bytes of its first reply. A reset tears the connection down, otherwise
// it ends as if the reply were whole. Dead servers never answer again; others say the rest, or all of it anew.
type misfortune struct {
	s     speaker
	x     said
	at    int
	reset bool
	dead  bool
	mute  bool // says nothing at all when it is to go on from a text that is whole
	asked int
	odd   []string // what the server could not make sense of
}

func (m *misfortune) whole() []byte { return providertest.Bytes(m.s.reply("m", m.x)...) }

// next answers a request; only one is under way at a time.
func (m *misfortune) next(body []byte) http.Handler {
	n := m.asked
	m.asked++
	read := m.s.read(body)
	if faults := read.wrong(); len(faults) > 0 {
		m.odd = append(m.odd, fmt.Sprintf("request %d: %v in %s", n+1, faults, body))
	}
	if n == 0 {
		return closing{providertest.Answer{Type: m.s.kind, Body: m.whole()[:m.at], Cut: m.reset}}
	}
	if m.dead {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	}
	turns := read.Turns
	last := turns[len(turns)-1]
	if last.Role == "tool" {
		return closing{m.s.answer("m", said{Text: ending})}
	}
	x := m.x
	x.Calls = nil
	for _, c := range m.x.Calls {
		c.ID, c.Args = "call_again", strings.Replace(c.Args, marker, proof, 1)
		x.Calls = append(x.Calls, c)
	}
	if len(turns) >= 3 && turns[len(turns)-2].Role == "assistant" {
		kept := turns[len(turns)-2].Text
		rest, ok := strings.CutPrefix(m.x.Text, kept)
		if !ok {
			m.odd = append(m.odd, fmt.Sprintf("request %d: the model is shown as its own words %q", n+1, kept))
		}
		x.Text, x.Thought = rest, ""
		if rest == "" && len(x.Calls) == 0 {
			x.Text = kept // nothing is left to say: some models begin anew then
		}
		if rest == "" && m.mute {
			x.Text = ""
		}
	}
	return closing{m.s.answer("m", x)}
}

// closing leaves no connection behind: a test makes thousands.
type closing struct{ a providertest.Answer }

func (c closing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	io.Copy(io.Discard, r.Body)
	c.a.ServeHTTP(w, r)
}

// ended is the place in a whole reply from which on it may be taken for whole, and that from which on it must be: a
// missing blank line at the end of an event is forgiven where the body ends well.
func (m *misfortune) ended() (may, must int) {
	pieces := m.s.reply("m", m.x)
	for _, p := range pieces[:len(pieces)-m.s.tail] {
		must += len(p)
	}
	if may = must; m.s.mode != engine.BedrockConverse {
		may -= len("\n\n")
	}
	return may, must
}

// lived is how a turn went.
type lived struct {
	outcome  engine.Outcome
	shown    string // the most visible text that stood on the screen during the first reply
	replied  bool
	asides   string // text of asides in the session
	ran      []string
	messages []engine.Message
}

// life is a real engine with its tools and its stack, in this process.
type life struct {
	t    *testing.T
	core *core.Core
	dir  string
}

func newLife(t *testing.T, resolver config.Resolver) *life { return lifeWith(t, resolver, "Be brief.") }

// newBuiltLife is a life with the prompt that the program builds, in a directory that is trusted.
func newBuiltLife(t *testing.T, resolver config.Resolver) *life { return lifeWith(t, resolver, "") }

func lifeWith(t *testing.T, resolver config.Resolver, system string) *life {
	root := t.TempDir()
	l := &life{t: t, dir: filepath.Join(root, "project")}
	if err := os.Mkdir(l.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c, err := core.Start(ctx, core.Deps{Store: store.NewMemory(), Resolver: resolver, Dir: l.dir, Mode: "auto", System: system, Trusted: system == "",
		Paths: config.PathsFor(func(k string) string { return map[string]string{"TALARIA_HOME": root}[k] }, root)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-c.Done() })
	l.core = c
	return l
}

// turn has the model write it, in a new session and an empty directory.
func (l *life) turn() (r lived) {
	l.t.Helper()
	for _, name := range []string{marker, proof} {
		if err := os.Remove(filepath.Join(l.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			l.t.Fatal(err)
		}
	}
	l.core.Do(engine.Open{})
	return l.say("write it")
}

// say has the model answer text in the session that is open.
func (l *life) say(text string) (r lived) {
	l.t.Helper()
	l.core.Do(engine.Submit{Text: text})
	var fold engine.Fold
	clock := time.NewTimer(patience)
	defer clock.Stop()
	for {
		select {
		case e := <-l.core.Events():
			if d, ok := e.(engine.Streamed); ok {
				fold.Add(d.Delta)
				r.see(&fold)
			}
			if b, ok := e.(engine.CallBegan); ok {
				r.ran = append(r.ran, b.Call.Args)
			}
			if a, ok := e.(engine.Appended); ok {
				r.add(a.Message, &fold)
			}
			if end, ok := e.(engine.Ended); ok {
				r.outcome = end.Outcome
				return r
			}
		case <-clock.C:
			l.t.Fatalf("the turn hangs: it did not end within %v", patience)
		}
	}
}

func (r *lived) add(m engine.Message, fold *engine.Fold) {
	r.messages = append(r.messages, m)
	if m.Aside {
		r.asides += m.Text()
	}
	if m.Role == engine.RoleAssistant {
		*fold, r.replied = engine.Fold{}, true
	}
}

func (r *lived) see(fold *engine.Fold) {
	if text := fold.Message(time.Time{}).Text(); !r.replied && len(text) > len(r.shown) {
		r.shown = text
	}
}

// settingsFor is the configuration of a stack of s at url.
func settingsFor(t *testing.T, s speaker, url string) config.Resolver {
	t.Helper()
	cat := dial.Catalogue()
	values := []config.Value{{Key: "model.base_url", Text: url}, {Key: "model.name", Text: "m"}, {Key: "model.api_mode", Text: string(s.mode)},
		{Key: "retry.base_seconds", Text: "0.001"}, {Key: "retry.max_seconds", Text: "0.002"}}
	cfg, origins, _, err := config.Load(config.Values(config.Flag, cat, values))
	if err != nil {
		t.Fatal(err)
	}
	return config.Resolver{Config: cfg, Origins: origins, Catalogue: cat, Getenv: func(string) string { return "" }}
}

// steps are the places at which a reply is cut: every so many bytes, and around its end.
func steps(m *misfortune, every int) (all []int) {
	size, seen := len(m.whole()), map[int]bool{}
	add := func(n int) {
		if n >= 0 && n <= size && !seen[n] {
			seen[n], all = true, append(all, n)
		}
	}
	for n := 0; n <= size; n += every {
		add(n)
	}
	may, must := m.ended()
	for n := may - 3; n <= must+3; n++ {
		add(n)
	}
	return all
}

// every is how many bytes lie between two cuts. TALARIA_SOAK cuts at every byte, in both ways: ten minutes on two cores, forty
// beside other work, so it wants -run AnyByte -timeout 60m.
func every() int {
	switch {
	case os.Getenv("TALARIA_SOAK") != "":
		return 1
	case raced || testing.Short():
		return 101
	}
	return 53
}

func TestAServerKilledAtAnyByteLosesNothingAndRunsNoHalfCall(t *testing.T) {
	keepAWSOut(t)
	for _, s := range speakers {
		for _, r := range cutReplies() {
			t.Run(string(s.mode)+", "+r.name, func(t *testing.T) {
				t.Parallel()
				var now atomic.Pointer[misfortune]
				server := newStation(t, func(_ int, body []byte) http.Handler { return now.Load().next(body) })
				server.forget = true
				l := newLife(t, settingsFor(t, s, server.URL))
				for i, at := range steps(&misfortune{s: s, x: r.said}, every()) {
					for way := range 4 {
						reset, dead := way&1 == 0, way&2 == 0
						if every() > 1 && reset != (i%2 == 0) {
							continue // one ending of the body each, by turns
						}
						m := &misfortune{s: s, x: r.said, at: at, reset: reset, dead: dead}
						now.Store(m)
						m.judge(t, l.turn(), l.dir)
					}
				}
			})
		}
	}
}

// judge says whether a turn went as it must.
func (m *misfortune) judge(t *testing.T, l lived, dir string) {
	t.Helper()
	wrong := func(format string, args ...any) {
		t.Helper()
		t.Errorf("cut at %d of %d (reset %v, dead %v): %s\n%s", m.at, len(m.whole()), m.reset, m.dead, fmt.Sprintf(format, args...), js(l.outcome))
	}
	may, must := m.ended()
	for _, o := range m.odd {
		wrong("%s", o)
	}
	marked, proved := exists(filepath.Join(dir, marker)), exists(filepath.Join(dir, proof))
	for _, args := range l.ran {
		if !json.Valid([]byte(args)) {
			wrong("half a call was run: %s", args)
		}
	}
	if marked && m.at < may {
		wrong("a call of a reply that was cut was run: %v", l.ran)
	}
	if marked && proved || len(l.ran) > 1 {
		wrong("the call was run twice: %v", l.ran)
	}
	o := l.outcome
	if o.Exit == engine.ExitFinished && strings.TrimSpace(o.Final) == "" {
		wrong("an empty success")
	}
	want := m.x.Text
	if len(m.x.Calls) > 0 {
		want = ending
	}
	switch {
	case !m.dead || m.at >= must && len(m.x.Calls) == 0:
		if o.Exit != engine.ExitFinished || o.Final != want {
			wrong("the turn ended %s with %q, want %q", o.Exit, o.Final, want)
		}
		if len(m.x.Calls) > 0 && marked == proved {
			wrong("marker %v, proof %v", marked, proved)
		}
		if m.at < may && m.asked < 2 {
			wrong("%d requests", m.asked)
		}
		for _, msg := range l.messages { // the reply with the call holds all of its text
			if len(msg.Calls()) > 0 && msg.Text() != m.x.Text {
				wrong("the reply with the call says %q", msg.Text())
			}
		}
	case m.at >= may && len(m.x.Calls) == 0 && o.Exit == engine.ExitFinished:
		if o.Final != want {
			wrong("%q is not %q", o.Final, want)
		}
	default:
		if o.Exit != engine.ExitFailed || o.Err == nil || o.Completed {
			wrong("it ended %s", o.Exit)
			return
		}
		if m.at < may {
			if !strings.HasPrefix(m.x.Text, o.Final) || !strings.HasPrefix(o.Final, l.shown) || o.Final != l.asides {
				wrong("shown was %q, the aside holds %q, the final response %q", l.shown, l.asides, o.Final)
			}
			if sent := m.sent(); len(m.x.Calls) == 0 && o.Final != sent {
				wrong("%q was sent, %q is kept", sent, o.Final)
			}
		}
	}
}

func TestAModelThatHasNothingToAddToItsWholeTextHasAnswered(t *testing.T) {
	keepAWSOut(t)
	for _, s := range speakers {
		m := &misfortune{s: s, x: said{Text: cutText}, mute: true, reset: true}
		_, m.at = m.ended()
		m.at -= len(s.reply("m", m.x)[len(s.reply("m", m.x))-1-s.tail]) // all of the text went out, and nothing of the end
		server := newStation(t, func(_ int, body []byte) http.Handler { return m.next(body) })
		l := newLife(t, settingsFor(t, s, server.URL)).turn()
		if l.outcome.Exit != engine.ExitFinished || l.outcome.Final != cutText || len(m.odd) > 0 {
			t.Errorf("%s: %d requests, %v: %s", s.mode, m.asked, m.odd, js(l.outcome))
		}
	}
}

// sent is the text of the pieces that went out whole.
func (m *misfortune) sent() string {
	pieces, size, text := m.s.reply("m", m.x), 0, ""
	rest := tokens(m.x.Text)
	// a piece holds the next token when it is that of a text: rendering the reply with one token less shows which
	for _, p := range pieces {
		if size += len(p); size > m.at && !(size-2 <= m.at && !m.reset && m.s.mode != engine.BedrockConverse) {
			break
		}
		if len(rest) > 0 && m.isText(p, rest[0]) {
			text, rest = text+rest[0], rest[1:]
		}
	}
	return text
}

// isText reports whether a piece brings this token of the visible text.
func (m *misfortune) isText(piece, token string) bool {
	quoted := js(token)
	switch m.s.mode {
	case engine.ChatCompletions:
		return strings.Contains(piece, `{"content":`+quoted+`}`)
	case engine.CodexResponses:
		return strings.Contains(piece, "output_text.delta") && strings.Contains(piece, `"delta":`+quoted)
	case engine.AnthropicMessages:
		return strings.Contains(piece, `{"text":`+quoted+`,"type":"text_delta"}`)
	case engine.BedrockConverse:
		return strings.Contains(piece, `"delta":{"text":`+quoted+`}`)
	}
	return false
}

// keepAWSOut keeps the developer's own AWS settings out of a test in this process.
func keepAWSOut(t *testing.T) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
}

func TestTheProgramSurvivesAServerThatIsKilledInTheMiddle(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	for _, s := range speakers {
		for _, r := range cutReplies() {
			t.Run(string(s.mode)+", "+r.name, func(t *testing.T) {
				t.Parallel()
				size := len((&misfortune{s: s, x: r.said}).whole())
				for i, at := range []int{size / 4, size * 3 / 5, size * 9 / 10} {
					m := &misfortune{s: s, x: r.said, at: at, reset: i%2 == 0, dead: i == 1}
					server := newStation(t, func(_ int, body []byte) http.Handler { return m.next(body) })
					p := newPlace(t, "retry: {base_seconds: 0.001, max_seconds: 0.002}\n")
					code, stdout, stderr := p.run("-p", "write it", "--api-mode", string(s.mode), "--base-url", server.URL, "-m", "m", "--mode", "auto", "--output", "json")
					got := readReport(t, stdout)
					marked := exists(filepath.Join(p.project, marker))
					want := r.said.Text
					if len(r.said.Calls) > 0 {
						want = ending
					}
					switch {
					case len(m.odd) > 0:
						t.Errorf("cut at %d: %v", at, m.odd)
					case marked:
						t.Errorf("cut at %d of %d: a call that was cut was run", at, size)
					case m.dead && (code == 0 || got.Exit != engine.ExitFailed || got.Error == nil || !strings.HasPrefix(r.said.Text, got.Final) || len(got.Messages) != 2):
						t.Errorf("cut at %d: exit %d: %s%s", at, code, stdout, stderr)
					case m.dead && len(r.said.Calls) == 0 && got.Final != m.sent():
						t.Errorf("cut at %d: %q was shown, %q is kept", at, m.sent(), got.Final)
					case m.dead && got.Final != "" && !keptInSession(t, p, got.SessionID, got.Final):
						t.Errorf("cut at %d: the session does not hold %q", at, got.Final)
					case !m.dead && (code != 0 || got.Final != want):
						t.Errorf("cut at %d: exit %d, final response %q: %s", at, code, got.Final, stderr)
					case !m.dead && len(r.said.Calls) > 0 && !exists(filepath.Join(p.project, proof)):
						t.Errorf("cut at %d: the call was not made: %s", at, stdout)
					}
				}
			})
		}
	}
}

// keptInSession reports whether the session on disk holds text in an aside.
func keptInSession(t *testing.T, p place, id, text string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(p.own, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.Contains(path, id) || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		b, err := os.ReadFile(path)
		for line := range strings.Lines(string(b)) {
			r, derr := engine.DecodeRecord([]byte(strings.TrimSpace(line)))
			a, ok := r.Event.(engine.Appended)
			found = found || derr == nil && ok && a.Message.Aside && a.Message.Text() == text
		}
		return errors.Join(err)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

package core_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core"
	"talaria/engine/core/dial"
	"talaria/engine/provider/providertest"
	"talaria/store"
)

// wait is how long a story may take before it counts as hung.
const wait = 60 * time.Second

// story is an engine with a scripted model and everything it told.
type story struct {
	t      *testing.T
	core   *core.Core
	model  *providertest.Script
	store  engine.Store
	deps   core.Deps
	end    context.CancelFunc
	mu     sync.Mutex
	events []engine.Event
	more   chan struct{}
	closed chan struct{}
}

func settings(t *testing.T, values ...config.Value) config.Resolver {
	t.Helper()
	cat := dial.Catalogue()
	all := append([]config.Value{{Key: "model.provider", Text: "demo"}, {Key: "model.name", Text: "offline"}}, values...)
	cfg, origins, _, err := config.Load(config.Values(config.User, cat, all))
	if err != nil {
		t.Fatal(err)
	}
	return config.Resolver{Config: cfg, Origins: origins, Catalogue: cat, Getenv: func(string) string { return "" }}
}

func newStory(t *testing.T, steps ...providertest.Step) *story {
	home := t.TempDir()
	s := &story{t: t, model: providertest.Scripted(steps...), store: store.NewMemory()}
	s.deps = core.Deps{Store: s.store, Resolver: settings(t), Dir: t.TempDir(), Attended: true,
		Paths: config.PathsFor(func(k string) string { return map[string]string{"TALARIA_HOME": home}[k] }, home),
		Build: func(config.Resolved) (engine.Provider, error) { return s.model, nil }}
	return s
}

// start runs the engine, on the session given.
func (s *story) start(session string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.deps.Resume = session
	c, err := core.Start(ctx, s.deps)
	if err != nil {
		cancel()
		s.t.Fatal(err)
	}
	s.core, s.end, s.events, s.more, s.closed = c, cancel, nil, make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(s.closed)
		for e := range c.Events() {
			s.mu.Lock()
			s.events = append(s.events, e)
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
		}
	}()
	s.t.Cleanup(s.stop)
}

func (s *story) stop() {
	s.end()
	select {
	case <-s.core.Done():
	case <-time.After(wait):
		s.t.Fatal("the engine did not end")
	}
	<-s.closed
}

func (s *story) told() []engine.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]engine.Event(nil), s.events...)
}

// until waits for an event that fits and returns it.
func until[E engine.Event](s *story, fits func(E) bool) E {
	s.t.Helper()
	deadline := time.After(wait)
	for {
		for _, e := range s.told() {
			if x, ok := e.(E); ok && (fits == nil || fits(x)) {
				return x
			}
		}
		select {
		case <-s.more:
		case <-deadline:
			var zero E
			s.t.Fatalf("no %T came; told: %s", zero, names(s.told()))
		}
	}
}

// ended waits for the n-th end of a turn.
func (s *story) ended(n int) engine.Ended {
	s.t.Helper()
	var last engine.Ended
	until(s, func(engine.Ended) bool {
		seen := 0
		for _, e := range s.told() {
			if x, ok := e.(engine.Ended); ok {
				if seen++; seen == n {
					last = x
					return true
				}
			}
		}
		return false
	})
	return last
}

func names(events []engine.Event) string {
	var out []string
	for _, e := range events {
		out = append(out, strings.TrimPrefix(fmt.Sprintf("%T", e), "engine."))
	}
	return strings.Join(out, " ")
}

// history is what the store has of the session.
func (s *story) history() []string {
	s.t.Helper()
	list, err := s.store.List(context.Background(), engine.Query{})
	if err != nil || len(list) == 0 {
		s.t.Fatalf("list: %v %v", list, err)
	}
	recs, err := s.store.Tail(context.Background(), list[0].ID, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	var out []string
	for _, r := range recs {
		if a, ok := r.Event.(engine.Appended); ok {
			out = append(out, string(a.Message.Role)+":"+a.Message.Text())
		}
	}
	return out
}

func TestAMessageIsAnsweredAndStored(t *testing.T) {
	s := newStory(t, providertest.Text("hello"))
	s.start("")
	s.core.Do(engine.Submit{Text: "hi there\nmore"})
	s.ended(1)
	s.stop()
	if got := fmt.Sprint(s.history()); got != "[user:hi there\nmore assistant:hello]" {
		t.Fatal(got)
	}
	list, _ := s.store.List(context.Background(), engine.Query{Dir: s.deps.Dir})
	if len(list) != 1 || list[0].Title != "hi there" || list[0].Turns != 1 || list[0].Messages != 2 || list[0].Last != "hello" {
		t.Fatalf("%+v", list)
	}
}

func TestAResumedSessionSendsTheSamePromptAndTheWholeHistory(t *testing.T) {
	s := newStory(t, providertest.Text("one"), providertest.Text("two"))
	s.start("")
	s.core.Do(engine.Submit{Text: "first"})
	s.ended(1)
	s.stop()
	list, _ := s.store.List(context.Background(), engine.Query{})
	s.deps.Now = func() time.Time { return time.Now().Add(48 * time.Hour) } // another day: the prompt must not follow
	s.start(list[0].ID)
	if o := until[engine.Opened](s, nil); !o.Resumed || len(o.Past) == 0 || o.Session.Title != "first" {
		t.Fatalf("%+v", o)
	}
	s.core.Do(engine.Submit{Text: "second"})
	s.ended(1)
	reqs := s.model.Requests()
	if reqs[0].System != reqs[1].System || len(reqs[1].Messages) != 3 || reqs[1].Messages[1].Text() != "one" {
		t.Fatalf("%q\n%q\n%+v", reqs[0].System, reqs[1].System, reqs[1].Messages)
	}
}

func TestAnotherModelGetsAPromptThatNamesIt(t *testing.T) {
	s := newStory(t, providertest.Text("one"), providertest.Text("two"))
	s.start("")
	s.core.Do(engine.Submit{Text: "first"})
	s.ended(1)
	s.core.Do(engine.Switch{Model: "demo/other"})
	s.core.Do(engine.Submit{Text: "second"})
	s.ended(2)
	reqs := s.model.Requests()
	if reqs[0].System == reqs[1].System || !strings.Contains(reqs[1].System, "other") || reqs[1].Route.Model != "other" {
		t.Fatalf("%s", reqs[1].System)
	}
}

func TestQ01EveryMessageTypedWhileBusyIsDeliveredOnceAndInOrder(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "terminal", Args: `{"command":"sleep 0.3"}`}),
		providertest.Text("one"), providertest.Text("two"), providertest.Text("three"), providertest.Text("four"), providertest.Text("five"))
	s.deps.Mode = core.ModeAuto
	s.start("")
	s.core.Do(engine.Submit{Text: "1"})
	until[engine.CallBegan](s, nil)
	for _, text := range []string{"2", "3", "4", "5"} {
		s.core.Do(engine.Submit{Text: text})
	}
	q := until(s, func(q engine.Queued) bool { return len(q.Waiting) == 4 })
	if q.Waiting[0].Text != "2" || q.Waiting[3].Text != "5" {
		t.Fatalf("%+v", q)
	}
	s.ended(5)
	s.stop()
	var users []string
	for _, m := range s.history() {
		if strings.HasPrefix(m, "user:") {
			users = append(users, m)
		}
	}
	if fmt.Sprint(users) != "[user:1 user:2 user:3 user:4 user:5]" {
		t.Fatal(users)
	}
}

// TestQ02ASteerIsNeverLostAndNeverTwice sends a steer at a random moment of a short turn, also right at its end and
// together with a stop, and counts it in the stored session.
func TestQ02ASteerIsNeverLostAndNeverTwice(t *testing.T) {
	runs := 30
	if os.Getenv("TALARIA_SOAK") != "" {
		runs = 3000
	}
	rnd := rand.New(rand.NewPCG(7, 9))
	for i := range runs {
		s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "todo", Args: `{"todos":[]}`}), providertest.Text("one"), providertest.Text("two"), providertest.Text("three"))
		s.start("")
		s.core.Do(engine.Submit{Text: "go"})
		for range rnd.IntN(60) {
			time.Sleep(10 * time.Microsecond)
		}
		s.core.Do(engine.Steer{Text: "the steer"})
		if stop := rnd.IntN(4) == 0; stop {
			s.core.Do(engine.Interrupt{})
		}
		s.ended(1)
		s.stop()
		n, waits := 0, 0
		for _, m := range s.history() {
			n += strings.Count(m, "the steer")
		}
		for _, w := range lastWaiting(s.told()) {
			waits += strings.Count(w.Text, "the steer")
		}
		if n+waits != 1 {
			t.Fatalf("run %d: the steer is %d times in the history and %d times waiting: %v\n%s", i, n, waits, s.history(), names(s.told()))
		}
	}
}

// lastWaiting is what waits at the end, steers and queue.
func lastWaiting(events []engine.Event) []engine.Waiting {
	var steers, queued []engine.Waiting
	for _, e := range events {
		if x, ok := e.(engine.Steered); ok {
			steers = x.Waiting
		}
		if x, ok := e.(engine.Queued); ok {
			queued = x.Waiting
		}
	}
	return append(steers, queued...)
}

func TestAfterAStopWhatWaitsIsPausedUntilTheUserGoesOn(t *testing.T) {
	s := newStory(t, providertest.Hang(engine.TextDelta{Text: "half"}), providertest.Text("whole"), providertest.Text("next"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until[engine.Streamed](s, nil)
	s.core.Do(engine.Queue{Text: "later"})
	until(s, func(q engine.Queued) bool { return len(q.Waiting) == 1 })
	s.core.Do(engine.Interrupt{})
	s.ended(1)
	until(s, func(q engine.Queued) bool { return q.Paused && len(q.Waiting) == 1 })
	s.core.Do(engine.Continue{})
	if e := s.ended(2); e.Outcome.Final != "whole" {
		t.Fatalf("%+v", e)
	}
	if e := s.ended(3); e.Outcome.Final != "next" {
		t.Fatalf("%+v", e)
	}
	reqs := s.model.Requests()
	if m := reqs[1].Messages; len(m) != 1 || m[0].Text() != "go" {
		t.Fatalf("continue sent %+v", m)
	}
	if m := reqs[2].Messages; m[len(m)-1].Text() != "later" {
		t.Fatalf("the queued message: %+v", m)
	}
}

func TestAMessageSentTogetherWithAStopStartsAtOnce(t *testing.T) {
	s := newStory(t, providertest.Hang(engine.TextDelta{Text: "half"}), providertest.Text("to the new one"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until[engine.Streamed](s, nil)
	s.core.Do(engine.Interrupt{})
	s.core.Do(engine.Submit{Text: "do this instead"})
	if e := s.ended(2); e.Outcome.Final != "to the new one" {
		t.Fatalf("%+v", e)
	}
	req, _ := s.model.Last()
	if len(req.Messages) != 1 || req.Messages[0].Text() != "go\n\ndo this instead" {
		t.Fatalf("%+v", req.Messages)
	}
}

// TestAMessageSentTheMomentATurnIsStoppedIsNotHeldBack answers the end of a stopped turn at once, as a quick typist or a
// script does.
func TestAMessageSentTheMomentATurnIsStoppedIsNotHeldBack(t *testing.T) {
	for range 15 {
		s := newStory(t, providertest.Hang(engine.TextDelta{Text: "half"}), providertest.Text("second"))
		s.start("")
		s.core.Do(engine.Submit{Text: "go"})
		until[engine.Streamed](s, nil)
		s.core.Do(engine.Interrupt{Graceful: true})
		s.ended(1)
		s.core.Do(engine.Submit{Text: "now this"})
		if e := s.ended(2); e.Outcome.Final != "second" {
			t.Fatalf("%+v", e)
		}
		s.stop()
	}
}

func TestAWaitingMessageCanBeChangedAndTakenBack(t *testing.T) {
	s := newStory(t, providertest.Hang(), providertest.Text("x"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until[engine.Began](s, nil)
	s.core.Do(engine.Queue{Text: "one"})
	w := until(s, func(q engine.Queued) bool { return len(q.Waiting) == 1 }).Waiting[0]
	s.core.Do(engine.Queue{ID: w.ID, Text: "two"})
	until(s, func(q engine.Queued) bool { return len(q.Waiting) == 1 && q.Waiting[0].Text == "two" })
	s.core.Do(engine.Queue{ID: w.ID})
	until(s, func(q engine.Queued) bool { return len(q.Waiting) == 0 })
}

func TestWhatTheEndOfTheProgramCaughtIsThereAfterIt(t *testing.T) {
	s := newStory(t, providertest.Hang(engine.TextDelta{Text: "so far"}), providertest.Text("done"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	until[engine.Streamed](s, nil)
	s.core.Do(engine.Steer{Text: "and this"})
	until(s, func(e engine.Steered) bool { return len(e.Waiting) == 1 })
	s.stop()
	list, _ := s.store.List(context.Background(), engine.Query{})
	s.start(list[0].ID)
	w := until(s, func(e engine.Steered) bool { return len(e.Waiting) == 1 })
	if !w.Paused || w.Waiting[0].Text != "and this" {
		t.Fatalf("%+v", w)
	}
	o := until[engine.Opened](s, nil)
	var said string
	for _, r := range o.Past {
		if a, ok := r.Event.(engine.Appended); ok && a.Message.Aside {
			said = a.Message.Text()
		}
	}
	if said != "so far" {
		t.Fatalf("the partial reply is not in the past: %q", said)
	}
}

func TestLawOneAMessageIsStoredBeforeItIsShown(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "todo", Args: `{"todos":[{"id":"1","content":"x","status":"pending"}]}`}), providertest.Text("done"))
	watched := &watchedStore{Store: s.store}
	s.deps.Store = watched
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	s.ended(1)
	for _, e := range s.told() {
		if a, ok := e.(engine.Appended); ok && !watched.has(a.Message.ID) {
			t.Fatalf("%s was shown but not stored", a.Message.ID)
		}
	}
}

func TestWhenSavingFailsItIsSaidAtOnceAndEverythingIsSavedLater(t *testing.T) {
	s := newStory(t, providertest.Text("one"), providertest.Text("two"))
	broken := &watchedStore{Store: s.store}
	s.deps.Store = broken
	s.start("")
	broken.fail(errors.New("no space left on device"))
	s.core.Do(engine.Submit{Text: "first"})
	n := until(s, func(n engine.Noted) bool { return n.Kind == engine.NoteDegraded })
	if !strings.Contains(n.Text, "no space left on device") {
		t.Fatalf("%+v", n)
	}
	if e := s.ended(1); e.Outcome.Final != "one" {
		t.Fatalf("the conversation did not go on: %+v", e)
	}
	broken.fail(nil)
	s.core.Do(engine.Submit{Text: "second"})
	until(s, func(n engine.Noted) bool { return n.Kind == engine.NoteSaved })
	s.ended(2)
	s.stop()
	if got := fmt.Sprint(s.history()); got != "[user:first assistant:one user:second assistant:two]" {
		t.Fatal(got)
	}
}

func TestA10AnUntrustedDirectoryIsNotReadAndATrustedOneIs(t *testing.T) {
	for _, choice := range []string{engine.ChoiceYes, engine.ChoiceNo} {
		s := newStory(t, providertest.Text("ok"))
		if err := os.WriteFile(filepath.Join(s.deps.Dir, "AGENTS.md"), []byte("sentinel ZZ9"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.start("")
		q := until[engine.Asked](s, nil).Question
		if q.Kind != engine.Trust || !strings.Contains(q.Why, "AGENTS.md") {
			t.Fatalf("%+v", q)
		}
		s.core.Do(engine.Submit{Text: "hi"}) // typed before the answer: it waits
		s.core.Do(engine.Answer{ID: q.ID, Choice: choice})
		s.ended(1)
		req, _ := s.model.Last()
		if strings.Contains(req.System, "ZZ9") != (choice == engine.ChoiceYes) {
			t.Fatalf("%s: %s", choice, req.System)
		}
		s.stop()
	}
}

func TestAQuestionIsAnsweredAndAnUnknownOneIsSaidToBeGone(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "clarify", Args: `{"question":"Which?","choices":[{"label":"Redis"},{"label":"Memory"}]}`}), providertest.Text("done"))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	q := until[engine.Asked](s, nil).Question
	s.core.Do(engine.Answer{ID: "nonsense"})
	until(s, func(n engine.Noted) bool { return strings.Contains(n.Text, "does not wait") })
	s.core.Do(engine.Answer{ID: q.ID, Choice: q.Choices[1].Value})
	s.ended(1)
	req, _ := s.model.Last()
	if text := req.Messages[len(req.Messages)-1].Results()[0].Text; !strings.Contains(text, "Memory") {
		t.Fatal(text)
	}
}

func TestAStopWithdrawsTheQuestionAndAnswersTheCall(t *testing.T) {
	s := newStory(t, providertest.Calls(engine.Call{ID: "a", Name: "terminal", Args: `{"command":"touch x"}`}))
	s.start("")
	s.core.Do(engine.Submit{Text: "go"})
	q := until[engine.Asked](s, nil).Question
	s.core.Do(engine.Interrupt{Graceful: true})
	until(s, func(w engine.Withdrawn) bool { return w.ID == q.ID })
	e := s.ended(1)
	if !e.Outcome.Interrupted || e.Outcome.Stored[len(e.Outcome.Stored)-1].Results()[0].Status != engine.StatusStopped {
		t.Fatalf("%+v", e.Outcome)
	}
	if _, err := os.Stat(filepath.Join(s.deps.Dir, "x")); err == nil {
		t.Fatal("the command ran")
	}
}

func TestWithoutAModelTheMessageIsKeptAndTheReasonTold(t *testing.T) {
	s := newStory(t)
	r := settings(t)
	r.Config.Model.Provider, r.Config.Model.Name, r.Origins = "", "", nil
	s.deps.Resolver = r
	s.start("")
	s.core.Do(engine.Submit{Text: "hi"})
	e := s.ended(1)
	if e.Outcome.Err == nil || e.Outcome.Err.Code != engine.CodeNoKey || e.Outcome.ExitCode() != 3 {
		t.Fatalf("%+v", e.Outcome)
	}
	s.stop()
	if got := s.history(); len(got) != 1 || got[0] != "user:hi" {
		t.Fatal(got)
	}
}

func TestANewSessionAndTheWayBack(t *testing.T) {
	s := newStory(t, providertest.Text("one"), providertest.Text("two"))
	s.start("")
	first := until[engine.Opened](s, nil).Session.ID
	s.core.Do(engine.Submit{Text: "first"})
	s.ended(1)
	s.core.Do(engine.Open{})
	second := until(s, func(o engine.Opened) bool { return o.Session.ID != first }).Session.ID
	s.core.Do(engine.Open{Session: first})
	until(s, func(o engine.Opened) bool { return o.Session.ID == first && o.Resumed })
	s.core.Do(engine.Submit{Text: "again"})
	s.ended(2)
	req, _ := s.model.Last()
	if len(req.Messages) != 3 {
		t.Fatalf("%+v", req.Messages)
	}
	s.core.Do(engine.Open{Session: "20200101_000000_abcdef"})
	until(s, func(n engine.Noted) bool { return n.Kind == engine.NoteError && strings.Contains(n.Text, "stays open") })
	if list, _ := s.store.List(context.Background(), engine.Query{}); len(list) != 1 {
		t.Fatalf("a session without a message was stored: %v, %s", list, second)
	}
}

// watchedStore notes what was appended, and fails when told to.
type watchedStore struct {
	engine.Store
	mu     sync.Mutex
	stored map[string]bool
	err    error
}

func (w *watchedStore) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
}

func (w *watchedStore) has(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stored[id]
}

func (w *watchedStore) Create(ctx context.Context, s engine.Session) (engine.Log, error) {
	l, err := w.Store.Create(ctx, s)
	return &watchedLog{Log: l, w: w}, err
}

type watchedLog struct {
	engine.Log
	w       *watchedStore
	pending []engine.Record
}

func (l *watchedLog) Append(ctx context.Context, recs ...engine.Record) error {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	l.pending = append(l.pending, recs...)
	if l.w.err != nil {
		return l.w.err
	}
	err := l.Log.Append(ctx, l.pending...)
	for _, r := range l.pending {
		if a, ok := r.Event.(engine.Appended); ok {
			if l.w.stored == nil {
				l.w.stored = map[string]bool{}
			}
			l.w.stored[a.Message.ID] = true
		}
	}
	l.pending = nil
	return err
}

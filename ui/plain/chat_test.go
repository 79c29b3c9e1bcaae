package plain

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/ui/uitest"
)

// talk is one conversation under test: an engine that tells what it is told to, and lines that are typed.
type talk struct {
	t       *testing.T
	engine  *uitest.Engine
	in      *io.PipeWriter
	signals chan os.Signal
	mu      sync.Mutex
	heard   strings.Builder
	hidden  []bool
	exit    Exit
	done    bool
}

func (k *talk) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.heard.Write(p)
}

// new returns what was heard since it was asked last.
func (k *talk) new() string {
	synctest.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.heard.String()
	k.heard.Reset()
	return strings.TrimSuffix(s, "\n")
}

func (k *talk) hears(want string) {
	k.t.Helper()
	if got := k.new(); got != want {
		k.t.Errorf("heard:\n%s\nwant:\n%s", got, want)
	}
}

func (k *talk) types(lines ...string) {
	for _, l := range lines {
		if _, err := io.WriteString(k.in, l+"\n"); err != nil {
			k.t.Error(err)
		}
		time.Sleep(2 * burst)
		synctest.Wait()
	}
}

func (k *talk) tells(events ...any) {
	for _, e := range events {
		switch e := e.(type) {
		case engine.Event:
			k.engine.Tell(e)
		case []engine.Event:
			k.engine.Tell(e...)
		}
	}
	synctest.Wait()
}

// did checks the ops since it was asked last.
func (k *talk) did(want ...engine.Op) {
	k.t.Helper()
	synctest.Wait()
	if got, want := fmt.Sprintf("%#v", k.engine.Ops()), fmt.Sprintf("%#v", want); got != want {
		k.t.Errorf("ops\n%s\nwant\n%s", got, want)
	}
}

func (k *talk) presses() { k.signals <- syscall.SIGINT; synctest.Wait() }

var route = engine.Route{Provider: "anthropic", Model: "sonnet"}

// hold runs a conversation in a bubble of time; it begins with a session and a model unless change says otherwise.
func hold(t *testing.T, change func(*Deps), story func(*talk)) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		k := &talk{t: t, engine: uitest.NewEngine(), in: w, signals: make(chan os.Signal, 8)}
		d := Deps{Engine: k.engine, In: r, Out: k, Signals: k.signals, Hide: func(on bool) { k.hidden = append(k.hidden, on) }, Options: Options{TTY: true, Mode: "ask"}}
		if change != nil {
			change(&d)
		}
		go func() {
			k.exit = Run(t.Context(), d)
			k.done = true
		}()
		story(k)
		k.engine.Close()
		r.Close()
		w.Close()
		synctest.Wait()
		if !k.done {
			t.Error("the conversation did not end with the engine")
		}
	})
}

func (k *talk) opens() {
	k.tells(engine.Opened{Session: engine.Session{ID: "s1", Route: route}})
	k.new()
}

func TestALineIsAMessageAndASteerWhileTheAgentWorks(t *testing.T) {
	hold(t, nil, func(k *talk) {
		k.tells(engine.Opened{Session: engine.Session{ID: "s1", Route: route}})
		k.hears("Session: new, sonnet.\nReady: type a message. /help lists what can be typed.")
		k.types("hello")
		k.tells(began, uitest.User("hello"), uitest.Runs("1", "$ npm test"))
		k.types("mind the gap", "/queue then the docs", "/stop after", "/mode edit", "/nonsense", "/compact", "/etc/hosts is odd")
		k.hears("Working: turn 1, sonnet.\nYou: hello\nTool started: npm test\nWarning: no command /nonsense. /help lists them. Nothing was sent.\n" +
			"Warning: /compact does not work while the agent does. /stop stops it.")
		k.did(engine.Submit{Text: "hello"}, engine.Steer{Text: "mind the gap"}, engine.Queue{Text: "then the docs"}, engine.Interrupt{Graceful: true}, engine.Set{Mode: "edit"},
			engine.Steer{Text: "/etc/hosts is odd"})
	})
}

func TestLinesOfOneBurstAreOneMessageAndABackslashGoesOn(t *testing.T) {
	hold(t, nil, func(k *talk) {
		k.opens()
		k.types("one\ntwo", `three\`, "four")
		k.did(engine.Submit{Text: "one\ntwo"}, engine.Submit{Text: "three\nfour"})
	})
}

func TestAQuestionIsAnsweredByNumberAndWhatIsNoAnswerIsKept(t *testing.T) {
	q := engine.Question{ID: "q1", Kind: engine.Approval, Title: "Run a command", Body: "make", Draft: "make", Choices: []engine.Choice{{Value: engine.ChoiceEdit}}}
	second := engine.Question{ID: "q2", Kind: engine.Clarify, Title: "Which?", Choices: []engine.Choice{{Value: "a", Label: "A"}}}
	hold(t, nil, func(k *talk) {
		k.opens()
		k.types("go")
		k.tells(began, engine.Asked{Question: q}, engine.Asked{Question: second})
		k.new()
		k.types("1") // in the moment in which it opened: it was meant for something else
		k.hears("Kept: 1. It was typed before the question was there, and is sent when that is closed.\n1 once, 2 edit, 3 deny (a reason may follow). Type a number.")
		time.Sleep(guard)
		k.types("use tabs")
		k.hears("Kept: use tabs. It is no answer to the question, and is sent when that is closed.\n1 once, 2 edit, 3 deny (a reason may follow). Type a number.")
		k.types("2")
		k.hears("Note: this is the text. Type all of it as it shall be; a line with a single dot ends it. A dot at once changes nothing.\n  make")
		k.types("make -n", ".")
		k.tells(engine.Withdrawn{ID: "q1", Choice: engine.ChoiceEdit})
		k.hears("Answered: edit.\nQuestion: Which?\n1 A. Type a number, your own answer, skip, or /later.")
		time.Sleep(guard)
		k.types("/later")
		k.new()
		k.types("") // asks it again
		k.hears("Question: Which?\n1 A. Type a number, your own answer, skip, or /later.")
		time.Sleep(guard)
		k.types("my own")
		k.tells(engine.Withdrawn{ID: "q2", Choice: ""})
		k.did(engine.Submit{Text: "go"}, engine.Answer{ID: "q1", Choice: engine.ChoiceEdit, Text: "make -n"}, engine.Steer{Text: "1"}, engine.Steer{Text: "use tabs"},
			engine.Answer{ID: "q2", Text: "my own"})
	})
}

func TestCtrlCStopsThenWarnsThenQuits(t *testing.T) {
	hold(t, nil, func(k *talk) {
		k.opens()
		k.types("go")
		k.tells(began)
		k.new()
		k.presses()
		k.hears("Stopping: now.")
		k.did(engine.Submit{Text: "go"}, engine.Interrupt{})
		k.tells(uitest.Stopped())
		k.new()
		time.Sleep(1600 * time.Millisecond)
		k.types("") // Enter continues
		k.did(engine.Continue{})
		k.tells(began, uitest.Finished())
		k.new()
		k.presses()
		k.hears("Note: Ctrl+C again within 2 seconds quits.")
		time.Sleep(3 * time.Second)
		k.presses()
		k.hears("Note: Ctrl+C again within 2 seconds quits.")
		k.presses()
		if !k.done || k.exit.Code != 0 {
			t.Errorf("%v %+v", k.done, k.exit)
		}
	})
	hold(t, nil, func(k *talk) { // twice in a second, the first having stopped a turn
		k.opens()
		k.types("go")
		k.tells(began)
		k.presses()
		k.presses()
		if !k.done || k.exit.Code != 130 {
			t.Errorf("%v %+v", k.done, k.exit)
		}
	})
	hold(t, nil, func(k *talk) {
		k.signals <- syscall.SIGTERM
		synctest.Wait()
		if !k.done || k.exit.Code != 143 {
			t.Errorf("%v %+v", k.done, k.exit)
		}
	})
}

func TestAPipeThatEndsWaitsForWhatWasAsked(t *testing.T) {
	hold(t, func(d *Deps) { d.Options.TTY = false }, func(k *talk) {
		k.opens()
		k.types("go", "and then")
		k.in.Close()
		synctest.Wait()
		if k.done {
			t.Fatal("it left before the turn began")
		}
		k.tells(began, engine.Steered{Waiting: []engine.Waiting{{ID: "w", Text: "and then"}}}, engine.Asked{Question: engine.Question{ID: "q", Kind: engine.Approval}})
		k.did(engine.Submit{Text: "go"}, engine.Submit{Text: "and then"}, engine.Answer{ID: "q", Choice: engine.ChoiceDeny, Text: "nobody is there to answer"})
		k.tells(engine.Withdrawn{ID: "q", Choice: engine.ChoiceDeny}, engine.Steered{}, uitest.Steer("and then"))
		if k.done {
			t.Fatal("it left during the turn")
		}
		k.tells(uitest.Finished())
		if !k.done || k.exit.Code != 0 || !k.exit.Stored {
			t.Errorf("%v %+v", k.done, k.exit)
		}
	})
	hold(t, func(d *Deps) { d.Options.TTY = false }, func(k *talk) { // an op that nothing answers
		k.opens()
		k.types("/continue")
		k.in.Close()
		time.Sleep(quiet + time.Second)
		synctest.Wait()
		if !k.done {
			t.Error("it waits for ever")
		}
	})
}

func TestCtrlDAsksWhileSomethingRuns(t *testing.T) {
	hold(t, nil, func(k *talk) {
		k.opens()
		k.types("go")
		k.tells(began)
		k.new()
		k.types("/quit")
		k.hears("Question: the agent is still working. s stops it and quits, Enter stays.")
		k.types("")
		k.hears("Note: staying.")
		k.types("/quit", "s")
		if !k.done || k.exit.Code != 130 {
			t.Errorf("%v %+v", k.done, k.exit)
		}
	})
}

func TestAModelIsConnectedByNumberAndTheMessageIsKept(t *testing.T) {
	c := &uitest.Connections{Ready: []engine.Connection{{Name: "Local", Found: "running", Ready: true, Route: engine.Route{Provider: "ollama"}, Models: []string{"a", "b"}},
		{Name: "OpenAI", Route: engine.Route{Provider: "openai", Model: "gpt"}}}}
	hold(t, func(d *Deps) { d.Connect, d.Options.First = c, "hello" }, func(k *talk) {
		k.tells(engine.Opened{Session: engine.Session{ID: "s1"}})
		k.hears("Session: new, no model.\nNote: no model is connected.\nList: ways to connect a model.\n1. Local, running\n2. Offline demo, scripted, no network\n3. OpenAI, needs a key\nType a number, or Enter to leave it.")
		k.types("9")
		k.hears("Note: the list has 3 rows. Type a number, or Enter to leave it.")
		k.types("3")
		k.hears("Question: the key for OpenAI? It is not shown while you type. Enter alone leaves it.")
		k.types("")
		k.hears("Note: left without a key.")
		k.types("/connect", "3", "sk-secret")
		got := k.new()
		if !strings.HasSuffix(got, "Note: the key was stored: the keys file.\nReady: gpt is connected. Type a message.") || strings.Contains(got, "secret") {
			t.Errorf("%s", got)
		}
		ops := k.engine.Ops()
		if len(ops) != 2 || ops[0].(engine.Switch).Model != "gpt" || ops[1].(engine.Submit).Text != "hello" {
			t.Errorf("%v", ops)
		}
		if hidden := k.hidden; len(hidden) < 4 || !hidden[0] || hidden[1] || !hidden[2] || hidden[3] {
			t.Errorf("the echo: %v", hidden)
		}
	})
}

func TestALongTurnSaysEveryHalfMinuteThatItWorks(t *testing.T) {
	hold(t, nil, func(k *talk) {
		k.opens()
		k.types("go")
		k.tells(began, uitest.Runs("1", "$ npm test"))
		k.new()
		time.Sleep(95 * time.Second)
		got := k.new()
		if n := strings.Count(got, "Progress: npm test has run for"); n != 2 && n != 3 || strings.Count(got, "\n") != n-1 {
			t.Errorf("%s", got)
		}
		k.tells(uitest.Finished())
		k.new()
		time.Sleep(10 * time.Minute)
		k.hears("") // idle means idle
	})
}

func TestSessionsAreAListWithNumbers(t *testing.T) {
	lib := uitest.NewLibrary(engine.Session{ID: "s9", Title: "fix auth", Turns: 2}, engine.Session{ID: "s8"})
	hold(t, func(d *Deps) { d.Library, d.Options.Picker = lib, true }, func(k *talk) {
		k.tells(engine.Opened{Session: engine.Session{ID: "s1", Route: route}})
		if got := k.new(); !strings.Contains(got, "List: sessions of this directory, newest first.\n1. fix auth, 2 turns, ") || !strings.Contains(got, "\n2. without a title, 0 turns, ") {
			t.Errorf("%s", got)
		}
		k.types("2")
		k.did(engine.Open{Session: "s8"})
	})
}

func TestASessionThatGoesOnReadsItsLastTurn(t *testing.T) {
	past := []engine.Record{{Event: began}, {Event: uitest.User("old")}, {Event: uitest.Finished()}, {Event: uitest.User("newer")}, {Event: engine.Began{Turn: 2, Route: route}},
		{Event: uitest.Reply("The answer.")[2]}, {Event: uitest.Finished()}}
	hold(t, nil, func(k *talk) {
		k.tells(engine.Opened{Session: engine.Session{ID: "s1", Title: "fix", Route: route, Messages: 4, Turns: 2}, Resumed: true, Past: past})
		k.hears("Session: fix, sonnet.\nNote: 4 messages so far, 2 turns. /history reads them; the last turn follows.\nYou: newer\nWorking: turn 2, sonnet.\nAssistant: The answer.\nDone: 1 step.\n" +
			"Ready: type a message. /help lists what can be typed.")
	})
}

func TestAPanicInTheEngineEndsInOrder(t *testing.T) {
	hold(t, nil, func(k *talk) {
		k.opens()
		engine.Go("mine", func() { panic("boom") })
		synctest.Wait()
		if !k.done || k.exit.Crash == nil || k.exit.Crash.Value != "boom" || k.exit.Code != 1 {
			t.Errorf("%+v", k.exit)
		}
	})
}

package providertest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
)

// Said is what a fake model says in one reply.
type Said struct {
	Thought, Text string
	Calls         []engine.Call
	Stop          engine.Stop
	Usage         engine.Usage
}

// Wire writes an API mode's format for Run.
type Wire struct {
	Type  string                   // content type of a stream
	Path  string                   // how the address of the call ends
	Reply func(Said) []string      // a whole reply in pieces, each a whole event; Calls' arguments in more than one
	Tail  int                      // how many of the last pieces may be missing from a reply that is whole all the same
	Error func(text string) string // an error in the middle of a stream
	Quiet string                   // an event without data that keeps a connection alive; "" when there is none
}

// New makes the provider under test for a server; hc reaches it.
type New func(baseURL string, hc *http.Client) engine.Provider

// base is a server that is not local, so that the clocks are those of a provider on the net.
const base = "https://model.test/v1"

// Run is the suite that every API mode passes: replies come whole however they are cut, a cut or failed reply is a
// *provider.Failure and never an end, and nothing stays behind.
func Run(t *testing.T, make New, w Wire) {
	s := suite{make, w}
	t.Run("a reply is the same however its bytes are cut", s.cuts)
	t.Run("a reply that stops anywhere before its end is a failure", s.stops)
	t.Run("an error inside the stream is a failure with its words", s.inBand)
	t.Run("an answer without any data is a failure", s.nothing)
	t.Run("an error status is a failure with status, headers and body", s.status)
	t.Run("a web page is a failure in one line", s.page)
	t.Run("a redirect is not followed", s.redirect)
	t.Run("a silent server is given up after 90 seconds", s.silent)
	t.Run("keep-alives hold the no-byte clock", s.keepAlive)
	t.Run("a stopped request ends at once with the context's error", s.cancel)
	t.Run("a consumer that leaves closes the connection", s.leave)
	t.Run("the same request gives the same bytes, also at once", s.sameBytes)
	t.Run("a connection serves one request after the other", s.reuse)
	t.Run("a server that holds the connection after the end delays nothing for long", s.held)
}

type suite struct {
	make New
	wire Wire
}

var fullReply = Said{
	Thought: "Let me see.", Text: "I read «both» files.\n",
	Calls: []engine.Call{{ID: "call_a", Name: "read_file", Args: `{"path":"ä.go"}`}, {ID: "call_b", Name: "list", Args: `{}`}},
	Stop:  engine.StopCalls, Usage: engine.Usage{Input: 120, Output: 30},
}

func (s suite) over(h http.Handler) engine.Provider { return s.make(base, Client(h)) }

func (s suite) stream(pieces ...string) Answer {
	return Answer{Type: s.wire.Type, Body: Bytes(pieces...)}
}

// Ask is a small request with every kind of message.
func Ask() engine.Request {
	say := func(r engine.Role, parts ...engine.Part) engine.Message { return engine.Message{Role: r, Parts: parts} }
	return engine.Request{
		Route: engine.Route{Model: "m1"}, System: "Be brief.", MaxTokens: 1000,
		Tools: []engine.Spec{{Name: "list", Doc: "List <files>."}},
		Messages: []engine.Message{
			say(engine.RoleUser, engine.Text{Text: "What is here & there?"}),
			say(engine.RoleAssistant, engine.Call{ID: "call_1", Name: "list", Args: "{}"}),
			say(engine.RoleTool, engine.Result{CallID: "call_1", Name: "list", Text: "a.go"}, engine.Text{Text: "and be quick"}),
		},
	}
}

func (s suite) cuts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, size := range append([]int{1 << 20}, Cuts...) {
			a := s.stream(s.wire.Reply(fullReply)...)
			a.Sizes = []int{size}
			r := Collect(t.Context(), s.over(a), Ask())
			if r.Err != nil || r.Done == nil {
				t.Fatalf("cut at %d: %v", size, r.Err)
			}
			m := r.Message
			if m.Text() != fullReply.Text || m.Reasoning() != fullReply.Thought || r.Done.Stop != fullReply.Stop {
				t.Errorf("cut at %d: text %q, reasoning %q, stop %s", size, m.Text(), m.Reasoning(), r.Done.Stop)
			}
			calls := m.Calls()
			if len(calls) != 2 || !sameCall(calls[0], fullReply.Calls[0]) || !sameCall(calls[1], fullReply.Calls[1]) {
				t.Errorf("cut at %d: calls %+v", size, calls)
			}
			if m.Usage == nil || m.Usage.Input != 120 || m.Usage.Output != 30 {
				t.Errorf("cut at %d: usage %+v", size, m.Usage)
			}
		}
	})
}

func sameCall(a, b engine.Call) bool { return a.ID == b.ID && a.Name == b.Name && a.Args == b.Args }

func (s suite) stops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pieces := s.wire.Reply(fullReply)
		for n := range len(pieces) - s.wire.Tail {
			for _, reset := range []bool{false, true} {
				a := s.stream(pieces[:n]...)
				a.Cut = reset
				r := Collect(t.Context(), s.over(a), Ask())
				var f *provider.Failure
				if !errors.As(r.Err, &f) || !f.Cut && !f.NoData {
					t.Errorf("after %d of %d pieces (reset %v): got %v, want a Failure that is Cut or NoData", n, len(pieces), reset, r.Err)
				} else if said := len(r.Message.Calls()) > 0; said && !f.InCall {
					t.Errorf("after %d pieces a call was open, and InCall is false", n)
				}
			}
		}
	})
}

func (s suite) inBand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pieces := s.wire.Reply(Said{Text: "Hel", Stop: engine.StopEnd})
		r := Collect(t.Context(), s.over(s.stream(append(pieces[:len(pieces)-1-s.wire.Tail:len(pieces)-1-s.wire.Tail], s.wire.Error("the worker is full"))...)), Ask())
		var f *provider.Failure
		if !errors.As(r.Err, &f) || !strings.Contains(f.Message, "the worker is full") {
			t.Errorf("got %v, want a Failure with the server's words", r.Err)
		}
	})
}

func (s suite) nothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Collect(t.Context(), s.over(s.stream(s.wire.Quiet, s.wire.Quiet)), Ask())
		var f *provider.Failure
		if !errors.As(r.Err, &f) || !f.NoData {
			t.Errorf("got %v, want a Failure with NoData", r.Err)
		}
	})
}

func (s suite) status(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := JSON(503, `{"error":{"message":"come back later","type":"overloaded_error"}}`)
		a.Header = http.Header{"Retry-After": {"7"}}
		var f *provider.Failure
		r := Collect(t.Context(), s.over(a), Ask())
		if !errors.As(r.Err, &f) || f.Status != 503 || f.Header.Get("retry-after") != "7" || !strings.Contains(f.Message, "come back later") || !json.Valid(f.Body) {
			t.Errorf("got %#v", r.Err)
		}
	})
}

func (s suite) page(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, status := range []int{200, 403, 502} {
			a := Answer{Status: status, Type: "text/html", Body: []byte("<!DOCTYPE html>\n<html><head><title>Please log in</title></head><body>" + strings.Repeat("<p>x</p>", 1000) + "</body></html>\n")}
			r := Collect(t.Context(), s.over(a), Ask())
			var f *provider.Failure
			if !errors.As(r.Err, &f) || !strings.Contains(f.Message, "Please log in") || !strings.Contains(f.Message, "text/html") || !strings.Contains(f.Message, "model.test") {
				t.Errorf("status %d: got %v", status, r.Err)
			} else if strings.ContainsAny(f.Error(), "<>\n") || len(f.Error()) > 250 || len(f.Body) != 0 {
				t.Errorf("status %d: too much of the page is in %q", status, f.Error())
			}
		}
	})
}

func (s suite) redirect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		p := s.over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			http.Redirect(w, r, "https://elsewhere.test/v1?key=secret", http.StatusTemporaryRedirect)
		}))
		r := Collect(t.Context(), p, Ask())
		var f *provider.Failure
		if !errors.As(r.Err, &f) || !strings.Contains(f.Message, "elsewhere.test") || strings.Contains(f.Message, "secret") {
			t.Errorf("got %v", r.Err)
		}
		if asked != 1 {
			t.Errorf("%d requests, want 1", asked)
		}
	})
}

func (s suite) silent(t *testing.T) {
	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	begun := s.stream(s.wire.Reply(fullReply)[:2]...)
	begun.Stall = true
	for name, h := range map[string]http.Handler{"before its answer": hang, "in the middle of a reply": begun} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			r := Collect(t.Context(), s.over(h), Ask())
			var stale *provider.StaleError
			if took := time.Since(start); !errors.As(r.Err, &stale) || took != provider.DefaultStale {
				t.Errorf("silent %s: %v after %v", name, r.Err, took)
			}
		})
	}
}

func (s suite) keepAlive(t *testing.T) {
	if s.wire.Quiet == "" {
		t.Skip("this mode has no keep-alive")
	}
	synctest.Test(t, func(t *testing.T) {
		p := s.over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", s.wire.Type)
			flush := http.NewResponseController(w)
			for range 400 {
				io.WriteString(w, s.wire.Quiet)
				flush.Flush()
				time.Sleep(time.Second)
			}
			w.Write(Bytes(s.wire.Reply(fullReply)...))
		}))
		if r := Collect(t.Context(), p, Ask()); r.Err != nil || r.Message.Text() != fullReply.Text {
			t.Errorf("got %q, %v", r.Message.Text(), r.Err)
		}
	})
}

func (s suite) cancel(t *testing.T) {
	begun := s.stream(s.wire.Reply(fullReply)...)
	begun.Body = begun.Body[:len(begun.Body)*2/3]
	begun.Stall = true
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		start := time.Now()
		r := Collect(ctx, s.over(begun), Ask())
		if took := time.Since(start); !errors.Is(r.Err, context.Canceled) || took != 5*time.Second {
			t.Errorf("got %v after %v", r.Err, took)
		}
	})
}

func (s suite) leave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a goroutine that stays behind fails the bubble
		gone := make(chan struct{})
		begun := s.stream(s.wire.Reply(fullReply)...)
		p := s.over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(gone)
			begun.ServeHTTP(w, r)
			<-r.Context().Done()
		}))
		for _, err := range p.Stream(t.Context(), Ask()) {
			if err != nil {
				t.Error(err)
			}
			break
		}
		<-gone
	})
}

func (s suite) sameBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		bodies := map[string]int{}
		p := s.over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			bodies[string(body)]++
			mu.Unlock()
			if !strings.HasSuffix(r.URL.Path, s.wire.Path) {
				t.Errorf("called %s, want …%s", r.URL.Path, s.wire.Path)
			}
			s.stream(s.wire.Reply(fullReply)...).ServeHTTP(w, r)
		}))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if r := Collect(t.Context(), p, Ask()); r.Err != nil {
					t.Error(r.Err)
				}
			})
		}
		all.Wait()
		if len(bodies) != 1 {
			t.Errorf("%d different bodies for one request", len(bodies))
		}
		for body := range bodies {
			if !json.Valid([]byte(body)) || strings.Contains(body, `\u003c`) || strings.Contains(body, `\u0026`) {
				t.Errorf("body %s", body)
			}
		}
	})
}

// reuse: the end of the body comes after that of the reply, and must be read for the connection to be free.
func (s suite) reuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hc, made := Keeping(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.stream(s.wire.Reply(fullReply)...).ServeHTTP(w, r)
			time.Sleep(time.Millisecond) // the end of the body is a packet of its own
		}))
		defer hc.CloseIdleConnections()
		p := s.make(base, hc)
		for range 3 {
			if r := Collect(t.Context(), p, Ask()); r.Err != nil {
				t.Fatal(r.Err)
			}
			synctest.Wait()
		}
		if n := made.Load(); n != 1 {
			t.Errorf("%d connections for three requests, want 1", n)
		}
	})
}

func (s suite) held(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hc, made := Keeping(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a := s.stream(s.wire.Reply(fullReply)...)
			a.Stall = true
			a.ServeHTTP(w, r)
		}))
		defer hc.CloseIdleConnections()
		p, start := s.make(base, hc), time.Now()
		for range 2 {
			if r := Collect(t.Context(), p, Ask()); r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		if took := time.Since(start); took > 200*time.Millisecond || made.Load() != 2 {
			t.Errorf("two replies took %v over %d connections", took, made.Load())
		}
	})
}

package providertest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/soak"
)

// Garbage is a body without an end: Head, then what Next gives for 0, 1, 2 and so on.
type Garbage struct {
	Type string // content type
	Head string
	Next func(n int) string
	// Grows says that a decoder which keeps what came would keep all of it, so that only a cap ends it.
	Grows bool
}

// Again is a Next that always gives s.
func Again(s string) func(int) string { return func(int) string { return s } }

// Noise is a Next of random bytes, always the same ones.
func Noise() func(int) string {
	from := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 4096)
	return func(int) string {
		for i := range b {
			b[i] = byte(from.Uint32())
		}
		return string(b)
	}
}

// Bodies are the endless bodies that no decoder of text has a use for, by name.
func Bodies() map[string]Garbage {
	const sse = "text/event-stream"
	long := strings.Repeat("x", 4096)
	return map[string]Garbage{
		"random bytes":                {sse, "", Noise(), false},
		"random bytes in an event":    {sse, "data: ", Noise(), false},
		"one endless line":            {sse, "data: ", Again(long), true},
		"an endless string":           {sse, `data: {"a":"`, Again(long), false},
		"an event without an end":     {sse, "", Again("data: " + long + "\n"), true},
		"keep-alives alone":           {sse, "", Again(": still there\n\n"), false},
		"events of a name nobody has": {sse, "", func(n int) string { return fmt.Sprintf("event: e%d\ndata: {\"n\":%d}\n\n", n, n) }, false},
		"JSON without an end":         {"application/json", `{"a":"`, Again(long), true},
		"JSON nested without an end":  {"application/json", "", Again("["), false},
		"JSON, one after the other":   {"application/json", "", Again(`{"a":1} `), false},
		"a web page without an end":   {"text/html", "<html><title>", Again(long), false},
	}
}

// AllowedHeap is what a decoder may need for any body, in bytes.
const AllowedHeap = 64 << 20

// Choke gives endless bodies to a provider and fails where it needs more memory than AllowedHeap, yields without end, or
// says that the reply was whole. 18 MB, more than any cap, of those that grow something as they come; 1 MB of the others
// and 300 KB in small pieces. 100 MB of each in a soak.
func Choke(t *testing.T, open func(*http.Client) engine.Provider, req engine.Request, bodies map[string]Garbage) {
	for name, g := range bodies {
		t.Run(name, func(t *testing.T) {
			size := 1 << 20
			switch {
			case soak.Whole():
				size = 100 << 20
			case len(g.Next(0)) < 1000:
				size = 300 << 10 // slow, and nothing adds up in them that does not in less
			case g.Grows && !testing.Short():
				size = 18 << 20
			}
			runtime.GC()
			in := &endless{g: g, rest: g.Head, left: size, base: heap()}
			p := open(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
				r.Body.Close()
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {g.Type}}, Body: io.NopCloser(in), Request: r}, nil
			})})
			var end error
			for d, err := range p.Stream(t.Context(), req) {
				if _, done := d.(engine.Done); done {
					t.Error("it is taken for a whole reply")
				}
				end = err
			}
			if end == nil {
				t.Error("it ends without an error")
			}
			in.look()
			if testing.Verbose() {
				t.Logf("%d MB of %d read, %d MB of memory: %.100v", (size-in.left)>>20, size>>20, in.most>>20, end)
			}
			if in.most > AllowedHeap {
				t.Errorf("it took %d MB of memory", in.most>>20)
			}
		})
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// endless makes its bytes as they are read, and looks at the memory while it does.
type endless struct {
	g          Garbage
	rest       string
	n, left    int
	read       int
	base, most uint64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	done := 0
	for done < len(p) && e.left > 0 {
		if e.rest == "" {
			e.rest = e.g.Next(e.n)
			e.n++
		}
		k := copy(p[done:min(len(p), done+e.left)], e.rest)
		e.rest, done, e.left = e.rest[k:], done+k, e.left-k
	}
	if e.read += done; e.read > 1<<20 {
		e.read = 0
		e.look()
	}
	return done, nil
}

func (e *endless) look() {
	if now := heap(); now > e.base {
		e.most = max(e.most, now-e.base)
	}
}

// heap is the memory that objects take, those that are not yet collected included.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

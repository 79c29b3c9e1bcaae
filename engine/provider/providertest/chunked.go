package providertest

import (
	"io"
	"math/rand/v2"
	"net/http"
)

// Cuts are the sizes a stream is cut at in the tests of law 4; 0 stands for random sizes.
var Cuts = []int{1, 2, 3, 7, 0}

// Chunked returns a reader of b whose Reads give at most the next of sizes bytes, round and round; a size of 0 or less
// is random from 1 to 16, always the same for the same b. Without sizes the first Read gives all.
func Chunked(b []byte, sizes ...int) io.Reader {
	return &chunked{b, sizes, 0, rand.New(rand.NewPCG(uint64(len(b)), 1))}
}

type chunked struct {
	rest  []byte
	sizes []int
	turn  int
	rand  *rand.Rand
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := len(c.rest)
	if len(c.sizes) > 0 {
		if n = c.sizes[c.turn%len(c.sizes)]; n <= 0 {
			n = 1 + c.rand.IntN(16)
		}
		c.turn++
	}
	n = copy(p[:min(n, len(p))], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Answer is what a fake server says: Status (0: 200), content type and body, written in Sizes as Chunked cuts it.
// Cut ends the connection without a proper end after the body, as a reset does. Stall keeps it open until the client
// has gone.
type Answer struct {
	Status int
	Type   string
	Header http.Header
	Body   []byte
	Sizes  []int
	Cut    bool
	Stall  bool
}

// ServeHTTP writes the answer, flushing after every piece.
func (a Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	for name, values := range a.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", a.Type)
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	flush := http.NewResponseController(w)
	body, buf := Chunked(a.Body, a.Sizes...), make([]byte, 64<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil || flush.Flush() != nil {
				return
			}
		}
		if err != nil {
			break
		}
	}
	if a.Cut {
		flush.Flush()
		panic(http.ErrAbortHandler)
	}
	if a.Stall {
		flush.Flush()
		<-r.Context().Done()
	}
}

// InTurn answers the first request with the first handler and so on; the last one answers all that follow.
func InTurn(handlers ...http.Handler) http.Handler {
	next := make(chan http.Handler, len(handlers))
	for _, h := range handlers[:len(handlers)-1] {
		next <- h
	}
	last := handlers[len(handlers)-1]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case h := <-next:
			h.ServeHTTP(w, r)
		default:
			last.ServeHTTP(w, r)
		}
	})
}

package terminal

import (
	"errors"
	"os"
	"sync"
	"time"
)

// After the command has ended its output counts as complete when the pipe is closed, or when nothing came for quiet; a
// process left behind that prints all the time is not listened to longer than linger.
const (
	quiet  = 300 * time.Millisecond
	linger = 1500 * time.Millisecond
)

// stream reads the output of one command.
type stream struct {
	pipe    *os.File
	clean   cleaner
	capture *capture
	live    *live
	settled chan struct{} // closed when the output is complete; the fields of the next group are then at rest
	ended   chan struct{} // closed when nobody holds the other end any more

	text  string // the output, shortened
	spill string // the file that holds all of it, "" when text does
	log   string // the file that takes what is left behind prints, "" without

	mu     sync.Mutex
	exited time.Time // when the command ended, zero while it runs
	last   time.Time // when something came; used by the reading goroutine alone
}

func newStream(pipe *os.File, k *capture, l *live) *stream {
	s := &stream{pipe: pipe, capture: k, live: l, settled: make(chan struct{}), ended: make(chan struct{})}
	s.clean = cleaner{commit: k.Write, show: l.add}
	return s
}

// exit tells the stream that the command has ended.
func (s *stream) exit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exited = time.Now()
	s.pipe.SetReadDeadline(s.exited) // wakes a waiting read, which then reckons its deadline anew
}

// run reads until nobody can print any more. What a process left behind prints goes to the file of the capture, so that
// it neither blocks nor dies of a closed pipe.
func (s *stream) run() {
	defer close(s.ended)
	defer s.pipe.Close()
	buf := make([]byte, 64<<10)
	open := s.listen(buf)
	s.clean.finish()
	s.live.flush(time.Now())
	s.text = s.capture.String()
	s.spill = s.capture.path
	if !open {
		s.capture.done()
		close(s.settled)
		return
	}
	s.log = s.capture.keep()
	s.clean.show = func([]byte) {}
	s.pipe.SetReadDeadline(time.Time{})
	close(s.settled)
	s.drain(buf)
}

// follow reads the output of a process in the background until nobody can print any more.
func (s *stream) follow() {
	defer close(s.ended)
	defer s.pipe.Close()
	s.clean.show = func([]byte) {}
	close(s.settled)
	s.drain(make([]byte, 64<<10))
}

// abandon ends the reading soon: whoever still holds the pipe is not listened to.
func (s *stream) abandon() { s.pipe.SetReadDeadline(time.Now().Add(quiet)) }

// drain takes what is printed by processes left behind.
func (s *stream) drain(buf []byte) {
	defer s.capture.done()
	for {
		n, err := s.pipe.Read(buf)
		s.clean.feed(buf[:n])
		if err != nil {
			s.capture.pending(nil)
			s.clean.finish()
			return
		}
		s.capture.pending(s.clean.line)
	}
}

// listen reads until the output is complete and reports whether somebody still holds the pipe.
func (s *stream) listen(buf []byte) (open bool) {
	for {
		s.arm()
		n, err := s.pipe.Read(buf)
		now := time.Now()
		if n > 0 {
			s.last = now
			s.clean.feed(buf[:n])
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
		if !s.live.next.After(now) {
			s.clean.peek()
			s.live.flush(now)
		}
		if s.complete(now) {
			return true
		}
	}
}

// arm sets when the next read gives up: to show what waits, or to see whether the output is complete.
func (s *stream) arm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var d time.Time
	if len(s.live.buf) > 0 || s.clean.unseen() {
		d = s.live.next
	}
	if !s.exited.IsZero() {
		if e := s.end(); d.IsZero() || e.Before(d) {
			d = e
		}
	}
	s.pipe.SetReadDeadline(d)
}

// end is when the output counts as complete; the command has exited.
func (s *stream) end() time.Time {
	e := s.exited
	if s.last.After(e) {
		e = s.last
	}
	e = e.Add(quiet)
	if max := s.exited.Add(linger); max.Before(e) {
		return max
	}
	return e
}

func (s *stream) complete(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.exited.IsZero() && !now.Before(s.end())
}

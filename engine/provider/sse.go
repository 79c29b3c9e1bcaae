package provider

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Frame is one server-sent event. Data is its data lines joined by a line feed.
type Frame struct {
	Event, Data string
}

// MaxLine is the default cap for one event, 16 MiB: more than any honest reply, and memory stays bounded.
const MaxLine = 16 << 20

// readSize is the size of the buffer that a body is read through.
const readSize = 32 << 10

// ErrLineTooLong is the error of an event that passes the cap.
var ErrLineTooLong = errors.New("a line of the stream is too long")

// ReadSSE yields the events of r that hold data. It takes CRLF, a byte order mark, comments, a missing blank after the
// colon, several data lines, a last event without a line end, and a bare field `error: {...}`, which becomes an event
// "error". No event may have more than max bytes (0: 16 MiB). After the first error the sequence ends; the end of r is
// no error. What was read of an event before a read error is dropped.
func ReadSSE(r io.Reader, max int) iter.Seq2[Frame, error] {
	if max <= 0 {
		max = MaxLine
	}
	return func(yield func(Frame, error) bool) {
		for in := newEvents(bufio.NewReaderSize(r, readSize), max); ; {
			name, data, err := in.next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Frame{}, err)
				return
			}
			if !yield(Frame{name, string(data)}, nil) {
				return
			}
		}
	}
}

// events cuts a stream into its events without a copy of each.
type events struct {
	lines lineReader
	ev    event
	ended bool
}

func newEvents(r *bufio.Reader, max int) *events {
	return &events{lines: lineReader{r: r, max: max}, ev: event{max: max}}
}

// next returns the name and data of the next event that has any; data is valid until the call after. At the end of the
// stream the error is io.EOF.
func (s *events) next() (name string, data []byte, err error) {
	for !s.ended {
		line, err := s.lines.next()
		if err != nil && err != io.EOF {
			return "", nil, err
		}
		if ferr := s.ev.add(line); ferr != nil {
			return "", nil, ferr
		}
		s.ended = err == io.EOF
		if s.ended || len(line) == 0 {
			if name, data, ok := s.ev.take(); ok {
				return name, data, nil
			}
		}
	}
	return "", nil, io.EOF
}

// event gathers the lines of one event.
type event struct {
	name, last string // last is the name before this one: most streams have few, and repeat them
	data       []byte
	some       bool
	max        int
}

func (e *event) add(line []byte) error {
	if len(line) == 0 || line[0] == ':' {
		return nil
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		if string(value) != e.last {
			e.last = string(value)
		}
		e.name = e.last
	case "error":
		e.name = "error"
		fallthrough
	case "data":
		if e.some {
			e.data = append(e.data, '\n')
		}
		e.data, e.some = append(e.data, value...), true
		if len(e.data) > e.max {
			return fmt.Errorf("%w: an event of more than %d bytes", ErrLineTooLong, e.max)
		}
	}
	return nil
}

func (e *event) take() (name string, data []byte, ok bool) {
	name, data, ok = e.name, e.data, e.some && len(bytes.TrimSpace(e.data)) > 0
	e.name, e.data, e.some = "", e.data[:0], false
	return name, data, ok
}

// lineReader cuts at LF, CRLF and CR. A CR at the end of what has come is a line end at once: waiting for the LF would
// hold back the last event.
type lineReader struct {
	r      *bufio.Reader
	max    int
	line   []byte
	begun  bool
	skipLF bool
}

// next returns a line without its end, valid until the next call; at the end of the input it returns what is left with
// io.EOF.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for {
		if _, err := l.r.Peek(1); err != nil {
			return l.whole(l.line), err
		}
		piece, _ := l.r.Peek(l.r.Buffered()) // what is there, without waiting for more
		if l.skipLF {
			l.skipLF = false
			if piece[0] == '\n' {
				l.r.Discard(1)
				continue
			}
		}
		i := lineEnd(piece)
		if i < 0 {
			l.line = append(l.line, piece...)
			l.r.Discard(len(piece))
			if len(l.line) > l.max {
				return nil, fmt.Errorf("%w: more than %d bytes", ErrLineTooLong, l.max)
			}
			continue
		}
		l.skipLF = piece[i] == '\r'
		l.r.Discard(i + 1)
		if len(l.line) == 0 {
			return l.whole(piece[:i]), nil // the bytes stay where they are until the next Peek
		}
		l.line = append(l.line, piece[:i]...)
		return l.whole(l.line), nil
	}
}

// lineEnd is where the first LF or CR stands, -1 without one. IndexByte looks at many bytes at once.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

func (l *lineReader) whole(line []byte) []byte {
	if !l.begun {
		l.begun = true
		return bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line
}

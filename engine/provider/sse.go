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
		lines, ev := &lineReader{r: bufio.NewReaderSize(r, 32<<10), max: max}, &event{max: max}
		for {
			line, err := lines.next()
			if err != nil && err != io.EOF {
				yield(Frame{}, err)
				return
			}
			if ferr := ev.add(line); ferr != nil {
				yield(Frame{}, ferr)
				return
			}
			if err == io.EOF || len(line) == 0 {
				if f, ok := ev.take(); ok && !yield(f, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// event gathers the lines of one event.
type event struct {
	name string
	data []byte
	some bool
	max  int
}

func (e *event) add(line []byte) error {
	if len(line) == 0 || line[0] == ':' {
		return nil
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		e.name = string(value)
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

func (e *event) take() (Frame, bool) {
	f, ok := Frame{e.name, string(e.data)}, e.some && len(bytes.TrimSpace(e.data)) > 0
	e.name, e.data, e.some = "", e.data[:0], false
	return f, ok
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
			return l.whole(), err
		}
		piece, _ := l.r.Peek(l.r.Buffered()) // what is there, without waiting for more
		if l.skipLF {
			l.skipLF = false
			if piece[0] == '\n' {
				l.r.Discard(1)
				continue
			}
		}
		i := bytes.IndexAny(piece, "\r\n")
		if i < 0 {
			l.line = append(l.line, piece...)
			l.r.Discard(len(piece))
			if len(l.line) > l.max {
				return nil, fmt.Errorf("%w: more than %d bytes", ErrLineTooLong, l.max)
			}
			continue
		}
		l.skipLF = piece[i] == '\r'
		l.line = append(l.line, piece[:i]...)
		l.r.Discard(i + 1)
		return l.whole(), nil
	}
}

func (l *lineReader) whole() []byte {
	if !l.begun {
		l.begun = true
		return bytes.TrimPrefix(l.line, []byte("\xef\xbb\xbf"))
	}
	return l.line
}

package terminal

import (
	"bytes"
	"io"
	"time"
)

// The screen gets at most liveMax bytes every liveEvery: enough for everything a person can read, and a bound for the
// queue between engine and screen when a program prints gigabytes.
const (
	liveEvery = 50 * time.Millisecond
	liveMax   = 16 << 10
)

// live passes output on to the screen.
type live struct {
	out     io.Writer
	buf     []byte
	skipped bool
	next    time.Time // when the screen may get more; in the past when nothing was sent lately
}

func (l *live) add(p []byte) {
	if l.out == nil {
		return
	}
	l.buf = append(l.buf, p...)
	if len(l.buf) <= 2*liveMax {
		return
	}
	l.skipped = true
	rest := l.buf[len(l.buf)-liveMax:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[i+1:]
	}
	l.buf = append(l.buf[:0], bytes.TrimLeftFunc(rest, func(r rune) bool { return r == '\uFFFD' })...)
}

func (l *live) flush(now time.Time) {
	if len(l.buf) == 0 || l.out == nil {
		return
	}
	if l.skipped {
		l.out.Write([]byte("[…]\n")) // what the screen missed is in the result
		l.skipped = false
	}
	l.out.Write(l.buf)
	l.buf, l.next = l.buf[:0], now.Add(liveEvery)
}

package style

import (
	"bytes"
	"io"
)

// longestLine is how much of a line a Writer waits for, in bytes.
const longestLine = 64 << 10

// Writer hands lines on to W as Safe leaves them: for a terminal, and text that came from elsewhere. Flush hands on the
// last line when it has no end.
type Writer struct {
	W    io.Writer
	rest []byte
}

// Write keeps what is behind the last line end for later.
func (w *Writer) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 && len(w.rest) > longestLine {
		end = len(w.rest)
	}
	if end > 0 {
		if _, err := io.WriteString(w.W, Safe(string(w.rest[:end]))); err != nil {
			return 0, err
		}
		w.rest = append(w.rest[:0], w.rest[end:]...)
	}
	return len(p), nil
}

// Flush hands on what was kept.
func (w *Writer) Flush() error {
	_, err := io.WriteString(w.W, Safe(string(w.rest)))
	w.rest = nil
	return err
}

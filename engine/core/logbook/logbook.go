// Package logbook writes talaria.log: what nobody needs to read while all is well, such as why a request was repeated and
// what servers and hooks printed. It refuses to write what looks like a key.
package logbook

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"talaria/engine/guard"
)

// maxSize is how large the log may grow, in bytes, before the former one is dropped and this one put in its place.
const maxSize = 5 << 20

// writing keeps lines apart: one program has one log.
var writing sync.Mutex

// Book is the log file at Path; "" writes nothing. A failure to write it is swallowed, since there is nowhere to tell it
// that is not worse. It is safe for concurrent use.
type Book struct {
	Path string
	Now  func() time.Time
}

// Line writes one line, with the time before it.
func (b Book) Line(format string, args ...any) {
	b.append(b.Now().Format(time.RFC3339) + " " + fmt.Sprintf(format, args...) + "\n")
}

// Write takes whole lines; it never fails.
func (b Book) Write(p []byte) (int, error) {
	b.append(string(p))
	return len(p), nil
}

func (b Book) append(text string) {
	if b.Path == "" {
		return
	}
	text = guard.Redact(text)
	writing.Lock()
	defer writing.Unlock()
	if info, err := os.Stat(b.Path); err == nil && info.Size() > maxSize {
		_ = os.Rename(b.Path, b.Path+".1")
	}
	if os.MkdirAll(filepath.Dir(b.Path), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(b.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(text)
}

// Logger returns a logger that writes to b from level on: debug, info, warn or error; what is none of these is info.
// Whatever the redaction of the file does not know to be a key, mask must.
func (b Book) Logger(level string, mask func(string) string) *slog.Logger {
	var from slog.Level
	if from.UnmarshalText([]byte(strings.TrimSpace(level))) != nil {
		from = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: from, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindString {
			a.Value = slog.StringValue(mask(a.Value.String()))
		}
		return a
	}}))
}

package outside

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"talaria/engine/guard"
)

// maxLog is how large the log may grow, in bytes, before the former one is dropped and this one put in its place.
const maxLog = 5 << 20

// log is the file for what nobody needs to read while all is well: what servers and hooks print. A failure to write it is
// swallowed, since there is nowhere to tell it that is not worse.
type log struct {
	mu   sync.Mutex
	path string
	now  func() time.Time
}

func (l *log) write(format string, args ...any) {
	if l.path == "" {
		return
	}
	line := guard.Redact(fmt.Sprintf(format, args...))
	l.mu.Lock()
	defer l.mu.Unlock()
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		_ = os.Rename(l.path, l.path+".1")
	}
	if os.MkdirAll(filepath.Dir(l.path), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %s\n", l.now().Format(time.RFC3339), line)
}

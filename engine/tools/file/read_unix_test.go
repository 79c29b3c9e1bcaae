//go:build unix

package file

import (
	"path/filepath"
	"syscall"
	"testing"

	"talaria/engine"
)

// A read of a FIFO without a writer would wait for ever; this test then ends by the test run's own limit.
func TestL14AFIFOIsRefusedWithoutWaiting(t *testing.T) {
	d := newDesk(t)
	if err := syscall.Mkfifo(filepath.Join(d.dir, "pipe"), 0o600); err != nil {
		t.Skipf("no FIFO here: %v", err)
	}
	expect(t, d.do("read_file", m{"path": "pipe"}), engine.StatusFailed, "named pipe")
	expect(t, d.do("write_file", m{"path": "pipe", "content": "x"}), engine.StatusFailed, "named pipe")
	expect(t, d.do("search_files", m{"pattern": "x", "path": "pipe"}), engine.StatusFailed, "named pipe")
	d.put("a.txt", "needle\n")
	expect(t, d.do("search_files", m{"pattern": "needle"}), engine.StatusDone, "1 match in 1 file")
	if _, err := openRegular(filepath.Join(d.dir, "pipe")); err == nil {
		t.Fatal("a file that became a FIFO is opened")
	}
}

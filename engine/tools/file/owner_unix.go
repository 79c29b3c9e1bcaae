//go:build unix

package file

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f the owner of old. Only root can do so for another user's file; whoever cannot keeps their own.
func keepOwner(f *os.File, old fs.FileInfo) {
	want, ok1 := old.Sys().(*syscall.Stat_t)
	info, err := f.Stat()
	if err != nil || !ok1 {
		return
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && (have.Uid != want.Uid || have.Gid != want.Gid) {
		_ = f.Chown(int(want.Uid), int(want.Gid))
	}
}

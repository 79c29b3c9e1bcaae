package prompt

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Bounds of a look at the files of a repository: entries of its index, time, and bytes of one file that is read.
const (
	mostEntries = 50_000
	lookTime    = 150 * time.Millisecond
	mostHashed  = 1 << 20
)

// Changed counts the tracked files below root that differ from what git last took in, by reading its index and looking
// at the files. Nothing is run: a repository may name programs that git starts. Ok is false when it cannot be told soon.
func Changed(root string) (n int, ok bool) {
	meta, err := gitDir(filepath.Join(root, ".git"))
	if err != nil {
		return 0, false
	}
	data, err := os.ReadFile(filepath.Join(meta, "index"))
	if err != nil || len(data) < 12 || string(data[:4]) != "DIRC" {
		return 0, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version != 2 && version != 3 || count > mostEntries {
		return 0, false
	}
	until := time.Now().Add(lookTime)
	at := data[12:]
	for range count {
		e, size, err := readEntry(at)
		if err != nil || time.Now().After(until) {
			return 0, false
		}
		at = at[size:]
		if e.changed(root) {
			n++
		}
	}
	return n, true
}

// State says in words what Changed counts; "" when it is not known.
func State(root string) string {
	n, ok := 0, root != ""
	if ok {
		n, ok = Changed(root)
	}
	switch {
	case !ok:
		return ""
	case n == 0:
		return "no tracked file differs from what git last took in"
	}
	return fmt.Sprintf("tracked files that differ from what git last took in: %d", n)
}

// entry is a file in the index. Skipped ones are not to be looked at.
type entry struct {
	name       string
	sec, nsec  uint32
	size, mode uint32
	hash       []byte
	skipped    bool
}

// readEntry reads the entry at the beginning of b and says how long it is.
func readEntry(b []byte) (e entry, size int, err error) {
	const fixed, assumed, extended, skip = 62, 0x8000, 0x4000, 0x4000
	short := fmt.Errorf("the index ends inside an entry")
	if len(b) < fixed+2 {
		return e, 0, short
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }
	e.sec, e.nsec, e.mode, e.size, e.hash = word(8), word(12), word(24), word(36), b[40:60]
	flags, from := binary.BigEndian.Uint16(b[60:]), fixed
	e.skipped = flags&assumed != 0
	if flags&extended != 0 {
		e.skipped = e.skipped || binary.BigEndian.Uint16(b[62:])&skip != 0
		from += 2
	}
	end := bytes.IndexByte(b[from:], 0)
	if end < 0 {
		return e, 0, short
	}
	e.name = string(b[from : from+end])
	size = (from + end + 8) / 8 * 8 // one to eight zeros fill up
	if size > len(b) {
		return e, 0, short
	}
	return e, size, nil
}

// changed reports whether the file is another than the index has. One that was only touched is read, as git does.
func (e entry) changed(root string) bool {
	const kind, plain = 0o170000, 0o100000
	if e.skipped || e.mode&kind != plain || !filepath.IsLocal(filepath.FromSlash(e.name)) {
		return false // links, submodules and folders are not looked at
	}
	path := filepath.Join(root, filepath.FromSlash(e.name))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return true
	}
	mtime := info.ModTime()
	switch {
	case uint32(info.Size()) != e.size:
		return true
	case uint32(mtime.Unix()) == e.sec && (e.nsec == 0 || uint32(mtime.Nanosecond()) == e.nsec):
		return false
	case info.Size() > mostHashed:
		return true
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return true
	}
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...))
	return !bytes.Equal(sum[:], e.hash)
}

package terminal

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"unicode/utf8"
)

// Sizes of a result in characters (BEHAVIOUR 8.16: 50,000, of which 40 % are the beginning), and of the file that holds
// the whole output in bytes.
const (
	headChars = 20_000
	tailChars = 30_000
	spillMax  = 100 << 20
)

// capture keeps the beginning and the end of an output, and from the moment it is too long, all of it in a file. It may
// be read while it is written.
type capture struct {
	open func(begin string) (path string, err error) // makes the file with what came so far
	mask func(string) string                         // takes secrets out of what the file gets; nil: nothing

	mu    sync.Mutex
	head  []byte
	tail  []byte
	nhead int    // characters in head
	total int    // characters in all
	rest  []byte // the unfinished line of a process in the background

	path    string
	file    *os.File
	written int
	err     error // why there is no file
}

// Write takes the next whole characters.
func (k *capture) Write(p []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := utf8.RuneCount(p)
	if k.total+n > headChars+tailChars {
		k.spill()
	}
	k.save(p)
	k.total += n
	if room := headChars - k.nhead; room > 0 {
		cut := prefix(p, room)
		k.head = append(k.head, p[:cut]...)
		k.nhead += utf8.RuneCount(p[:cut])
		p = p[cut:]
	}
	k.tail = append(k.tail, p...)
	if len(k.tail) > 8*tailChars {
		k.tail = append(k.tail[:0], suffix(k.tail, tailChars)...)
	}
}

// keep starts the file, if it is not started yet, and returns its path; "" without one.
func (k *capture) keep() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.spill()
	return k.path
}

// pending sets the unfinished line.
func (k *capture) pending(line []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rest = append(k.rest[:0], line...)
}

// recent returns what is in memory of the end of the output, the unfinished line included: at least the last tailChars
// characters. whole is false when the beginning is missing.
func (k *capture) recent() (text string, whole bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.total == k.nhead+utf8.RuneCount(k.tail) {
		return string(k.head) + string(k.tail) + string(k.rest), true
	}
	return string(k.tail) + string(k.rest), false
}

func (k *capture) size() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.total
}

// spill starts the file, once.
func (k *capture) spill() {
	if k.file != nil || k.err != nil {
		return
	}
	k.path, k.err = k.open(k.masked(string(k.head) + string(k.tail)))
	if k.err != nil {
		return
	}
	k.written = len(k.head) + len(k.tail)
	k.file, k.err = os.OpenFile(k.path, os.O_APPEND|os.O_WRONLY, 0o600)
}

func (k *capture) save(p []byte) {
	if k.file == nil || k.written > spillMax {
		return
	}
	p = []byte(k.masked(string(p)))
	k.written += len(p)
	if k.written > spillMax {
		p = []byte("\n[this file ends here: the output goes on]\n")
	}
	if _, err := k.file.Write(p); err != nil {
		k.err = err
		k.close()
	}
}

func (k *capture) masked(s string) string {
	if k.mask == nil {
		return s
	}
	return k.mask(s)
}

// done closes the file.
func (k *capture) done() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.close()
}

func (k *capture) close() {
	if k.file != nil {
		k.file.Close()
		k.file = nil
	}
}

// String returns the output, or its beginning and its end with the number of characters left out between.
func (k *capture) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	tail := suffix(k.tail, tailChars)
	left := k.total - k.nhead - utf8.RuneCount(tail)
	if left == 0 {
		return string(k.head) + string(tail)
	}
	return fmt.Sprintf("%s\n[%s of %s characters left out here; %s]\n%s", k.head, grouped(left), grouped(k.total), k.where(), tail)
}

func (k *capture) where() string {
	switch {
	case k.err != nil:
		return "the whole output could not be kept: " + k.err.Error()
	case k.written > spillMax:
		return fmt.Sprintf("the first %d MB are in %s", spillMax>>20, k.path)
	}
	return "the whole output is in " + k.path
}

// prefix is how many bytes the first n characters of p take.
func prefix(p []byte, n int) int {
	if len(p) <= n {
		return len(p)
	}
	i := 0
	for ; n > 0 && i < len(p); n-- {
		_, size := utf8.DecodeRune(p[i:])
		i += size
	}
	return i
}

// suffix returns the last n characters of p.
func suffix(p []byte, n int) []byte {
	i := len(p)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRune(p[:i])
		i -= size
	}
	return p[i:]
}

func grouped(n int) string {
	s := []byte(strconv.Itoa(n))
	for i := len(s) - 3; i > 0; i -= 3 {
		s = bytes.Join([][]byte{s[:i], s[i:]}, []byte{','})
	}
	return string(s)
}

package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
)

// Before returns at least the last n records of the journal of id whose number is below seq, if it has so many; all of
// them for n <= 0, and a seq of 0 is the end. It needs no lock, and it reads backwards from there, so that a page of a
// long session costs no more than one of a short one.
func Before(dir, id string, seq uint64, n int) ([]Entry, error) {
	f, err := os.Open(Path(dir, id))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	end := info.Size()
	if seq > 0 {
		if end, err = find(f, end, seq); err != nil {
			return nil, err
		}
	}
	for window := int64(256 << 10); ; window *= 4 {
		from := max(0, end-window)
		if n <= 0 {
			from = 0
		}
		data := make([]byte, end-from)
		if _, err := f.ReadAt(data, from); err != nil {
			return nil, err
		}
		if from > 0 {
			_, data, _ = bytes.Cut(data, []byte("\n"))
		}
		if recs := Read(data).Recs; len(recs) >= n || from == 0 {
			return Union(recs, nil), nil
		}
	}
}

// find returns where the line of the first record stands whose number is seq or higher, size when there is none. Numbers
// rise through a journal.
func find(f *os.File, size int64, seq uint64) (int64, error) {
	below, from := int64(0), size // all lines before below are below seq, all from from on are not
	for below < from {
		mid := below + (from-below)/2
		at, got, err := numbered(f, mid, from)
		if err != nil {
			return 0, err
		}
		if got == 0 || got >= seq {
			from = mid // none begins between mid and from, or one that is not below
		} else {
			below = at + 1
		}
	}
	at, _, err := numbered(f, from, size)
	return at, err
}

// numbered is the first record that begins at from or after it, and before to: where it stands, and its number. Without
// one, at is to and the number 0.
func numbered(f *os.File, from, to int64) (at int64, seq uint64, err error) {
	at = from
	r := bufio.NewReaderSize(io.NewSectionReader(f, max(0, from-1), math.MaxInt64-from), 4<<10)
	if from > 0 {
		skipped, err := skip(r)
		if at = from - 1 + skipped; err != nil {
			return to, 0, ended(err)
		}
	}
	for at < to {
		head, _ := r.Peek(len(seqHead) + 20)
		if rest, ok := bytes.CutPrefix(head, []byte(seqHead)); ok {
			if i := bytes.IndexByte(rest, ','); i > 0 {
				if n, err := strconv.ParseUint(string(rest[:i]), 10, 64); err == nil && n > 0 {
					return at, n, nil
				}
			}
		}
		skipped, err := skip(r)
		if at += skipped; err != nil {
			return to, 0, ended(err)
		}
	}
	return to, 0, nil
}

// skip reads to behind the next line end and returns how many bytes that took.
func skip(r *bufio.Reader) (n int64, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if n += int64(len(piece)); !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

// ended is nil for the end of a file, which is no failure.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

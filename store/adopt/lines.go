package adopt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// longest is the size in bytes of the longest line that is read; a longer one counts as damaged. Screenshots as base64
// are the largest things that these files hold.
const longest = 64 << 20

// eachLine hands the lines of r to f, numbered from 0, without their ends; empty lines are left out. It returns how many
// were too long. The line is good until f returns.
func eachLine(r io.Reader, f func(n int, line []byte) error) (long int, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	over := false
	for n := 0; ; n++ {
		line, over = line[:0], false
		for {
			piece, err := in.ReadSlice('\n')
			if over = over || len(line)+len(piece) > longest; !over {
				line = append(line, piece...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && err != io.EOF {
				return long, err
			}
			if over {
				long++
			} else if text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))); len(text) > 0 {
				if err := f(n, text); err != nil {
					return long, err
				}
			}
			if err == io.EOF {
				return long, nil
			}
			break
		}
	}
}

// decode reads data into v and reports whether it is JSON. A field of another type than expected stays empty: the rest of
// the record is still good.
func decode(data []byte, v any) bool {
	err := json.Unmarshal(data, v)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// instant reads a time as these programs write it: a text with or without a zone, or seconds since 1970. Zero if it is none.
func instant(raw json.RawMessage) time.Time {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
			if t, err := time.ParseInLocation(layout, text, time.Local); err == nil && reasonable(t) {
				return t
			}
		}
		return time.Time{}
	}
	var seconds float64
	if json.Unmarshal(raw, &seconds) == nil && seconds > 0 {
		if seconds > 1e11 {
			seconds /= 1000 // milliseconds
		}
		if seconds < 1e11 {
			if t := time.Unix(0, int64(seconds*1e6)*1000); reasonable(t) {
				return t
			}
		}
	}
	return time.Time{}
}

// reasonable keeps out times that no session has and that keys and JSON cannot hold.
func reasonable(t time.Time) bool { return t.Year() >= 2000 && t.Year() < 2200 }

package logbook

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/guard"
)

// Entry is one line of a log that is read.
type Entry struct {
	At      time.Time `json:"at,omitzero"`
	Session bool      `json:"session"` // it stands in the session's journal, else in talaria.log
	Text    string    `json:"text"`
}

var logTime = regexp.MustCompile(`^(?:time=)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))`)

// Read reads the log and the one before it. A line without a time has that of the line above.
func Read(path string) ([]Entry, error) {
	var list []Entry
	var at time.Time
	for _, file := range []string{path + ".1", path} {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the log: %w", err)
		}
		r := bufio.NewReader(f)
		for {
			text, err := r.ReadString('\n')
			if text = strings.TrimRight(text, "\n"); text != "" {
				if m := logTime.FindStringSubmatch(text); m != nil {
					if t, err := time.Parse(time.RFC3339Nano, m[1]); err == nil {
						at = t
					}
				}
				list = append(list, Entry{At: at, Text: text})
			}
			if err != nil {
				f.Close()
				if err != io.EOF {
					return nil, fmt.Errorf("read the log: %w", err)
				}
				break
			}
		}
	}
	return list, nil
}

// Told is what records tell of what went wrong and what was done about it.
func Told(recs []engine.Record) []Entry {
	var list []Entry
	add := func(r engine.Record, format string, args ...any) {
		text := r.At.Local().Format(time.RFC3339) + " session: " + fmt.Sprintf(format, args...)
		list = append(list, Entry{At: r.At, Session: true, Text: guard.Redact(text)})
	}
	for _, r := range recs {
		if n, ok := r.Event.(engine.Noted); ok {
			add(r, "%s: %s", n.Kind, n.Text)
		}
		e, ok := r.Event.(engine.Ended)
		if !ok {
			continue
		}
		for _, again := range e.Outcome.Recoveries {
			add(r, "%s after %s (%s/%s, waited %d ms)", again.Action, again.Reason, again.Provider, again.Model, again.AfterMS)
		}
		if err := e.Outcome.Err; err != nil {
			add(r, "turn ended %s: %s (%s)", e.Why, err.Message, err.Reason)
		}
	}
	return list
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"talaria/engine"
	"talaria/engine/guard"
	"talaria/store"
	"talaria/store/meter"
)

// showUsage lists tokens and cost by day and model.
func showUsage(c *cmdline) error {
	return c.withStore(func(ctx context.Context, s engine.Store) error {
		m, ok := s.(store.Metered)
		if !ok {
			return errors.New("nothing is known of the usage of these sessions")
		}
		days, err := m.Usage(ctx)
		if err != nil {
			return err
		}
		if days == nil {
			days = []meter.Day{}
		}
		lines := []string{fmt.Sprintf("%-10s  %-36s  %8s  %12s  %12s  %12s  %10s", "day", "model", "requests", "input", "of it cached", "output", "cost")}
		var all engine.Usage
		sum, requests, unknown := 0.0, 0, false
		for _, d := range days {
			lines = append(lines, usageLine(d.Date, d.Model, d.Requests, d.Usage, d.Cost))
			all, requests = all.Add(d.Usage), requests+d.Requests
			if unknown = unknown || d.Cost == nil; d.Cost != nil {
				sum += *d.Cost
			}
		}
		switch {
		case len(days) == 0:
			lines = []string{"Nothing was used yet."}
		case unknown:
			lines = append(lines, usageLine("all", "", requests, all, nil), fmt.Sprintf("Priced so far: $%.4f. ? is a model whose price is not known.", sum))
		default:
			lines = append(lines, usageLine("all", "", requests, all, &sum))
		}
		return c.print(days, lines...)
	})
}

func usageLine(day, model string, n int, u engine.Usage, cost *float64) string {
	price := "?"
	if cost != nil {
		price = fmt.Sprintf("$%.4f", *cost)
	}
	return fmt.Sprintf("%-10s  %-36s  %8d  %12d  %12d  %12d  %10s", day, safe(model), n, u.Input, u.CacheRead, u.Output, price)
}

// logLine is one line that showLogs tells.
type logLine struct {
	At      time.Time `json:"at,omitzero"`
	Session bool      `json:"session"` // it stands in the session's journal, else in talaria.log
	Text    string    `json:"text"`
}

// newestLog is how many lines of the log are shown.
const newestLog = 200

// showLogs shows the end of talaria.log; with --session what was logged while that session lived, and what its own
// journal tells of warnings, failures and repeated requests.
func showLogs(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	list, err := readLog(p.paths.Log)
	if err != nil {
		return err
	}
	if ref, ok := c.opts["--session"]; ok {
		err := c.withStore(func(ctx context.Context, s engine.Store) error {
			one, err := s.Find(ctx, ref, "")
			if err != nil {
				return fmt.Errorf("find session %q: %w", ref, err)
			}
			recs, err := s.Tail(ctx, one.ID, 0)
			if err != nil {
				return err
			}
			list = slices.DeleteFunc(list, func(l logLine) bool {
				return l.At.Before(one.Created.Truncate(time.Second)) || l.At.After(one.Updated.Add(time.Second))
			})
			list = append(list, logged(recs)...)
			slices.SortStableFunc(list, func(a, b logLine) int { return a.At.Compare(b.At) })
			return nil
		})
		if err != nil {
			return err
		}
	} else if len(list) > newestLog {
		list = list[len(list)-newestLog:]
	}
	lines := []string{}
	for _, l := range list {
		lines = append(lines, safe(l.Text))
	}
	if len(list) == 0 {
		list, lines = []logLine{}, []string{"Nothing was logged. The log is " + p.paths.Log + "; TALARIA_LOG=debug says more."}
	}
	return c.print(list, lines...)
}

var logTime = regexp.MustCompile(`^(?:time=)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))`)

// readLog reads the log and the one before it. A line without a time has that of the line above.
func readLog(path string) ([]logLine, error) {
	var list []logLine
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
				list = append(list, logLine{At: at, Text: text})
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

// logged is what records tell of what went wrong and what was done about it.
func logged(recs []engine.Record) []logLine {
	var list []logLine
	add := func(r engine.Record, format string, args ...any) {
		text := r.At.Local().Format(time.RFC3339) + " session: " + fmt.Sprintf(format, args...)
		list = append(list, logLine{At: r.At, Session: true, Text: guard.Redact(text)})
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

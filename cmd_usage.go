package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/engine"
	"talaria/engine/core/logbook"
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

// newestLog is how many lines of the log are shown.
const newestLog = 200

// showLogs shows the end of talaria.log; with --session what was logged while that session lived, and what its own
// journal tells of warnings, failures and repeated requests.
func showLogs(c *cmdline) error {
	p, err := c.program()
	if err != nil {
		return err
	}
	list, err := logbook.Read(p.paths.Log)
	if err != nil {
		return err
	}
	if ref, ok := c.opts["--session"]; ok {
		err := c.withStore(func(ctx context.Context, s engine.Store) error {
			one, err := s.Find(ctx, ref, "")
			if err != nil {
				return sought(err)
			}
			recs, err := s.Tail(ctx, one.ID, 0)
			if err != nil {
				return err
			}
			list = slices.DeleteFunc(list, func(l logbook.Entry) bool {
				return l.At.Before(one.Created.Truncate(time.Second)) || l.At.After(one.Updated.Add(time.Second))
			})
			list = append(list, logbook.Told(recs)...)
			slices.SortStableFunc(list, func(a, b logbook.Entry) int { return a.At.Compare(b.At) })
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
		list, lines = []logbook.Entry{}, []string{"Nothing was logged. The log is " + p.paths.Log + "; TALARIA_LOG=debug says more."}
	}
	return c.print(list, lines...)
}

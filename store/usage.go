package store

import (
	"context"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/journal"
)

// Meter is a store that knows what was used.
type Meter interface {
	// Usage returns what was used by day and model, oldest day first.
	Usage(ctx context.Context) ([]UsageDay, error)
}

// UsageDay is what one model used on one day, in tokens and requests, over all sessions. Cost is in US dollars, nil when
// a part of it has no price.
type UsageDay struct {
	Day      string       `json:"day"` // YYYY-MM-DD, local time
	Model    string       `json:"model"`
	Requests int          `json:"requests"`
	Usage    engine.Usage `json:"usage"`
	Cost     *float64     `json:"cost_usd"`
}

// meter adds what the records of a session used to the sums of their days. Before is what the session had cost when the
// last record was added; nil when that is not known.
type meter struct {
	tx     *bolt.Tx
	model  string
	before *float64
}

// costBefore is what a session had cost by its record number folded: the newest sum at or before it. Steps end with one,
// so few records are looked at.
func costBefore(messages *bolt.Bucket, folded uint64) *float64 {
	c := messages.Cursor()
	k, v := c.Seek(seqKey(folded))
	if k == nil {
		k, v = c.Last()
	}
	for ; k != nil && folded > 0; k, v = c.Prev() {
		if len(v) == 0 || v[0] != '{' { // compressed: too long for a sum
			continue
		}
		if e := journal.EntryOf(v); e.Seq > folded || e.Type() != "used" && e.Type() != "opened" {
			continue
		} else if cost, ok := costAt(e); ok {
			return cost
		}
	}
	return new(float64)
}

// costAt is the session's whole cost as a record tells it. A session that goes on for a compressed one begins with what
// that one had cost.
func costAt(e journal.Entry) (cost *float64, ok bool) {
	event := e.Record().Event
	if used, is := event.(engine.Used); is {
		return used.Cost, true
	}
	opened, is := event.(engine.Opened)
	return opened.Session.Cost, is
}

// add counts a record.
func (m *meter) add(e journal.Entry) error {
	kind := e.Type()
	if kind != "used" && kind != "opened" && kind != "began" {
		return nil
	}
	rec := e.Record()
	if began, ok := rec.Event.(engine.Began); ok && began.Route.Model != "" {
		m.model = began.Route.Model
	}
	cost, ok := costAt(e)
	if !ok {
		return nil
	}
	before := m.before
	m.before = cost
	used, ok := rec.Event.(engine.Used)
	if !ok {
		return nil
	}
	var paid *float64
	if cost != nil && before != nil {
		paid = new(float64)
		*paid = max(0, *cost-*before)
	}
	return m.put(UsageDay{Day: rec.At.Local().Format("2006-01-02"), Model: m.model, Requests: 1, Usage: used.Usage, Cost: paid})
}

func (m *meter) put(one UsageDay) error {
	key := []byte(one.Day + "\x00" + clip(one.Model))
	b := m.tx.Bucket(bucketUsage)
	if v := b.Get(key); v != nil {
		var sum UsageDay
		if err := json.Unmarshal(v, &sum); err != nil {
			return fmt.Errorf("read usage of %s: %w", one.Day, err)
		}
		one.Requests, one.Usage = sum.Requests+one.Requests, sum.Usage.Add(one.Usage)
		if one.Cost != nil && sum.Cost != nil {
			*one.Cost += *sum.Cost
		} else {
			one.Cost = nil
		}
	}
	v, err := engine.Marshal(one)
	if err != nil {
		return fmt.Errorf("store usage of %s: %w", one.Day, err)
	}
	return b.Put(key, v)
}

// Usage returns what was used by day and model, oldest day first, killed sessions included.
func (d *disk) Usage(ctx context.Context) (days []UsageDay, err error) {
	if err := d.sweep(ctx); err != nil {
		d.db.Note("%v", err) // what the database has is still worth showing
	}
	err = d.db.View(ctx, func(tx *bolt.Tx) error {
		days = nil
		return tx.Bucket(bucketUsage).ForEach(func(_, v []byte) error {
			var one UsageDay
			if err := json.Unmarshal(v, &one); err != nil {
				return fmt.Errorf("read usage: %w", err)
			}
			days = append(days, one)
			return nil
		})
	})
	return days, err
}

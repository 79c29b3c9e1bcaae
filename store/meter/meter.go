// Package meter sums what was used by day and model: tokens, requests and money, over all sessions. It works inside the
// transaction that stores the records, so that nothing is counted twice. It refuses to guess a price: what is not known
// makes the sum unknown.
package meter

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"talaria/engine"
	"talaria/store/journal"
)

// Day is what one model used on one day, in tokens and requests, over all sessions. Cost is in US dollars, nil when
// a part of it has no price.
type Day struct {
	Date     string       `json:"day"` // YYYY-MM-DD, local time
	Model    string       `json:"model"`
	Requests int          `json:"requests"`
	Usage    engine.Usage `json:"usage"`
	Cost     *float64     `json:"cost_usd"`
}

// Bucket holds the sums, by day and model. They are derived: a rebuild counts anew.
const Bucket = "usage"

// Meter adds what the records of a session used to the sums of their days.
type Meter struct {
	days   *bolt.Bucket
	model  string
	before *float64 // what the session had cost when the last record was added; nil when that is not known
}

// New returns the meter of a session whose model is model. Messages are its records in the database, complete up to
// number folded.
func New(tx *bolt.Tx, model string, messages *bolt.Bucket, folded uint64) *Meter {
	return &Meter{days: tx.Bucket([]byte(Bucket)), model: model, before: costBefore(messages, folded)}
}

// All returns the sums, oldest day first.
func All(tx *bolt.Tx) ([]Day, error) {
	days := []Day{}
	err := tx.Bucket([]byte(Bucket)).ForEach(func(_, v []byte) error {
		var one Day
		if err := json.Unmarshal(v, &one); err != nil {
			return fmt.Errorf("read usage: %w", err)
		}
		days = append(days, one)
		return nil
	})
	return days, err
}

// costBefore is what a session had cost by its record number folded: the newest sum at or before it. Steps end with one,
// so few records are looked at.
func costBefore(messages *bolt.Bucket, folded uint64) *float64 {
	c := messages.Cursor()
	k, v := c.Seek(binary.BigEndian.AppendUint64(nil, folded))
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

// Add counts a record, if it tells of a request.
func (m *Meter) Add(e journal.Entry) error {
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
	return m.put(Day{Date: rec.At.Local().Format("2006-01-02"), Model: m.model, Requests: 1, Usage: used.Usage, Cost: paid})
}

// longest is how many bytes of a model's name are part of the key; the database takes 32 KB.
const longest = 4096

func (m *Meter) put(one Day) error {
	key := []byte(one.Date + "\x00" + one.Model[:min(len(one.Model), longest)])
	if v := m.days.Get(key); v != nil {
		var sum Day
		if err := json.Unmarshal(v, &sum); err != nil {
			return fmt.Errorf("read usage of %s: %w", one.Date, err)
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
		return fmt.Errorf("store usage of %s: %w", one.Date, err)
	}
	return m.days.Put(key, v)
}

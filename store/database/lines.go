package database

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// line is a row of what was typed.
type line struct {
	Dir  string    `json:"dir"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// LinesOf are the texts of the newest n rows of a directory, whose keys begin with prefix and end in a number of eight
// bytes; all for n <= 0. Another directory may have the same prefix.
func LinesOf(b *bolt.Bucket, prefix []byte, dir string, n int) []string {
	c := b.Cursor()
	k, v := c.Seek(append(bytes.Clone(prefix), bytes.Repeat([]byte{0xff}, 8)...))
	if k == nil {
		k, v = c.Last()
	}
	var texts []string
	for ; k != nil && bytes.Compare(k, prefix) > 0 && (n <= 0 || len(texts) < n); k, v = c.Prev() {
		var one line
		if bytes.HasPrefix(k, prefix) && json.Unmarshal(v, &one) == nil && one.Dir == dir {
			texts = append(texts, one.Text)
		}
	}
	return texts
}

// Lines are the texts of the newest n rows of a bucket whose rows say when they were written ("text", "at"), newest
// first; all for n <= 0.
func Lines(b *bolt.Bucket, n int) []string {
	var all []line
	_ = b.ForEach(func(_, v []byte) error { // the function never fails
		var one line
		if json.Unmarshal(v, &one) == nil {
			all = append(all, one)
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b line) int { return b.At.Compare(a.At) })
	var texts []string
	for _, one := range all {
		if n > 0 && len(texts) == n {
			break
		}
		texts = append(texts, one.Text)
	}
	return texts
}

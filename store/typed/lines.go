package typed

import (
	"bytes"
	"encoding/json"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// linesOf are the texts of the newest n rows of a directory; all for n <= 0. Another directory may have the same prefix.
func linesOf(b *bolt.Bucket, dir string, n int) []string {
	prefix := prefixOf(dir)
	c := b.Cursor()
	k, v := c.Seek(append(bytes.Clone(prefix), bytes.Repeat([]byte{0xff}, 8)...))
	if k == nil {
		k, v = c.Last()
	}
	var texts []string
	for ; k != nil && bytes.Compare(k, prefix) > 0 && (n <= 0 || len(texts) < n); k, v = c.Prev() {
		var one sent
		if bytes.HasPrefix(k, prefix) && json.Unmarshal(v, &one) == nil && one.Dir == dir {
			texts = append(texts, one.Text)
		}
	}
	return texts
}

// newestOf are the texts of the newest n rows of a bucket whose rows say when they were written ("text", "at"), newest
// first; all for n <= 0.
func newestOf(b *bolt.Bucket, n int) []string {
	var all []sent
	_ = b.ForEach(func(_, v []byte) error { // the function never fails
		var one sent
		if json.Unmarshal(v, &one) == nil {
			all = append(all, one)
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b sent) int { return b.At.Compare(a.At) })
	var texts []string
	for _, one := range all {
		if n > 0 && len(texts) == n {
			break
		}
		texts = append(texts, one.Text)
	}
	return texts
}

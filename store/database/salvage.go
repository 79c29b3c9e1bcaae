package database

import (
	"slices"

	bolt "go.etcd.io/bbolt"
)

// item is one key of a damaged database; path holds the buckets that lead to it.
type item struct {
	path       [][]byte
	key, value []byte
}

// salvageBatch bounds the memory that a rebuild holds at a time, in bytes.
const salvageBatch = 8 << 20

// salvage copies what can be read of the damaged file at path into the new database and returns the number of keys
// copied: drafts, history and titles are nowhere else.
func (d *DB) salvage(path string) int {
	total, batch, size := 0, []item(nil), 0
	flush := func() {
		if d.once(true, func(tx *bolt.Tx) error { return d.putItems(tx, batch) }) == nil {
			total += len(batch)
		}
		batch, size = nil, 0
	}
	old := &DB{dir: d.dir, file: path}
	for _, name := range d.layout.Buckets {
		if slices.Contains(d.layout.Derived, name) {
			continue
		}
		// Each bucket in a transaction of its own: a fault in one must not end the reading of the next.
		_ = old.once(false, func(tx *bolt.Tx) error {
			if b := tx.Bucket([]byte(name)); b != nil {
				eachItem(b, [][]byte{[]byte(name)}, func(i item) {
					batch, size = append(batch, i), size+len(i.key)+len(i.value)
					if size > salvageBatch {
						flush()
					}
				})
			}
			return nil
		})
	}
	flush()
	return total
}

func eachItem(b *bolt.Bucket, path [][]byte, take func(item)) {
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		key := append([]byte(nil), k...)
		if v != nil {
			take(item{path, key, append([]byte{}, v...)})
		} else if inner := b.Bucket(k); inner != nil {
			eachItem(inner, append(path[:len(path):len(path)], key), take)
		}
	}
}

func (d *DB) putItems(tx *bolt.Tx, items []item) error {
	for _, i := range items {
		b := tx.Bucket(i.path[0])
		if d.layout.Mend != nil {
			i.value = d.layout.Mend(string(i.path[0]), i.value)
		}
		for _, name := range i.path[1:] {
			var err error
			if b, err = b.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		if err := b.Put(i.key, i.value); err != nil {
			return err
		}
	}
	return nil
}

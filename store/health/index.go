package health

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	bolt "go.etcd.io/bbolt"

	"talaria/store/database"
	"talaria/store/follow"
	"talaria/store/hit"
	"talaria/store/journal"
	"talaria/store/search"
)

// repairIndex is the advice for an index that does not find what is there.
const repairIndex = "talaria doctor --repair makes the search index anew"

// mostSamples is how many sessions are looked up in the index.
const mostSamples = 50

// sample is a place in the index and words that stand there.
type sample struct {
	place search.Place
	last  uint64 // the record that the words are from
	words search.Words
}

// sampleOf takes words from the newest message of a journal.
func sampleOf(j journal.Resting) (s sample, ok bool) {
	for i := len(j.Scan.Recs) - 1; i >= 0; i-- {
		e := j.Scan.Recs[i]
		text := strings.Fields(hit.Text([]journal.Entry{e}))
		words := search.Parse(strings.Join(text[:min(len(text), 3)], " ") + " ") // whole words
		if !words.Empty() {
			return sample{search.Place{Session: j.ID, Block: search.BlockOf(e.Seq)}, e.Seq, words}, true
		}
	}
	return s, false
}

// checkIndex opens the search index, compares its size with what was put into it, and looks up the samples.
func checkIndex(ctx context.Context, dir string, db *database.DB, samples []sample, r *Report) {
	index := search.New(dir)
	upTo, waiting := map[string]uint64{}, 0
	if err := db.Look(ctx, func(tx *bolt.Tx) error {
		clear(upTo)
		waiting = 0
		return errors.Join(each(tx, follow.Queue, func(_ string, _ []byte) { waiting++ }),
			each(tx, follow.Indexed, func(id string, v []byte) {
				if len(v) == 8 {
					upTo[id] = binary.BigEndian.Uint64(v)
				}
			}))
	}); err != nil {
		return // told with the database
	}
	if !index.Exists() {
		if len(upTo)+waiting > 0 {
			r.Add("search", OK, "there is no search index; the next search makes it", "")
		}
		return
	}
	most := uint64(0) // a block without text has no entry
	for _, n := range upTo {
		most += search.BlockOf(max(n, 1)) + 1
	}
	var entries uint64
	lost := 0
	err := index.Read(ctx, func(x *search.Reader) (err error) {
		if entries, err = x.Count(); err != nil {
			return err
		}
		for _, s := range samples {
			if upTo[s.place.Session] < s.last {
				continue // not indexed yet
			}
			if has, err := x.Has(ctx, s.place, s.words); err != nil {
				return err
			} else if !has {
				lost++
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, search.ErrBusy):
		r.Add("search", Note, "the search index is being written and was not looked at", "")
	case err != nil:
		r.Add("search", Warning, fmt.Sprintf("the search index cannot be read: %v; searching looks through the messages instead", err), repairIndex+", and so does the next search")
	case lost > 0:
		r.Add("search", Warning, fmt.Sprintf("%d of %d sessions that were looked up are not found by their words", lost, len(samples)), repairIndex)
	case entries > most:
		r.Add("search", Warning, fmt.Sprintf("the search index has %d entries, more than the %d of the %d sessions in it", entries, most, len(upTo)), repairIndex)
	default:
		r.Add("search", OK, fmt.Sprintf("%d entries of %d sessions, %d of them looked up", entries, len(upTo), len(samples)), "")
	}
	if waiting > 0 {
		r.Add("search", OK, fmt.Sprintf("%d sessions have something new for the search index", waiting), "")
	}
}

func each(tx *bolt.Tx, bucket string, take func(id string, v []byte)) error {
	b := tx.Bucket([]byte(bucket))
	if b == nil {
		return nil
	}
	return b.ForEach(func(k, v []byte) error {
		take(string(k), v)
		return nil
	})
}

package health

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"talaria/store/database"
	"talaria/store/journal"
)

// mostErrors bounds how many faults of one kind are listed.
const mostErrors = 10

// checkDatabase looks at every page and reads the rows. Whole is false when the file cannot be trusted.
func checkDatabase(ctx context.Context, db *database.DB, r *Report) (rows map[string]journal.Row, whole bool) {
	rows = map[string]journal.Row{}
	bad := 0
	err := db.Look(ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("sessions"))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			row, err := journal.DecodeRow(v)
			if err != nil {
				bad++
				return nil
			}
			rows[string(k)] = row
			return nil
		})
	})
	var faults []string
	if err == nil {
		faults, err = db.Check(ctx, mostErrors)
	}
	switch {
	case database.Damaged(err):
		r.Add("database", Fault, err.Error(), Repair)
		return rows, false
	case err != nil:
		r.Add("database", Warning, "the database could not be looked at: "+err.Error(), "end the process that holds it, then run talaria doctor again")
		return rows, false
	}
	for _, f := range faults {
		r.Add("database", Fault, f, Repair)
	}
	if bad > 0 {
		r.Add("database", Warning, fmt.Sprintf("%d rows cannot be read by this version", bad), Repair)
	}
	if len(faults) == 0 {
		r.Add("database", OK, fmt.Sprintf("%d sessions, every page is in order", len(rows)), "")
	}
	return rows, len(faults) == 0
}

// look is what the journals are compared with.
type look struct {
	db    *database.DB
	rows  map[string]journal.Row
	whole bool
}

// tally counts what the journals came to.
type tally struct {
	files, used, records, behind, lost int
	samples                            []sample
}

// checkJournals reads every journal that nobody has open and compares it with the database. It returns samples for the
// search index.
func checkJournals(ctx context.Context, dir string, l look, r *Report) []sample {
	list, err := os.ReadDir(journal.Dir(dir))
	if err != nil && !os.IsNotExist(err) {
		r.Add("journals", Fault, "the journals cannot be listed: "+err.Error(), "")
		return nil
	}
	var t tally
	seen := map[string]bool{}
	for _, e := range list {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || ctx.Err() != nil {
			continue
		}
		t.files++
		seen[id] = true
		resting, free, err := journal.Adopt(dir, id)
		if err != nil {
			r.Add("journals", Warning, fmt.Sprintf("session %s: its journal cannot be read: %v", id, err), "")
			continue
		}
		if !free {
			t.used++
			continue
		}
		l.one(ctx, resting, &t, r)
		resting.Release()
	}
	alone := 0
	for id, row := range l.rows {
		if !seen[id] && !row.Bare {
			alone++
		}
	}
	if alone > 0 {
		r.Add("journals", Note, fmt.Sprintf("%d sessions have no journal any more; they are whole in the database, and opening one gives it its journal back", alone), "")
	}
	if t.behind > 0 && l.whole {
		r.Add("journals", Note, fmt.Sprintf("%d sessions have records that the database lacks: their process was killed", t.behind), "the next talaria takes them in")
	}
	if t.lost > 0 {
		r.Add("journals", Warning, fmt.Sprintf("%d sessions differ between journal and database", t.lost), Repair)
	}
	text := fmt.Sprintf("%d journals, %d records", t.files, t.records)
	if t.used > 0 {
		text += fmt.Sprintf(", %d open in other windows and left alone", t.used)
	}
	r.Add("journals", OK, text, "")
	return t.samples
}

// one compares one journal.
func (l look) one(ctx context.Context, j journal.Resting, t *tally, r *Report) {
	t.records += len(j.Scan.Recs)
	if len(t.samples) < mostSamples {
		if s, ok := sampleOf(j); ok {
			t.samples = append(t.samples, s)
		}
	}
	if n := len(j.Scan.Bad); n > 0 {
		r.Add("journals", Warning, fmt.Sprintf("session %s: %d damaged lines", j.ID, n), "opening the session takes what the database has in their place, and keeps them in "+j.ID+".jsonl.bad")
	}
	if len(j.Scan.Torn) > 0 {
		r.Add("journals", Note, fmt.Sprintf("session %s: the last line was cut by a crash and never acknowledged", j.ID), "opening the session cuts it off")
	}
	if !l.whole {
		return
	}
	row, known := l.rows[j.ID]
	last := j.Scan.Last()
	if last > row.Folded || !known && last > 0 {
		t.behind++
	}
	if known && row.Folded > last {
		r.Add("journals", Note, fmt.Sprintf("session %s: the journal ends at record %d, the database has %d", j.ID, last, row.Folded), "opening the session gives the journal back what it lost")
	}
	var differ bool
	err := l.db.Look(ctx, func(tx *bolt.Tx) error {
		differ = false
		messages := tx.Bucket([]byte("messages"))
		if messages == nil || messages.Bucket([]byte(j.ID)) == nil {
			differ = row.Folded > 0
			return nil
		}
		b := messages.Bucket([]byte(j.ID))
		differ = slices.ContainsFunc(j.Scan.Recs, func(e journal.Entry) bool {
			v := b.Get(binary.BigEndian.AppendUint64(nil, e.Seq))
			missing := v == nil && e.Seq <= row.Folded
			return missing || len(v) > 0 && v[0] == '{' && !bytes.Equal(v, e.Body)
		})
		return nil
	})
	if err == nil && differ {
		t.lost++
	}
}

package store

import (
	"context"

	bolt "go.etcd.io/bbolt"

	"talaria/store/meter"
)

// Metered is a store that knows what was used.
type Metered interface {
	// Usage returns what was used by day and model, oldest day first.
	Usage(ctx context.Context) ([]meter.Day, error)
}

// Usage returns what was used by day and model, oldest day first, killed sessions included.
func (d *disk) Usage(ctx context.Context) (days []meter.Day, err error) {
	if err := d.sweep(ctx); err != nil {
		d.db.Note("%v", err) // what the database has is still worth showing
	}
	err = d.db.View(ctx, func(tx *bolt.Tx) error {
		days, err = meter.All(tx)
		return err
	})
	return days, err
}

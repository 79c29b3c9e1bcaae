package engine

import (
	"context"
	"time"
)

// Bill is what a session used, its lineage of compressions included. Total and Cost are as its row has them. Side is what
// side tasks used: titles, summaries, the judge. Costs are in US dollars, nil when a price is not known.
type Bill struct {
	Total    Usage
	Cost     *float64
	Models   []Share
	Side     Share
	Squeezed []Squeeze
}

// Share is what one model used. Name is provider/model; Turns counts the turns that it ended.
type Share struct {
	Name  string
	Turns int
	Usage Usage
	Cost  *float64
}

// Squeeze is one compression of the history, in tokens of the whole request.
type Squeeze struct {
	At            time.Time
	Before, After int
}

// Ledger is what the usage screen asks. It is called in a tea.Cmd.
type Ledger interface {
	// Bill adds up what the open session used.
	Bill(ctx context.Context) (Bill, error)
}

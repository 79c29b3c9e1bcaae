package route_test

import (
	"context"
	"iter"

	"talaria/engine"
)

// provFunc is a provider made of one sequence.
type provFunc func(yield func(engine.Delta, error) bool)

func (f provFunc) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return iter.Seq2[engine.Delta, error](f)
}

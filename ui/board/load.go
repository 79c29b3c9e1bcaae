package board

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// loadTime bounds one question of a board: the store may be held by another process, and ending a process takes two seconds.
const loadTime = 5 * time.Second

// Loaded is what a board asked for. Board says which one: two of the same kind never take each other's.
type Loaded[T any] struct {
	Board *Board
	Value T
	Err   error
}

// Load asks in a command.
func Load[T any](ctx context.Context, b *Board, f func(context.Context) (T, error)) tea.Cmd {
	return LoadIn(ctx, b, loadTime, f)
}

// LoadIn asks in a command what may take longer than usual.
func LoadIn[T any](ctx context.Context, b *Board, within time.Duration, f func(context.Context) (T, error)) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		v, err := f(ctx)
		return Loaded[T]{b, v, err}
	}
}

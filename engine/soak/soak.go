// Package soak says how much of a matrix tests go through: a part of it every day, which is always the same, and all of it
// in `make soak` (TALARIA_SOAK). It is imported by tests only, and refuses chance: a part that differs from day to day
// fails on the wrong day.
package soak

import "os"

// Whole reports whether everything is to be gone through.
func Whole() bool { return os.Getenv("TALARIA_SOAK") != "" }

// Every returns each step-th of all, beginning with the one at from (counted round), and in a soak all of them. A step that
// shares no divisor with the length of a matrix's rows meets every column.
func Every[T any](all []T, step, from int) []T {
	if Whole() {
		return all
	}
	var some []T
	for i := from % step; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some
}

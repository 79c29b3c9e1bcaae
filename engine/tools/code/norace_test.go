//go:build !race

package code

// raced says that the race detector runs, which needs more memory for itself than a program may have.
const raced = false

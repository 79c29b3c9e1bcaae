//go:build race

package ui

// racing: the race detector makes every step ten times slower, and what it looks for does not depend on the matrix.
const racing = true

//go:build !unix

package soak

import "time"

var start = time.Now()

// Spent is the time since the program began: processor time is not told here.
func Spent() time.Duration { return time.Since(start) }

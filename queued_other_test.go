//go:build unix && !linux

package main

import (
	"os"
	"time"
)

// queued cannot be told here: the program is given a moment.
func queued(*os.File) (int, error) { time.Sleep(50 * time.Millisecond); return 0, nil }

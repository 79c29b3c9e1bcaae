package engine

import "time"

// Playing is how far a replay is. At and Total are time as it was when the session ran; Speed 1 is that time.
type Playing struct {
	At, Total time.Duration
	Speed     float64
	Paused    bool
	Over      bool
}

// Player plays a session's records as if it ran. Its methods return at once.
type Player interface {
	Playing() Playing
	Pause(bool)
	// Faster doubles the speed, or with false halves it, between 1/8 and 64.
	Faster(bool)
	// Skip goes on to the next record at once.
	Skip()
}

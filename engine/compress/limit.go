package compress

// Settings are the compression section of the configuration (CONTRACT 5). Shares are between 0 and 1; counts are messages.
type Settings struct {
	Threshold   float64
	TargetRatio float64
	KeepFirst   int
	KeepLast    int
}

// Bounds of RULINGS 7 and BEHAVIOUR 10.
const (
	leastThreshold = 64_000 // tokens
	mostOfWindow   = 0.75
	resultOfWindow = 0.25
	leastGain      = 0.10 // of the whole: what pruning has to save to be enough. With less it would soon be due again
	leastTail      = 3    // messages, when the tail passes its budget
	tailCeiling    = 1.5
	leastRatio     = 0.10
	mostRatio      = 0.80
)

// Limit is the size in tokens from which a history is compressed: min(max(share of the window, 64,000), 75 % of it).
// 0, never, when the window is not known.
func Limit(window int, share float64) int {
	return int(min(max(share*float64(window), leastThreshold), mostOfWindow*float64(window)))
}

// ResultCap is how many tokens of one tool result are sent: a quarter of the window, 0 for no cap when it is not known.
func ResultCap(window int) int { return int(resultOfWindow * float64(window)) }

// tailBudget is how many tokens of the newest messages stay as they are.
func (s Settings) tailBudget(limit int) int {
	return int(float64(limit) * min(max(s.TargetRatio, leastRatio), mostRatio))
}

// summaryBudget is how long a summary of n tokens may be, in tokens (BEHAVIOUR 10.5); a small window gives a small one.
func summaryBudget(n, window int) int {
	most := 12_000
	if window > 0 {
		most = max(min(window/20, most), 512)
	}
	return min(max(n/5, 2_000), most)
}

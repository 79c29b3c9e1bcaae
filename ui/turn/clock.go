package turn

import (
	"fmt"
	"strings"
	"time"
)

// rate measures how fast text arrives, over the last three seconds.
type rate struct {
	since time.Time
	chars int
	value float64 // tokens a second
}

// rateWindow is the span the shown speed is measured over, charsPerToken turns characters into tokens.
const (
	rateWindow    = 3 * time.Second
	charsPerToken = 3.8
)

func (r *rate) add(text string, now time.Time) {
	if r.since.IsZero() {
		r.since = now
	}
	r.chars += len(text)
	if d := now.Sub(r.since); d >= rateWindow {
		r.value = float64(r.chars) / charsPerToken / d.Seconds()
		r.since, r.chars = now, 0
	}
}

// Clock writes a duration as people read it: 0:42, 1:07, 1:02:03.
func Clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Count writes a number of tokens: 950, 12.4k, 1.2M.
func Count(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1000), ".0") + "k"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
}

package classify

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxWait bounds a wait to what a duration can hold and a person could mean; what is done about a long one is for route.
const maxWait = 366 * 24 * time.Hour

// wait is how long the server asks to wait; ok is false when it does not say, or not in a way that makes sense. A date
// that has passed is a wait of 0.
func (x *facts) wait() (d time.Duration, ok bool) {
	h := x.f.Header
	now := time.Now()
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		now = t // the server's dates are on the server's clock
	}
	if d, ok := seconds(h.Get("retry-after-ms"), time.Millisecond); ok {
		return d, true
	}
	if d, ok := retryAfter(h.Get("Retry-After"), now); ok {
		return d, true
	}
	if n, ok := x.field("resets_in_seconds", "retry_after_seconds", "retry_after"); ok && n >= 0 {
		return bounded(n * float64(time.Second)), true
	}
	if n, ok := x.field("resets_at", "reset_at"); ok {
		return until(epoch(n), now), true
	}
	if m := retryDelay.FindSubmatch(x.f.Body); m != nil {
		if d, err := time.ParseDuration(string(m[1])); err == nil && d >= 0 {
			return min(d, maxWait), true
		}
	}
	if d, ok := inWords(x.text); ok {
		return d, true
	}
	return resetHeaders(h, now)
}

func retryAfter(v string, now time.Time) (time.Duration, bool) {
	v = strings.TrimSpace(v)
	if d, ok := seconds(v, time.Second); ok {
		return d, true
	}
	if t, err := http.ParseTime(v); err == nil {
		return until(t, now), true
	}
	return 0, false
}

// seconds reads a number of 0 or more in the given unit.
func seconds(v string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || !(n >= 0) {
		return 0, false
	}
	return bounded(n * float64(unit)), true
}

func bounded(n float64) time.Duration {
	return time.Duration(min(n, float64(maxWait)))
}

func until(t, now time.Time) time.Duration {
	return min(max(0, t.Sub(now)), maxWait)
}

// epoch takes seconds or milliseconds since 1970.
func epoch(n float64) time.Time {
	if n > 1e11 {
		return time.UnixMilli(int64(n))
	}
	return time.Unix(int64(n), 0)
}

// retryDelay is google.rpc.RetryInfo, where Gemini says it.
var retryDelay = regexp.MustCompile(`"retryDelay"\s*:\s*"([^"]+)"`)

// inWordsPattern is a time in a sentence: a number and a unit, and perhaps a second pair.
var inWordsPattern = regexp.MustCompile(`(?:try again in|retry in|retry after|resets? in|reset after|wait)\s*` +
	`(\d+(?:\.\d+)?)\s*(` + units + `|days?|d)(?:\s*(?:and\s*)?(\d+(?:\.\d+)?)\s*(` + units + `))?`)

// units: the long forms first, since the first that fits is taken.
const units = `milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h`

func inWords(text string) (time.Duration, bool) {
	m := inWordsPattern.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return min(pair(m[1], m[2])+pair(m[3], m[4]), maxWait), true
}

func pair(n, unit string) time.Duration {
	v, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return 0
	}
	switch {
	case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "milli"):
		return bounded(v * float64(time.Millisecond))
	case unit[0] == 'm':
		return bounded(v * float64(time.Minute))
	case unit[0] == 'h':
		return bounded(v * float64(time.Hour))
	case unit[0] == 'd':
		return bounded(v * 24 * float64(time.Hour))
	}
	return bounded(v * float64(time.Second))
}

// resetHeaders reads x-ratelimit-reset* and anthropic-ratelimit-*-reset: of the limits that are used up, the one that
// comes back last. A limit with something left is not what was hit.
func resetHeaders(h http.Header, now time.Time) (longest time.Duration, ok bool) {
	for name, values := range h {
		name = strings.ToLower(name)
		if !strings.Contains(name, "ratelimit") || !strings.Contains(name, "reset") || len(values) == 0 {
			continue
		}
		if left := h.Get(strings.Replace(name, "reset", "remaining", 1)); left != "" && left != "0" {
			continue
		}
		if d, fine := resetTime(values[0], now); fine {
			longest, ok = max(longest, d), true
		}
	}
	return longest, ok
}

// resetTime reads "1", "120ms", "6m0s", an epoch in seconds or milliseconds, or a date.
func resetTime(v string, now time.Time) (time.Duration, bool) {
	v = strings.TrimSpace(v)
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		if n > 1e9 {
			return until(epoch(n), now), true
		}
		return seconds(v, time.Second)
	}
	if d, err := time.ParseDuration(v); err == nil && d >= 0 {
		return min(d, maxWait), true
	}
	if t, err := time.Parse(time.RFC3339, v); err == nil {
		return until(t, now), true
	}
	return retryAfter(v, now)
}

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
	for _, name := range []string{"retry-after-ms", "x-ms-retry-after-ms"} { // OpenAI; Azure
		if d, ok := seconds(h.Get(name), time.Millisecond); ok {
			return d, true
		}
	}
	if d, ok := retryAfter(h.Get("Retry-After"), now); ok {
		return d, true
	}
	if n, ok := x.field("resets_in_seconds", "retry_after_seconds", "retry_after", "estimated_time"); ok && n >= 0 { // Hugging Face: until the model is loaded
		return bounded(n * float64(time.Second)), true
	}
	if n, ok := x.field("resets_at", "reset_at", "X-RateLimit-Reset"); ok && n > 1e9 { // the last: OpenRouter, in error.metadata.headers
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
	if t, ok := dateIn(x.text); ok {
		return until(t, now), true
	}
	if x.status >= 500 {
		return 0, false // the limits in the headers are not what failed
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

// retryDelay is google.rpc.RetryInfo, where Gemini says it; quotaResetDelay is its code assistant's.
var retryDelay = regexp.MustCompile(`"(?:retryDelay|quotaResetDelay)"\s*:\s*"([^"]+)"`)

// date is a moment in a sentence: "regain access on 2026-12-01 at 00:00 UTC" (Anthropic). Without a zone it is no moment.
var date = regexp.MustCompile(`(?:access|again|reset|resets|available) (?:on|at) (\d{4}-\d\d-\d\d)(?: at |t| )(\d\d:\d\d(?::\d\d)?) ?(?:utc|gmt|z)\b`)

func dateIn(text string) (time.Time, bool) {
	m := date.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	clock := m[2]
	if len(clock) == len("00:00") {
		clock += ":00"
	}
	t, err := time.Parse(time.DateTime, m[1]+" "+clock)
	return t, err == nil
}

// inWordsPattern is a time in a sentence: up to four numbers with their units.
var inWordsPattern = regexp.MustCompile(`(?:try again in|again after|retry in|retry after|retrying in|resets? in|resets? after|reset after|wait)\s*(?:about\s*)?` +
	`((?:\d+(?:\.\d+)?\s*(?:` + units + `)\b?(?:\s*,?\s*(?:and\s+)?)){1,4})`)

// pairPattern is one number with its unit.
var pairPattern = regexp.MustCompile(`(\d+(?:\.\d+)?)\s*(` + units + `)`)

// units: the long forms first, since the first that fits is taken.
const units = `days?|d|milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h`

func inWords(text string) (time.Duration, bool) {
	m := inWordsPattern.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	var sum time.Duration
	for _, p := range pairPattern.FindAllStringSubmatch(m[1], -1) {
		sum = min(sum+pair(p[1], p[2]), maxWait)
	}
	return sum, true
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
		if state := h.Get(strings.Replace(name, "reset", "status", 1)); strings.HasPrefix(state, "allowed") {
			continue // Anthropic, plans with several windows
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

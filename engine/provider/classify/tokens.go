package classify

import (
	"regexp"
	"strconv"
)

// The ways servers say window, input and output of a request that does not fit. Text is in lower case, numbers have no
// commas.
var (
	saysWindow    = regexp.MustCompile(`maximum context length (?:is|of) (\d+)`)
	saysRequested = regexp.MustCompile(`requested (?:about )?(\d+) (?:output )?tokens`)
	saysOutput    = regexp.MustCompile(`(\d+) in the (?:output|completion)|requested (\d+) output tokens`)
	saysInput     = regexp.MustCompile(`(\d+) input tokens`)
	saysSum       = regexp.MustCompile(`(\d+) \+ (\d+) > (\d+)`) // Anthropic: input + max_tokens > window
)

// outputTooLarge reports whether the input alone would fit, so that a lower output cap is enough.
func outputTooLarge(text string) bool {
	if m := saysSum.FindStringSubmatch(text); m != nil {
		return number(m[1]) < number(m[3])
	}
	window, output := find(saysWindow, text), find(saysOutput, text)
	if window == 0 || output == 0 {
		return false
	}
	input := find(saysInput, text)
	if input == 0 {
		input = find(saysRequested, text) - output
	}
	return input > 0 && input < window
}

func find(re *regexp.Regexp, text string) int {
	for i, s := range re.FindStringSubmatch(text) {
		if i > 0 && s != "" {
			return number(s)
		}
	}
	return 0
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

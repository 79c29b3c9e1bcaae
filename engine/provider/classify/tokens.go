package classify

import (
	"strconv"

	"talaria/engine"
)

// counts is what an error tells of a request that does not fit, in tokens; 0 where it does not. least: input is that or
// more. room is the largest output cap the server allows, whatever the input.
type counts struct {
	window, input, output, room int
	least                       bool
}

// Bounds of a window that is believed. vLLM 0.15 wrote "maximum context length is 3 tokens" for a model of 2048
// (vllm-project/vllm#33418).
const minWindow, maxWindow = 512, 100_000_000

// counted reads the text with every saying; each number is taken from the first that has it.
func counted(text string) (c counts) {
	total := 0
	for _, s := range sayings {
		m := s.re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for i, name := range s.re.SubexpNames() {
			switch n := number(m[i]); {
			case name == "window" && c.window == 0:
				c.window = n
			case name == "input" && c.input == 0:
				c.input = n
			case name == "output" && c.output == 0:
				c.output = n
			case name == "total" && total == 0:
				total = n
			case name == "room" && c.room == 0:
				c.room = n
			case name == "above" && c.room == 0 && n > 0:
				c.room = n - 1
			case name == "least" && m[i] != "":
				c.least = true
			}
		}
	}
	if c.input == 0 && c.output > 0 {
		c.input = max(0, total-c.output)
	}
	if c.window < minWindow || c.window > maxWindow {
		c.window = 0
	}
	return c
}

// outputTooLarge reports whether the input alone would fit, so that a lower output cap is enough.
func (c counts) outputTooLarge() bool {
	return c.output > 0 && c.input > 0 && c.input < c.window
}

// tokens is what the error tells the loop for a failure of reason r: the model's real context, and the output cap that
// would be taken. An input that is only known to be "at least" so large leaves no room to name: vLLM stops counting
// where the output would begin, and a cap made of that number fails again, a few tokens on.
func (x *facts) tokens(r engine.Reason) (window, room int) {
	if r != engine.ReasonContextOverflow && r != engine.ReasonMaxTokensTooLarge && r != engine.ReasonPayloadTooLarge {
		return 0, 0
	}
	c := counted(x.text)
	window = c.window
	if n, ok := x.field("n_ctx"); ok && n >= minWindow && n <= maxWindow {
		window = int(n) // llama.cpp says it as a number of its own (E02)
	}
	if r != engine.ReasonMaxTokensTooLarge {
		return window, 0
	}
	room = c.room
	if left := window - c.input; c.input > 0 && !c.least && left > 0 && (room == 0 || left < room) {
		room = left
	}
	return window, room
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

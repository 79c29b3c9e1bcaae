package messages

// model is what a model wants of a request.
type model struct {
	limit  int       // the most output tokens; the protocol demands a cap
	thinks thinkWay  // how it is told to think
	xhigh  bool      // knows the effort xhigh
	recall recallWay // which of its earlier thinking it still sees
}

type thinkWay uint8

// adaptive: the model decides how long, by effort; budgeted: up to so many tokens; unthinking: thinking is not asked for.
const (
	unthinking thinkWay = iota
	adaptive
	budgeted
)

type recallWay uint8

// recallTurn: only the thinking since the user's last message counts, so only that is sent (BEHAVIOUR 3.5). recallAll:
// the model keeps all of it in its context, and leaving any out would change the prompt prefix and lose the cache.
const (
	recallTurn recallWay = iota
	recallAll
)

// modelRows: the first row of the model's family, or "claude" for any, whose version is not newer than the model's.
// A version is 100 * major + minor. Caps: BEHAVIOUR 3.3; claude-3-7 has 64,000 without a beta header (docs.anthropic.com,
// models). Thinking: BEHAVIOUR 3.3 and platform.claude.com, adaptive thinking. Recall: platform.claude.com, extended
// thinking, "differences in thinking across model versions".
var modelRows = []struct {
	family string
	from   int
	model
}{
	{"opus", 407, model{128_000, adaptive, true, recallAll}},
	{"opus", 406, model{128_000, adaptive, false, recallAll}},
	{"opus", 405, model{64_000, budgeted, false, recallAll}},
	{"opus", 400, model{32_000, budgeted, false, recallTurn}},
	{"sonnet", 500, model{128_000, adaptive, true, recallAll}},
	{"sonnet", 407, model{64_000, adaptive, true, recallAll}},
	{"sonnet", 406, model{64_000, adaptive, false, recallAll}},
	{"sonnet", 307, model{64_000, budgeted, false, recallTurn}},
	{"haiku", 400, model{64_000, unthinking, false, recallTurn}},
	{"claude", 400, model{128_000, adaptive, true, recallAll}}, // Fable, Mythos and whatever comes
	{"claude", 305, model{8_192, unthinking, false, recallTurn}},
	{"claude", 0, model{4_096, unthinking, false, recallTurn}},
}

// unknownModel is any model that is no Claude. It may think by itself; what it thought goes back as the host wants it.
var unknownModel = model{128_000, unthinking, false, recallAll}

// budgets are the thinking tokens by effort (BEHAVIOUR 3.3).
var budgets = map[string]int{"minimal": 4_000, "low": 4_000, "medium": 8_000, "high": 16_000, "xhigh": 32_000, "max": 32_000}

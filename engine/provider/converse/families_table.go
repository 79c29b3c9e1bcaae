package converse

// thinking is how a family is told to reason.
type thinking uint8

// thinkBudget: a number of tokens, for which Claude demands that a turn under way began with reasoning; thinkAdaptive:
// an effort; thinkAdaptiveX: one that also knows xhigh; thinkNova: Amazon's own words; thinkFlat: a bare reasoning_effort.
const (
	thinkNone thinking = iota
	thinkBudget
	thinkAdaptive
	thinkAdaptiveX
	thinkNova
	thinkFlat
)

// caching is how long a family can keep a marked prefix: not at all, for five minutes, or for an hour where that is asked.
type caching uint8

const (
	cacheNone caching = iota
	cacheMinutes
	cacheHour
)

// family is what a model takes beside the common request. The zero value is a model of which nothing is known.
type family struct {
	cache caching // takes cache points
	think thinking
}

// families: the first row whose words stand in the model's id fits. An id is a bare name ("anthropic.claude-sonnet-4-6"),
// one with its geography ("us.anthropic…") or an ARN that ends in either; an ARN of an application's own profile names
// no family, and gets the common request.
var families = []struct {
	has string
	family
}{
	// docs.aws.amazon.com/bedrock, prompt caching: 3.5 Haiku and 3.7 Sonnet, then everything from Claude 4; an hour from 4.5.
	{"claude-3-5-haiku", family{cache: cacheMinutes}},
	{"claude-3-7-sonnet", family{cache: cacheMinutes, think: thinkBudget}},
	{"claude-3", family{}},
	{"claude-v2", family{}},
	{"claude-2", family{}},
	{"claude-instant", family{}},
	// docs.aws.amazon.com/bedrock, adaptive thinking: from 4.6 on; older ones want budget_tokens, newer refuse it.
	// BEHAVIOUR 3.3: haiku is not told to think; xhigh from 4.7 on.
	{"claude-haiku", family{cache: cacheHour}},
	{"claude-opus-4-6", family{cache: cacheHour, think: thinkAdaptive}},
	{"claude-sonnet-4-6", family{cache: cacheHour, think: thinkAdaptive}},
	{"claude-opus-4-7", family{cache: cacheHour, think: thinkAdaptiveX}},
	{"claude-opus-4-8", family{cache: cacheHour, think: thinkAdaptiveX}},
	{"claude-sonnet-4-8", family{cache: cacheHour, think: thinkAdaptiveX}},
	{"claude-opus-4-5", family{cache: cacheHour, think: thinkBudget}},
	{"claude-sonnet-4-5", family{cache: cacheHour, think: thinkBudget}},
	{"claude-opus-4", family{cache: cacheMinutes, think: thinkBudget}},
	{"claude-sonnet-4", family{cache: cacheMinutes, think: thinkBudget}},
	{"anthropic.claude-", family{cache: cacheHour, think: thinkAdaptiveX}},
	// docs.aws.amazon.com/nova, Nova 2, extended thinking.
	{"amazon.nova-2", family{think: thinkNova}},
	// docs.aws.amazon.com/bedrock, OpenAI models.
	{"openai.gpt-oss", family{think: thinkFlat}},
}

// budgets are BEHAVIOUR 3.3's tokens of reasoning for an effort.
var budgets = map[string]int{"minimal": 4000, "low": 4000, "medium": 8000, "high": 16000, "xhigh": 32000, "max": 32000}

// Limits of a budget: Claude takes none below leastBudget (docs.aws.amazon.com/bedrock, extended thinking), and the
// answer needs room beside it (BEHAVIOUR 3.3).
const (
	leastBudget = 1024
	answerRoom  = 4096
)

// efforts maps an effort to the words of each way; a missing one is not sent.
var efforts = map[thinking]map[string]string{
	thinkAdaptive:  {"minimal": "low", "low": "low", "medium": "medium", "high": "high", "xhigh": "max", "max": "max"},
	thinkAdaptiveX: {"minimal": "low", "low": "low", "medium": "medium", "high": "high", "xhigh": "xhigh", "max": "max"},
	thinkNova:      {"minimal": "low", "low": "low", "medium": "medium", "high": "high", "xhigh": "high", "max": "high"},
	thinkFlat:      {"minimal": "low", "low": "low", "medium": "medium", "high": "high", "xhigh": "high", "max": "high"},
}

// imageFormats are the formats Converse takes, by MIME type.
var imageFormats = map[string]string{
	"image/png": "png", "image/jpeg": "jpeg", "image/jpg": "jpeg", "image/gif": "gif", "image/webp": "webp",
}

package classify

import "regexp"

// saying is one way servers put the numbers of a request that does not fit. The names of its groups say what a number
// is: window, input, output (the cap that was asked for), total (of both), room (the largest cap allowed), above (the
// smallest cap that is not). A group "least" says that input is only known to be that or more. The text is in lower case
// and its numbers have no commas.
type saying struct {
	source string // who writes it so
	re     *regexp.Regexp
}

// sayings: the first that gives a number wins, so what is exact comes before what is general.
var sayings = []saying{
	{"Anthropic: prompt is too long: 210000 tokens > 200000 maximum; older llama.cpp servers alike",
		regexp.MustCompile(`(?P<input>\d+) tokens > (?P<window>\d+) maximum`)},
	{"Anthropic: exceed context limit: 188240 + 21333 > 200000",
		regexp.MustCompile(`(?P<input>\d+) \+ (?P<output>\d+) > (?P<window>\d+)`)},
	{"llama.cpp (E02)",
		regexp.MustCompile(`\((?P<input>\d+) tokens\) exceeds the available context size \((?P<window>\d+)`)},
	{"vLLM, cap above the window: is too large: 4096. ... and your request has 1000 input tokens (4096 > 2048 - 1000)",
		regexp.MustCompile(`\((?P<output>\d+) > (?P<window>\d+) - (?P<input>\d+)\)`)},
	{"OpenAI, DeepSeek, OpenRouter (E05), vLLM, SGLang",
		regexp.MustCompile(`maximum context length (?:is|of) (?P<window>\d+)`)},
	{"OpenAI, DeepSeek: (1000 in the messages, 4000 in the completion)",
		regexp.MustCompile(`(?P<input>\d+) in the messages, (?P<output>\d+) in the completion`)},
	{"OpenAI, text completions: (6283 in your prompt; 256 for the completion)",
		regexp.MustCompile(`(?P<input>\d+) in your prompt; (?P<output>\d+) for the completion`)},
	{"OpenAI: your messages resulted in 7575 tokens",
		regexp.MustCompile(`messages resulted in (?P<input>\d+) tokens`)},
	{"OpenRouter (E05 A): input is given in kinds, so it is the total without the output",
		regexp.MustCompile(`(?P<output>\d+) in the output`)},
	{"vLLM (E05 B): you requested 0 output tokens and your prompt contains at least 262145 input tokens",
		regexp.MustCompile(`requested (?P<output>\d+) output tokens and your prompt contains (?P<least>at least )?(?P<input>\d+) input tokens`)},
	{"vLLM: your request has 8 input tokens plus 2045 'max_tokens'",
		regexp.MustCompile(`request has (?P<input>\d+) input tokens(?: plus (?P<output>\d+))?`)},
	{"SGLang: 170941 tokens from the input messages and 32000 tokens for the completion",
		regexp.MustCompile(`(?P<input>\d+) tokens from the input messages and (?P<output>\d+) tokens for the completion`)},
	{"OpenAI, OpenRouter: requested about 264896 tokens; SGLang: requested a total of 202941 tokens",
		regexp.MustCompile(`requested (?:about |a total of )?(?P<total>\d+) tokens`)},

	{"vLLM: is longer than the maximum model length of 4096",
		regexp.MustCompile(`maximum model length of (?P<window>\d+)`)},
	{"vLLM: prompt (total length 25938) is too long to fit into the model (context length 4096)",
		regexp.MustCompile(`\(total length (?P<input>\d+)\) is too long to fit into the model \(context length (?P<window>\d+)\)`)},
	{"vLLM and servers around it",
		regexp.MustCompile(`max_model_len\W{1,4}(?:is |of )?(?P<window>\d+)`)},
	{"SGLang: the input (61709 tokens) is longer than the model's context length (40960 tokens)",
		regexp.MustCompile(`input \((?P<input>\d+) tokens\) is longer than the model's context length \((?P<window>\d+)`)},
	{"SGLang: input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)",
		regexp.MustCompile(`input length \(?(?P<input>\d+)(?: tokens)?\)? exceeds the maximum allowed (?:input )?length (?:of )?\(?(?P<window>\d+)`)},
	{"LM Studio: the model is loaded with context length of only 32768 tokens",
		regexp.MustCompile(`loaded with context length of only (?P<window>\d+)`)},
	{"LM Studio, llama.cpp: n_keep (15028) >= n_ctx (7424); n_ctx_slot = 4096",
		regexp.MustCompile(`n_ctx(?:_slot)?\W{1,4}(?P<window>\d+)`)},
	{"Gemini: the input token count (1250074) exceeds the maximum number of tokens allowed (1048576)",
		regexp.MustCompile(`input token count \(?(?P<input>\d+)\)? exceeds the maximum number of (?:input )?tokens allowed \(?(?P<window>\d+)`)},
	{"xAI: maximum prompt length is 131072 but the request contains 537812 tokens",
		regexp.MustCompile(`maximum prompt length is (?P<window>\d+)(?: but the request contains (?P<input>\d+))?`)},
	{"Copilot: prompt token count of 140000 exceeds the limit of 128000",
		regexp.MustCompile(`prompt token count of (?P<input>\d+) exceeds the limit of (?P<window>\d+)`)},
	{"Kimi for coding: exceeded model token limit: 131072 (requested: 200000)",
		regexp.MustCompile(`exceeded model token limit: (?P<window>\d+)(?: \(requested: (?P<total>\d+)\))?`)},
	{"Mistral: prompt contains 40000 tokens ... too large for model with 32768 maximum context length",
		regexp.MustCompile(`(?:contains (?P<input>\d+) tokens\b.{0,60})?too large for model with (?P<window>\d+) maximum context`)},
	{"Together, TGI: must be <= 4097. given: 3000 `inputs` tokens and 2000 `max_new_tokens`",
		regexp.MustCompile(`must be <= (?P<window>\d+)\. given: (?P<input>\d+) \W?inputs\W? tokens and (?P<output>\d+)`)},
	{"Alibaba Model Studio: range of input length should be [1, 98304]",
		regexp.MustCompile(`range of input length should be \[\d+, ?(?P<window>\d+)\]`)},
	{"GitHub Models: request body too large for gpt-4o model. max size: 8000 tokens",
		regexp.MustCompile(`max size: (?P<window>\d+) tokens`)},

	{"Anthropic: max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens",
		regexp.MustCompile(`max_tokens: (?P<output>\d+) > (?P<room>\d+)`)},
	{"OpenAI: this model supports at most 16384 completion tokens",
		regexp.MustCompile(`supports at most (?P<room>\d+) completion tokens`)},
	{"DeepSeek: the valid range of max_tokens is [1, 8192]; Alibaba: range of max_tokens should be [1, 8192]",
		regexp.MustCompile(`range of max_tokens (?:is|should be) \[\d+, ?(?P<room>\d+)\]`)},
	{"Groq: `max_tokens` must be less than or equal to `8192`",
		regexp.MustCompile(`max_(?:completion_|output_)?tokens\W? must be less than or equal to \W?(?P<room>\d+)`)},
	{"Bedrock: the maximum tokens you requested exceeds the model limit of 8192",
		regexp.MustCompile(`maximum tokens you requested exceeds the model limit of (?P<room>\d+)`)},
	{"Vertex: maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)",
		regexp.MustCompile(`maxoutputtokens value of (?P<output>\d+) but the supported range is from \d+ \(inclusive\) to (?P<above>\d+) \(exclusive\)`)},
}

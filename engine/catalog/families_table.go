package catalog

// families is what families of models can do, the first row that fits a name counts, so a special model stands before
// its family. A pattern is a regular expression over the name in the form of normal, without its maker, from its start.
// AsOf is not the day of this table: a row says what the maker's own page said of the family when the row was written,
// and maybe where that was not certain. A family that is missing is not known.
var families = []struct {
	pattern                string
	vision, reasons, tools known
}{
	// platform.claude.com/docs, models overview: every Claude since 3 sees; extended thinking since 3.7
	{`claude-(instant|2)`, no, no, no},
	{`claude-3-7`, yes, yes, yes},
	{`claude-3`, yes, no, yes},
	{`claude-(opus|sonnet|haiku)-\d`, yes, yes, yes},

	// platform.openai.com/docs/models
	{`gpt-3`, no, no, yes},
	{`gpt-oss`, no, yes, yes},
	{`gpt-4-(turbo|vision|1)`, yes, no, yes},
	{`gpt-4o.*(audio|realtime|transcribe|tts|search)`, maybe, no, maybe},
	{`gpt-4o|chatgpt-4o`, yes, no, yes},
	{`gpt-4-5`, yes, no, yes},
	{`gpt-4($|-\d{4})`, no, no, yes},
	{`gpt-5.*chat`, yes, no, yes},
	{`gpt-5-3-codex-spark`, no, yes, yes},
	{`gpt-5`, yes, yes, yes},
	{`o1-(mini|preview)|o3-mini`, no, yes, maybe},
	{`o[134]($|-)`, yes, yes, yes},
	{`codex-mini`, yes, yes, yes},

	// ai.google.dev/gemini-api/docs/models
	{`gemini-.*(image|tts|audio|live|embedding)`, maybe, maybe, maybe},
	{`gemini-(1|2-0)`, yes, no, yes},
	{`gemini-`, yes, yes, yes},
	{`gemma-?3n`, maybe, no, no}, // sees, but not in every server's conversion
	{`gemma-?3[-:](270m|1b)`, no, no, no},
	{`gemma-?3`, yes, no, maybe},
	{`gemma($|:)|gemma-?[12]($|[-:])|gemma-[27]b|codegemma`, no, no, no},

	// api-docs.deepseek.com
	{`deepseek-(vl|ocr|janus)`, yes, no, no},
	{`deepseek-v4.*vision|deepseek-v4-[1-9]($|[-:])`, yes, yes, yes},
	{`deepseek-r1|deepseek-reasoner`, no, yes, maybe},
	{`deepseek-v(3-[12]|4)`, no, yes, yes},
	{`deepseek-(v3|chat)`, no, maybe, yes},
	{`deepseek-(coder|v2|llm)`, no, no, maybe},

	// docs.x.ai, models
	{`grok-(2-vision|vision)`, yes, no, yes},
	{`grok-(1|2|beta)`, no, no, yes},
	{`grok-3-mini`, no, yes, yes},
	{`grok-3`, no, no, yes},
	{`grok-code-fast-1`, no, yes, yes},
	{`grok-4.*non-reasoning`, yes, no, yes},
	{`grok-4`, yes, yes, yes},

	// docs.mistral.ai, models
	{`pixtral|mistral-small-?3-[12]|mistral-small-(2503|2506)`, yes, no, yes},
	{`mistral-small-?3?[:-](24b|2501|22b)|mistral-small-24(02|09)`, no, no, yes},
	{`mistral-small|mistral-large-(latest|2512|3)|mistral-large($|-3)|mistral-medium`, yes, maybe, yes},
	{`mistral-large`, no, no, yes},
	{`magistral`, maybe, yes, yes},
	{`devstral`, maybe, no, yes},
	{`codestral|open-codestral|mathstral`, no, no, maybe},
	{`mistral($|:|-nemo|-7b)|open-mi[sx]tral|mixtral`, no, no, yes},
	{`ministral-.*2410`, no, no, yes},
	{`ministral`, maybe, no, yes},

	// platform.moonshot.ai: K2 reads text, K2.5 and later pictures too
	{`kimi-k2-thinking`, no, yes, yes},
	{`kimi-k2($|-(instruct|0|turbo))`, no, no, yes},
	{`kimi-(k2-\d|k3|latest)`, yes, maybe, yes},
	{`moonshot-v1.*vision`, yes, no, maybe},
	{`moonshot-v1`, no, no, yes},

	// docs.z.ai: a "v" after the number is the model that sees
	{`glm-\d(-\d)?v`, yes, yes, yes},
	{`glm-5-[2-9]($|[-:])`, maybe, yes, yes},
	{`glm-(4-[5-7]|5)($|[-:])`, no, yes, yes},
	{`glm-4($|-(plus|air|flash|long|\d{4}|9b|32b))`, no, no, yes},

	// qwenlm.github.io
	{`qwen-?(2-5|2)?-?vl|qwen2-5vl`, yes, no, maybe},
	{`qwen-?3-?(vl|omni)`, yes, maybe, yes},
	{`qwen-?3-[5-9]($|[-:])`, yes, yes, yes},
	{`qwen-?3-(coder|.*instruct)`, no, no, yes},
	{`qwq|qvq`, maybe, yes, maybe},
	{`qwen-?3($|[-:])`, no, yes, yes},
	{`qwen-?(2-5|2|1-5)`, no, no, yes},

	// llama.com, model cards
	{`llama-?3-2-(11b|90b|vision)|llama-?3-2:(11b|90b)`, yes, no, maybe},
	{`llama-?4`, yes, no, yes},
	{`(meta-)?llama-?3-[123]`, no, no, yes},
	{`(meta-)?llama-?(2|3)($|[-:])|codellama`, no, no, no},
	{`llava|bakllava|moondream|minicpm-v`, yes, no, no},

	// microsoft, ibm, nvidia, minimax, amazon: the makers' model cards
	{`phi-?(4-multimodal|3-5-vision|3-vision)`, yes, no, maybe},
	{`phi-?4-.*reasoning`, no, yes, maybe},
	{`phi-?[34]($|[-:])|phi-?3-5`, no, no, maybe},
	{`granite.*vision`, yes, no, maybe},
	{`granite`, maybe, maybe, yes},
	{`minimax-m[12]`, no, yes, yes},
	{`nova-(lite|pro|premier)|nova-2-(lite|pro)`, yes, maybe, yes},
	{`nova-micro`, no, no, yes},
}

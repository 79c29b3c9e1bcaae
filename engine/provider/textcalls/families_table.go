package textcalls

// families are the model families that print calls which their server may not recognise. A word of the model's name
// begins with Word. Source says where the family's own form is written down.
var families = []struct{ Word, Form, Source string }{
	{"qwen", "<tool_call> with JSON; Qwen3-Coder with <function=..>", "docs.vllm.ai, Tool Calling: Qwen2.5 (hermes), Qwen3-Coder (qwen3_xml); plain JSON: ollama/ollama issue 11185"},
	{"qwq", "<tool_call> with JSON", "docs.vllm.ai, Tool Calling: Qwen/QwQ-32B (hermes)"},
	{"hermes", "<tool_call> with JSON", "docs.vllm.ai, Tool Calling: NousResearch/Hermes-2-Pro and newer (hermes)"},
	{"openhermes", "<tool_call> with JSON", "as hermes"},
	{"mistral", "[TOOL_CALLS]", "docs.vllm.ai, Tool Calling: Mistral-7B-Instruct-v0.3 and other function-calling models (mistral)"},
	{"mixtral", "[TOOL_CALLS]", "as mistral"},
	{"ministral", "[TOOL_CALLS]", "as mistral"},
	{"magistral", "[TOOL_CALLS]name[ARGS]", "as mistral"},
	{"devstral", "[TOOL_CALLS]name[ARGS]", "as mistral; empty replies with tools: ollama/ollama issue 10899"},
	{"codestral", "[TOOL_CALLS]", "as mistral"},
	{"llama", "{\"name\", \"parameters\"} alone or behind <|python_tag|>", "docs.vllm.ai, Tool Calling: Llama 3.1, 3.2 and 4 (llama3_json)"},
	{"glm", "<tool_call> with <arg_key>", "docs.vllm.ai, Tool Calling: GLM-4.5, 4.6 (glm45) and 4.7 (glm47)"},
	{"chatglm", "as glm", "as glm"},
	{"deepseek", "<｜tool▁calls▁begin｜>", "docs.vllm.ai, Tool Calling: DeepSeek-V3, R1-0528 (deepseek_v3), V3.1 (deepseek_v31)"},
	{"xlam", "JSON alone, fenced, in [TOOL_CALLS] or <tool_call>", "docs.vllm.ai, Tool Calling: Salesforce xLAM (xlam)"},
}

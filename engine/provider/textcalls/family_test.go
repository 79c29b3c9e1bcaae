package textcalls

import "testing"

func TestHermesCallsInToolCallBlocks(t *testing.T) {
	calls(t, "I'll look at the file first.\n\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"main.go\"}}\n</tool_call>",
		"text I'll look at the file first.", `call read_file {"path": "main.go"}`)
	calls(t, "<tool_call>\n{\"arguments\": {\"path\": \"a\"}, \"name\": \"read_file\"}\n</tool_call>\n<tool_call>\n{\"name\": \"list_tasks\", \"arguments\": {}}\n</tool_call>\n",
		`call read_file {"path": "a"}`, "call list_tasks {}")
}

func TestHermesCallWithoutArguments(t *testing.T) {
	calls(t, `<tool_call>{"name": "list_tasks"}</tool_call>`, "call list_tasks {}")
	calls(t, `<tool_call>{"name": "list_tasks", "arguments": null}</tool_call>`, "call list_tasks {}")
}

func TestQwenAfterAWordOnTheSameLine(t *testing.T) {
	calls(t, "Let me check.<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>", "text Let me check.", `call read_file {"path": "a"}`)
	calls(t, `Both: <tool_call>{"name":"list_tasks"}</tool_call><tool_call>{"name":"read_file","arguments":{}}</tool_call>`, "text Both:", "call list_tasks {}", "call read_file {}")
}

func TestQwenSeveralObjectsInOneBlock(t *testing.T) {
	calls(t, "<tool_call>\n{\"name\":\"list_tasks\",\"arguments\":{}}\n{\"name\":\"read_file\",\"arguments\":{\"path\":\"b\"}}\n</tool_call>", "call list_tasks {}", `call read_file {"path":"b"}`)
}

func TestQwenWritesArgumentsAsAString(t *testing.T) {
	calls(t, `<tool_call>{"name":"read_file","arguments":"{\"path\":\"a\"}"}</tool_call>`, `call read_file {"path":"a"}`)
}

func TestQwenCoderToolsTag(t *testing.T) {
	calls(t, "<tools>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tools>", `call read_file {"path": "a"}`)
}

func TestAFileThatQuotesTheMarkupIsWrittenWhole(t *testing.T) {
	calls(t, `<tool_call>{"name":"write_file","arguments":{"path":"doc.md","content":"Write <tool_call>{\"name\":\"x\"}</tool_call> to call."}}</tool_call>`,
		`call write_file {"path":"doc.md","content":"Write <tool_call>{\"name\":\"x\"}</tool_call> to call."}`)
	calls(t, "<tool_call>\n<function=write_file>\n<parameter=path>\ndoc.md\n</parameter>\n<parameter=content>\nClose with </parameter> and it ends.\n</parameter>\n</function>\n</tool_call>",
		`call write_file {"path":"doc.md","content":"Close with </parameter> and it ends."}`)
}

func TestBrokenArgumentsInCompleteMarkupAreHandedOn(t *testing.T) {
	calls(t, "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"one\ntwo\"}}\n</tool_call>", "call write_file {\"path\": \"a\", \"content\": \"one\ntwo\"}")
	calls(t, `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "say "hi""}}</tool_call>`, `call write_file {"path": "a", "content": "say "hi""}`)
	calls(t, `<tool_call>{"name": "read_file", "arguments": {"path": "a}}</tool_call>`+"\nThen.", `call read_file {"path": "a}`, "text \nThen.")
	calls(t, `<tool_call>{"name": "read_file", "arguments": {"path": "a"}</tool_call>`, `call read_file {"path": "a"}`)
	calls(t, `[TOOL_CALLS]read_file[ARGS]{"path": a}`, `call read_file {"path": a}`)
}

func TestQwen3CoderParametersGetTheTypesOfTheSchema(t *testing.T) {
	calls(t, "I'll search.\n\n<tool_call>\n<function=search_files>\n<parameter=pattern>\n42\n</parameter>\n<parameter=globs>\n[\"*.go\", \"*.md\"]\n</parameter>\n<parameter=hidden>\ntrue\n</parameter>\n<parameter=ratio>\n0.5\n</parameter>\n<parameter=options>\n{\"deep\": 1}\n</parameter>\n<parameter=any>\n7\n</parameter>\n</function>\n</tool_call>",
		"text I'll search.", `call search_files {"pattern":"42","globs":["*.go", "*.md"],"hidden":true,"ratio":0.5,"options":{"deep": 1},"any":"7"}`)
	calls(t, "<function=read_file><parameter=path>a <b> & \"c\"</parameter><parameter=offset>12</parameter><parameter=limit>null</parameter></function>",
		`call read_file {"path":"a <b> & \"c\"","offset":12,"limit":null}`)
	calls(t, "<function=search_files>\n<parameter=hidden>\nTrue\n</parameter>\n<parameter=globs>\n*.go\n</parameter>\n</function>", `call search_files {"hidden":true,"globs":"*.go"}`)
}

func TestQwen3CoderKeepsTheLinesOfAValue(t *testing.T) {
	calls(t, "<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n\n  one\n\ttwo\n\n</parameter>\n</function>", `call write_file {"path":"a","content":"\n  one\n\ttwo\n"}`)
}

func TestQwen3CoderForgetsTheOpener(t *testing.T) {
	calls(t, "Reading.\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", "text Reading.", `call read_file {"path":"a"}`)
	calls(t, "<function=list_tasks>\n</function>", "call list_tasks {}")
}

func TestQwen3CoderSeveralCalls(t *testing.T) {
	one := "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>"
	calls(t, one+"\n"+one, `call read_file {"path":"a"}`, `call read_file {"path":"a"}`)
	calls(t, "<tool_call><function=list_tasks></function>\n<function=list_tasks></function></tool_call>", "call list_tasks {}", "call list_tasks {}")
}

func TestMistralListOfCalls(t *testing.T) {
	calls(t, `[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a"}, "id": "VvvODy9mT"}, {"name": "list_tasks", "arguments": {}}]`, `call read_file {"path": "a"}`, "call list_tasks {}")
	calls(t, `[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a]"}}]`, `call read_file {"path": "a]"}`)
}

func TestMistralNameAndArguments(t *testing.T) {
	calls(t, `[TOOL_CALLS]read_file[ARGS]{"path": "a"}[TOOL_CALLS]list_tasks[ARGS]{}`, `call read_file {"path": "a"}`, "call list_tasks {}")
	calls(t, `I'll look.[TOOL_CALLS]read_file[CALL_ID]Kb3pX9aQz[ARGS]{"path": "a"}`, "text I'll look.", `call read_file {"path": "a"}`)
	calls(t, `[TOOL_CALLS]read_file{"path": "a"}`, `call read_file {"path": "a"}`)
}

func TestMistralWhoseTokenTheServerSwallowed(t *testing.T) {
	calls(t, `[{"name": "read_file", "arguments": {"path": "a"}}]`, `call read_file {"path": "a"}`)
}

func TestLlamaPythonTag(t *testing.T) {
	calls(t, `<|python_tag|>{"name": "read_file", "parameters": {"path": "a"}}; {"name": "list_tasks", "parameters": {}}`, `call read_file {"path": "a"}`, "call list_tasks {}")
	calls(t, `<|python_tag|>{"type": "function", "function": {"name": "read_file", "parameters": {"path": "a"}}}`, `call read_file {"path": "a"}`)
}

func TestLlamaWholeReply(t *testing.T) {
	calls(t, `{"name": "read_file", "parameters": {"path": "a", "offset": "3"}}`, `call read_file {"path": "a", "offset": "3"}`)
	calls(t, "\n\n"+`{"type": "function", "name": "read_file", "parameters": {"path": "a"}}`+"\n", `call read_file {"path": "a"}`)
	calls(t, `{"name": "read_file", "parameters": {"path": "a"}}; {"name": "list_tasks", "parameters": {}}`, `call read_file {"path": "a"}`, "call list_tasks {}")
	calls(t, "{\n  \"name\": \"read_file\",\n  \"arguments\": {\n    \"path\": \"a\"\n  }\n} {\n  \"name\": \"list_tasks\",\n  \"arguments\": {}\n}", "call read_file {\n    \"path\": \"a\"\n  }", "call list_tasks {}")
}

func TestLlamaFunctionTagWithJSON(t *testing.T) {
	calls(t, `<function=read_file>{"path": "a"}</function>`, `call read_file {"path": "a"}`)
}

func TestFencedCallThatEndsTheReply(t *testing.T) {
	calls(t, "I need the file.\n\n```json\n{\n  \"name\": \"read_file\",\n  \"arguments\": {\"path\": \"a\"}\n}\n```\n", "text I need the file.", `call read_file {"path": "a"}`)
	calls(t, "```tool_call\n{\"name\": \"list_tasks\", \"arguments\": {}}\n```", "call list_tasks {}")
	calls(t, "```json\n{\"name\": \"list_tasks\", \"arguments\": {}}\n```\n\n```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"```\"}}\n```", "call list_tasks {}", "call read_file {\"path\": \"```\"}")
}

func TestDeepSeekV3AndR1(t *testing.T) {
	calls(t, "Let me see.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{\"path\": \"a\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>list_tasks\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"text Let me see.", `call read_file {"path": "a"}`, "call list_tasks {}")
}

func TestDeepSeekV31(t *testing.T) {
	calls(t, `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, `call read_file {"path": "a"}`)
	calls(t, `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "say "a""}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, `call read_file {"path": "say "a""}`)
}

func TestGLMKeysAndValues(t *testing.T) {
	calls(t, "I'll read it.\n<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>12</arg_value>\n<arg_key>offset</arg_key>\n<arg_value>12</arg_value>\n</tool_call>", "text I'll read it.", `call read_file {"path":"12","offset":12}`)
	calls(t, "<tool_call>search_files<arg_key>globs</arg_key><arg_value>[\"*.go\"]</arg_value><arg_key>hidden</arg_key><arg_value>false</arg_value></tool_call>", `call search_files {"globs":["*.go"],"hidden":false}`)
	calls(t, "<tool_call>list_tasks\n</tool_call>", "call list_tasks {}")
}

func TestFamilies(t *testing.T) {
	for _, m := range []string{"qwen3-coder:30b", "Qwen/Qwen2.5-Coder-7B-Instruct", "qwq:32b", "hf.co/bartowski/Hermes-3-Llama-3.1-8B-GGUF:Q4_K_M", "mistral-small3.2", "devstral:24b",
		"llama3.1:8b", "meta-llama/Llama-3.3-70B-Instruct", "codellama-llama3", "glm-4.5-air", "zai-org/GLM-4.6", "deepseek-r1:14b", "DeepSeek-V3.1", "dolphin-mistral"} {
		if !Families(m) {
			t.Errorf("%s is off", m)
		}
	}
	for _, m := range []string{"", "gpt-5", "claude-sonnet-4-5", "gemma3:12b", "phi4", "gpt-oss:20b", "qwen/unknown", "meta-llama/", "mistralai/other"} {
		if Families(m) {
			t.Errorf("%s is on", m)
		}
	}
	for _, f := range families {
		if f.Word == "" || f.Form == "" || f.Source == "" {
			t.Errorf("a row without its source: %+v", f)
		}
	}
}

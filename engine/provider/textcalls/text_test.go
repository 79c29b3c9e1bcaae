package textcalls

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"talaria/engine"
)

const oneCall = `<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>`

func TestAModelExplainsTheMarkup(t *testing.T) {
	for _, s := range []string{
		"Qwen models write `" + oneCall + "` into their text.",
		"Qwen models write `` `" + oneCall + "` `` into their text.",
		"A call looks like this:\n\n```xml\n" + oneCall + "\n```\nThen comes the result.",
		"A call looks like this:\n\n```xml\n" + oneCall + "\n```",
		"~~~\n" + oneCall + "\n~~~",
		"````md\n```\n" + oneCall + "\n```\n````",
		"The form is " + oneCall + " and nothing else.",
		`He wrote "` + oneCall + `".`,
		"> " + oneCall + "\n\nThat is what it printed.",
		"The <tool_call> tag opens a call and </tool_call> closes it.",
		"<tool_call> opens a call.",
		"The <function=name> form has <parameter=x> inside.",
		"[TOOL_CALLS] is a special token; [ARGS] follows the name.",
		"A <|python_tag|> comes first, then JSON.",
		"DeepSeek's opener is <｜tool▁calls▁begin｜> and <｜tool▁call▁begin｜> follows.",
		"<tool_call>\nYour call goes here\n</tool_call>",
		"<tool_call>{\"name\": <function-name>, \"arguments\": <args-json-object>}</tool_call>",
		"<function=your_function>\n<parameter=x>\n1\n</parameter>\n</function>",
	} {
		stays(t, s)
	}
}

func TestCodeSamplesStayText(t *testing.T) {
	for _, s := range []string{
		"```python\nprint(\"" + oneCall + "\")\n```\n",
		"```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n```\nThat would read the file.",
		"```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n```\n```json\n{\"name\": \"demo\", \"version\": 1}\n```",
		"```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n{\"more\": 1}\n```",
		"```json\n{\"name\": \"my-package\", \"version\": \"1.0.0\"}\n```",
		"```json\n{\"name\": \"read_file\", \"description\": \"Reads a file\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}\n```",
		"```json\n{\"name\": \"read_file\", \"parameters\": {\"type\": \"object\", \"properties\": {\"path\": {\"type\": \"string\"}}}}\n```",
		"```json\n{\"name\": \"read_file\"}\n```",
		"```go\n{\"name\": \"read_file\", \"arguments\": {}}\n```",
		"```json\n{\"name\": \"read_file\", \"arguments\": {}}\n",
		"````json\n{\"name\": \"read_file\", \"arguments\": {}}\n```",
		"Use ```json {\"name\": \"read_file\", \"arguments\": {}}``` here",
	} {
		stays(t, s)
	}
}

func TestJSONAnswersStayText(t *testing.T) {
	for _, s := range []string{
		`{"name": "Ada", "arguments": {}}`,
		`{"name": "read_file"}`,
		`{"name": "read_file", "arguments": {}, "why": "because"}`,
		`{"id": 4, "type": "function"}`,
		`{"name": "read_file", "arguments": {}} is what I would send.`,
		`Here: {"name": "read_file", "arguments": {}}`,
		`[{"name": "Ada"}, {"name": "Bob"}]`,
		`[{"name": "read_file", "arguments": {}}, {"name": "delete_all", "arguments": {}}]`,
		`[link](http://example.com)`,
		`{}`, `[]`, `{"answer": 42}`, `{`, `[`, `<`, "{\"name\": \"read_file\", \"arguments\": {",
	} {
		stays(t, s)
	}
}

func TestANameThatWasNotOfferedIsText(t *testing.T) {
	for _, s := range []string{
		`<tool_call>{"name":"delete_all","arguments":{}}</tool_call>`,
		`<tool_call>{"arguments":{},"name":"delete_all"}</tool_call>`,
		`<tool_call>{"name":"Read_File","arguments":{}}</tool_call>`,
		`<tool_call>{"name":"read_file","arguments":{}}{"name":"delete_all","arguments":{}}</tool_call>`,
		`[TOOL_CALLS][{"name":"read_file","arguments":{}},{"name":"delete_all","arguments":{}}]`,
		`[TOOL_CALLS]delete_all[ARGS]{}`,
		`<|python_tag|>{"name":"delete_all","parameters":{}}`,
		`<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>delete_all<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
		"<tool_call>delete_all\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call>",
		"<|python_tag|>print(1)",
	} {
		stays(t, s)
	}
}

func TestAnUnterminatedBlockIsTextAgain(t *testing.T) {
	for _, s := range []string{
		"Let me see.\n<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"half",
		"<tool_call>{\"name\":\"read_file\",\"arguments\":{}}",
		"<tool_call>{\"name\":\"read_file\",\"arguments\":{}}</tool_cal",
		"<tool_call>", "<tool", "<tool_call>\n<function=read_file>\n<parameter=path>\na\n", "<function=read_file>\n<parameter=path>\na\n</parameter>\n",
		"[TOOL_CALLS]read_file[ARGS]{\"path\": \"a", "[TOOL_CALLS][{\"name\": \"read_file\", \"arguments\": {}}", "<|python_tag|>{\"name\": \"read_file\", \"parameters\": {",
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{}<｜tool▁call▁end｜>", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a",
		"<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n",
	} {
		stays(t, s)
	}
}

func TestTheBlockBeforeAnUnterminatedOneIsACall(t *testing.T) {
	s := oneCall + "\n<tool_call>{\"name\":\"read_file\",\"arg"
	ds := pieces([]string{s})
	got, _ := through(played{deltas: ended(ds, engine.StopLength)}, offered)
	if o := folded(got); o.stop != engine.StopLength || len(o.parts) != 2 {
		t.Errorf("cut by length: %+v", o) // the loop repeats it with a larger cap
	}
	got, _ = through(played{deltas: ended(pieces([]string{oneCall}), engine.StopLength)}, offered)
	if o := folded(got); o.stop != engine.StopCalls {
		t.Errorf("all calls whole: %+v", o)
	}
}

func TestAModelThatStartsOverMakesOneCall(t *testing.T) {
	calls(t, "<tool_call>{\"name\":\"read_file\",\"arguments\":{}}\n"+oneCall, "text <tool_call>{\"name\":\"read_file\",\"arguments\":{}}", `call read_file {"path":"a"}`)
	calls(t, "<tool_call>\n"+oneCall, "text <tool_call>", `call read_file {"path":"a"}`)
}

func TestWordsAfterACallAreKept(t *testing.T) {
	calls(t, "Look.\n"+oneCall+"\nI wait for the result.", "text Look.\n", `call read_file {"path":"a"}`, "text \nI wait for the result.")
}

func TestAStrayBacktickHidesNothing(t *testing.T) {
	calls(t, "It's the ` key.\n"+oneCall, "text It's the ` key.", `call read_file {"path":"a"}`)
	calls(t, "The ` key: "+oneCall, "text The ` key:", `call read_file {"path":"a"}`)
	stays(t, "A ` and `"+oneCall+"` here")
}

func TestWithoutToolsNothingIsLookedFor(t *testing.T) {
	in := ended(pieces(bytesOf(oneCall, 3)), engine.StopEnd)
	if out, _ := through(played{deltas: in}, nil); !slices.Equal(out, in) {
		t.Errorf("got %v", out)
	}
}

func TestANativeCallMakesAllMarkupText(t *testing.T) {
	native := engine.CallDelta{Index: 0, ID: "c1", Name: "list_tasks", Args: "{}"}
	for _, cut := range [][]string{{oneCall}, bytesOf(oneCall, 1)} {
		before := append(pieces(cut), native, engine.Done{Stop: engine.StopCalls})
		got, _ := through(played{deltas: before}, offered)
		if o := folded(got); !slices.Equal(o.parts, []string{"text " + oneCall, "call list_tasks {}"}) {
			t.Errorf("native call after: %q", o.parts)
		}
		after := append(append([]engine.Delta{native}, pieces(cut)...), engine.Done{Stop: engine.StopCalls})
		got, _ = through(played{deltas: after}, offered)
		if o := folded(got); !slices.Equal(o.parts, []string{"call list_tasks {}", "text " + oneCall}) {
			t.Errorf("native call before: %q", o.parts)
		}
	}
}

func TestAReplyThatDidNotEndWellMakesNoCall(t *testing.T) {
	ds := pieces([]string{"Look.\n" + oneCall + "\n"})
	broken := errors.New("broken")
	got, err := through(played{ds, broken}, offered)
	if o := folded(got); err != broken || !slices.Equal(o.parts, []string{"text Look.\n" + oneCall + "\n"}) {
		t.Errorf("error: %v, %q", err, o.parts)
	}
	got, err = through(played{deltas: ds}, offered)
	if o := folded(got); err != nil || len(o.parts) != 1 {
		t.Errorf("no Done: %v, %q", err, o.parts)
	}
	for _, stop := range []engine.Stop{engine.StopContentFilter, engine.StopRefusal, engine.StopPause} {
		got, _ = through(played{deltas: ended(ds, stop)}, offered)
		if o := folded(got); o.stop != stop || len(o.parts) != 1 {
			t.Errorf("%s: %+v", stop, o)
		}
	}
}

func TestARetryDropsWhatWaits(t *testing.T) {
	half := oneCall[:40]
	got, _ := through(played{deltas: []engine.Delta{engine.TextDelta{Text: oneCall + half}, engine.Retry{Try: 2}, engine.TextDelta{Text: "Hello"}, engine.Done{Stop: engine.StopEnd}}}, offered)
	if o := folded(got); o.stop != engine.StopEnd || !slices.Equal(o.parts, []string{"text Hello"}) {
		t.Errorf("%+v", o)
	}
	got, _ = through(played{deltas: []engine.Delta{engine.CallDelta{Name: "list_tasks"}, engine.Retry{Try: 2}, engine.TextDelta{Text: oneCall}, engine.Done{Stop: engine.StopEnd}}}, offered)
	if o := folded(got); o.stop != engine.StopCalls || !slices.Equal(o.parts, []string{`call read_file {"path":"a"}`}) {
		t.Errorf("a native call before the retry counts no more: %+v", o)
	}
	got, _ = through(played{deltas: []engine.Delta{engine.TextDelta{Text: half}, engine.Retry{Try: 2, Keep: true}, engine.TextDelta{Text: oneCall[40:]}, engine.Done{Stop: engine.StopEnd}}}, offered)
	if o := folded(got); o.stop != engine.StopCalls || len(o.parts) != 1 {
		t.Errorf("a continuation goes on where the text stopped: %+v", o)
	}
}

func TestThoughtsKeepTheirPlace(t *testing.T) {
	thought := engine.ThoughtDelta{Text: "hm"}
	in := func(a, b string, n int) []engine.Delta {
		return ended(append(append(pieces(bytesOf(a, n)), thought), pieces(bytesOf(b, n))...), engine.StopEnd)
	}
	for _, n := range []int{1, 2, 5, 1000} {
		for _, c := range []struct {
			a, b string
			want []string
		}{
			{"Look `", "` there, and more", []string{"text Look `", "thought hm", "text ` there, and more"}},
			{oneCall[:30], oneCall[30:], []string{`call read_file {"path":"a"}`, "thought hm"}},
			{"<tool_call>{\"na", "me\": 1} is no call", []string{"text <tool_call>{\"na", "thought hm", "text me\": 1} is no call"}},
			{oneCall, "\n" + oneCall, []string{`call read_file {"path":"a"}`, "thought hm", `call read_file {"path":"a"}`}},
		} {
			got, _ := through(played{deltas: in(c.a, c.b, n)}, offered)
			if o := folded(got); !slices.Equal(o.parts, c.want) {
				t.Errorf("%q + %q by %d: %q", c.a, c.b, n, o.parts)
			}
		}
	}
}

// What cannot be markup is told at once, byte by byte.
func TestTextIsToldAsItComes(t *testing.T) {
	c := newChannel(offer(offered))
	told, fed := 0, 0
	add := func(s string) {
		for i := range len(s) {
			fed++
			for _, d := range c.add(engine.TextDelta{Text: s[i : i+1]}) {
				if x, ok := d.(engine.TextDelta); ok {
					told += len(x.Text)
				}
			}
		}
	}
	for _, s := range []string{"Hello.", "\n\nA `span` and a <b>tag</b> x.", " <tool_call> is said here.", "\n<tool_call>{\"name\":\"other\" x", "\n```go\nfunc f() {}\n```\nand", " [link](x) y",
		"\n```json\n{\"name\":\"Ada\"", "}\n```\nand", " `<tool_call>` x", "\n```json\n{\"name\":\"read_file\",\"arguments\":{}}\n```\nwould do"} {
		if add(s); told != fed {
			t.Errorf("after %q: %d bytes told of %d", s, told, fed)
		}
	}
}

func TestASignOfLifeWhileALongCallIsWritten(t *testing.T) {
	c := newChannel(offer(offered))
	c.add(engine.TextDelta{Text: `<tool_call>{"name":"write_file","arguments":{"path":"a","content":"` + strings.Repeat("x", 100)})
	if out := c.add(engine.TextDelta{Text: "more"}); len(out) != 1 || out[0] != (engine.ThoughtDelta{}) {
		t.Errorf("got %v", out)
	}
}

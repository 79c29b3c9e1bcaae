package textcalls

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/soak"
)

// scraps are what random replies are made of.
var scraps = []string{
	"<tool_call>", "</tool_call>", "<tool", "_call>", "<tools>", "</tools>", "<function=", "<function=read_file>", "</function>", "<parameter=path>", "</parameter>", ">", "<",
	"[TOOL_CALLS]", "[ARGS]", "[CALL_ID]x1", "[", "]", "{", "}", "<|python_tag|>", ";", ",", ":", "\"", "\\", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>",
	"<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>", "function<｜tool▁sep｜>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "read_file", "list_tasks", "other",
	`{"name":"read_file","arguments":{"path":"a"}}`, `{"name": "list_tasks", "parameters": {}}`, `{"name":"other","arguments":{}}`, `"name"`, `"arguments"`, `{"name":"read_file","arguments":`,
	"`", "``", "```", "~~~", "```json\n", "\n```\n", "\n```", "```tool_call\n", "\n", "\r\n", " ", "  ", "a", "Hello", "> ", "—", "\xe2", "\xef\xbd",
}

func randomReply(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(scraps[r.IntN(len(scraps))])
	}
	return b.String()
}

// wraps are whole blocks, so that random replies hold many calls.
var wraps = [][2]string{{"<tool_call>", "</tool_call>"}, {"<tool_call>\n", "\n</tool_call>\n"}, {"[TOOL_CALLS][", "]"}, {"<|python_tag|>", ""}, {"```json\n", "\n```\n"}, {"\n", ""}, {"`<tool_call>", "</tool_call>`"},
	{"<function=read_file>", "</function>"}, {"[TOOL_CALLS]read_file[ARGS]", ""}, {"<tool_call><function=read_file><parameter=path>", "</parameter></function></tool_call>"}}

func richReply(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(5) {
		w := wraps[r.IntN(len(wraps))]
		b.WriteString(w[0] + `{"name":"read_file","arguments":{"path":"` + randomReply(r, 4) + `"}}` + randomReply(r, 2) + w[1] + randomReply(r, 3))
	}
	return b.String()
}

// checkCuts fails when the way s is cut, or the place of a thought in it, changes what it comes to, or when something
// of a reply without calls is lost.
func checkCuts(t *testing.T, s string, r *rand.Rand) {
	t.Helper()
	o := reply(t, s)
	var text strings.Builder
	made := false
	for _, p := range o.parts {
		made = made || strings.HasPrefix(p, "call ")
		text.WriteString(strings.TrimPrefix(p, "text "))
	}
	if !made && text.String() != s || made != (o.stop == engine.StopCalls) {
		t.Fatalf("%q\ngives %+v", s, o)
	}
	at := r.IntN(len(s) + 1)
	var want outcome
	for i := range 4 {
		a, b := randomCut(s[:at], r), randomCut(s[at:], r)
		if i == 1 {
			a, b = bytesOf(s[:at], 1), bytesOf(s[at:], 1)
		}
		ds := append(append(pieces(a), engine.ThoughtDelta{Text: "hm"}), pieces(b)...)
		out, _ := through(played{deltas: ended(ds, engine.StopEnd)}, offered)
		got := folded(out)
		if i == 0 {
			want = got
		}
		if !got.equal(want) {
			t.Fatalf("%q with a thought at %d\n%q\n%q", s, at, want, got)
		}
	}
}

func TestEveryCutOfRandomRepliesGivesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	made := 0
	for range soak.Every(make([]int, 1_000), 2, 0) { // in a soak all
		checkCuts(t, randomReply(r, 24), r)
		s := richReply(r)
		checkCuts(t, s, r)
		if reply(t, s).stop == engine.StopCalls {
			made++
		}
	}
	if made < 100 {
		t.Errorf("only %d of the replies held a call: the test says little", made)
	}
}

func FuzzCuts(f *testing.F) {
	for _, s := range []string{
		"a\n" + oneCall + "\n" + oneCall, "[TOOL_CALLS]read_file[ARGS]{\"path\":1}", "```json\n{\"name\":\"list_tasks\",\"arguments\":{}}\n```\n", "{\"name\":\"list_tasks\",\"parameters\":{}}",
		"<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "<|python_tag|>{\"name\":\"list_tasks\",\"parameters\":{}};",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkCuts(t, s, rand.New(rand.NewPCG(uint64(len(s)), 5))) })
}

// hard are replies, repeated,, of the kind that makes a careless reader quadratic.
var hard = map[string]string{
	"prose":            "Some words, a `span` and a line.\n",
	"openers":          "<tool_call>",
	"open heads":       `<tool_call>{"name":"read_file","arguments":{`,
	"odd quotes":       `<tool_call>{"name":"read_file","arguments":{"a":"</tool_call>`,
	"escapes":          `<tool_call>{"name":"read_file","arguments":"\"</tool_call>`,
	"deep":             `[TOOL_CALLS]read_file[ARGS]{`,
	"function openers": "<function=",
	"parameters":       "<function=read_file><parameter=path>x</parameter>",
	"calls":            oneCall + "\n",
	"mid-line":         "a " + oneCall + " b ",
	"fences":           "```json\n{\"name\":\"read_file\",\"arguments\":{}}\n```\n",
	"open fences":      "```json\n{\"name\":\"read_file\",\"arguments\":{",
	"objects":          `{"name":"read_file","arguments":{}} `,
	"spans":            "` <tool_call> `` ",
	"backticks":        "`",
	"tokens":           "[TOOL_CALLS] is ",
	"keys":             "<tool_call>read_file<arg_key>",
	"deepseek":         "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{",
	"spaces":           "<tool_call>                     ",
	"python":           `<|python_tag|>{"name":"read_file","parameters":{}};`,
}

// Sixteen times the text must not take 256 times the processor time.
func TestTimeGrowsWithTheLengthOnly(t *testing.T) {
	took := func(s string, size int) time.Duration {
		ds := ended(pieces(bytesOf(s, min(size, len(s)))), engine.StopEnd)
		began := soak.Spent()
		through(played{deltas: ds}, offered)
		return soak.Spent() - began
	}
	length := 1 << 14
	if raceOn {
		length = 1 << 13
	}
	for name, unit := range hard {
		s := strings.Repeat(unit, length/len(unit))
		for _, size := range []int{1, len(s)} {
			part, whole := took(s[:len(s)/16], size), took(s, size)
			if whole > 80*part+100*time.Millisecond {
				t.Errorf("%s in pieces of %d: %v for a sixteenth, %v for all", name, size, part, whole)
			}
		}
	}
	cut := strings.Repeat("```json\n{\"name\":\"read_file\",\"arguments\":{}}\n```\n", 1<<12)
	if d := took(cut[:len(cut)-20], len(cut)); d > time.Second { // the last block is not whole: 16 ms when linear
		t.Errorf("many fenced calls and half a one: %v", d)
	}
}

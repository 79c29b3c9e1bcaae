package completions_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/completions"
	pt "talaria/engine/provider/providertest"
)

// stream asks a server that sends these pieces, whole and cut in every way, and checks that all give the same.
func stream(t *testing.T, pieces ...string) pt.Reply {
	t.Helper()
	whole := ask(t, pt.SSE(pieces...))
	if total := len(strings.Join(pieces, "")); total > 1<<16 {
		return whole
	}
	for _, size := range pt.Cuts {
		a := pt.SSE(pieces...)
		a.Sizes = []int{size}
		if x, y := summary(whole), summary(ask(t, a)); x != y {
			t.Fatalf("cut at %d bytes:\n%s\nwhole:\n%s", size, y, x)
		}
	}
	return whole
}

// calls checks that the reply is complete and its calls are these, each as "id name arguments".
func calls(t *testing.T, r pt.Reply, want ...string) {
	t.Helper()
	if r.Err != nil || r.Done == nil {
		t.Fatalf("failed: %v", r.Err)
	}
	var got []string
	for _, c := range r.Message.Calls() {
		got = append(got, c.ID+" "+c.Name+" "+c.Args)
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("calls\n%s\nwant\n%s", a, b)
	}
	if len(want) > 0 && r.Done.Stop != engine.StopCalls {
		t.Errorf("stop %s, want tool_calls", r.Done.Stop)
	}
}

func failure(t *testing.T, r pt.Reply, words ...string) *provider.Failure {
	t.Helper()
	var f *provider.Failure
	if !errors.As(r.Err, &f) {
		t.Fatalf("got %v (done %+v), want a Failure", r.Err, r.Done)
	}
	for _, w := range words {
		if !strings.Contains(f.Error(), w) {
			t.Errorf("%q does not say %q", f.Error(), w)
		}
	}
	return f
}

func text(t *testing.T, r pt.Reply, want string, stop engine.Stop) {
	t.Helper()
	if r.Err != nil || r.Done == nil || r.Message.Text() != want || r.Done.Stop != stop {
		t.Errorf("got %.100q, done %+v, error %v; want %.100q, %s", r.Message.Text(), r.Done, r.Err, want, stop)
	}
}

func TestS01ParallelCallsAllWithIndexZero(t *testing.T) {
	one := func(id, path string) string {
		return pt.TC(fmt.Sprintf(`[{"index":0,"id":%q,"type":"function","function":{"name":"write_file","arguments":"{\"path\":\"%s.txt\"}"}}]`, id, path))
	}
	calls(t, stream(t, one("call_1", "alpha"), one("call_2", "beta"), one("call_3", "gamma"), pt.FIN("tool_calls"), pt.DONE),
		`call_1 write_file {"path":"alpha.txt"}`, `call_2 write_file {"path":"beta.txt"}`, `call_3 write_file {"path":"gamma.txt"}`)
}

func TestS01TheSameIDOnEveryFragmentIsOneCall(t *testing.T) {
	frag := func(args string) string {
		return pt.TC(fmt.Sprintf(`[{"index":0,"id":"call_1","type":"function","function":{"name":"write_file","arguments":%q}}]`, args))
	}
	calls(t, stream(t, frag(""), frag(`{"path":`), frag(`"a"}`), frag(""), pt.FIN("tool_calls"), pt.DONE), `call_1 write_file {"path":"a"}`)
}

func TestS01CallsInterleavedUnderOneIndexStayApart(t *testing.T) {
	calls(t, stream(t,
		pt.TC(`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]`),
		pt.TC(`[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":"}}]`),
		pt.TC(`[{"index":0,"id":"a","function":{"arguments":"1}"}}]`),
		pt.TC(`[{"index":0,"id":"b","function":{"arguments":"2}"}}]`),
		pt.FIN("tool_calls"), pt.DONE), `a f {"x":1}`, `b f {"x":2}`)
}

func TestS01ANewIDOnEveryNamelessFragmentIsOneCall(t *testing.T) {
	calls(t, stream(t,
		pt.TC(`[{"index":0,"id":"x1","function":{"name":"f","arguments":""}}]`),
		pt.TC(`[{"index":0,"id":"x2","function":{"arguments":"{\"a\":"}}]`),
		pt.TC(`[{"index":0,"id":"x3","function":{"arguments":"1}"}}]`),
		pt.FIN("tool_calls"), pt.DONE), `x1 f {"a":1}`)
}

func TestS01CallsOfOneListWithoutIDsAreSeveral(t *testing.T) {
	r := stream(t, pt.TC(`[{"index":0,"function":{"name":"a","arguments":"{}"}},{"index":0,"function":{"name":"b","arguments":""}},{"index":0,"function":{"name":"b","arguments":"{\"n\":1}"}}]`), pt.FIN("stop"), pt.DONE)
	got := r.Message.Calls()
	if len(got) != 3 || got[0].Name != "a" || got[1].Name != "b" || got[2].Args != `{"n":1}` {
		t.Errorf("calls %+v, error %v", got, r.Err)
	}
}

func TestS02IndexAbsent(t *testing.T) {
	one := func(id string) string {
		return `data: {"id":"chatcmpl-763","object":"chat.completion.chunk","created":1732922184,"model":"qwen2.5:7b","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"get","arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n"
	}
	calls(t, stream(t, one("call_rcja46yu"), pt.FIN("tool_calls"), pt.DONE), "call_rcja46yu get {}")
	calls(t, stream(t, one("call_a"), one("call_b"), pt.FIN("tool_calls"), pt.DONE), "call_a get {}", "call_b get {}")
	third := pt.TC(`[{"function":{"arguments":"x"}}]`)
	r := stream(t, one("call_a"), one("call_b"), third, pt.FIN("tool_calls"), pt.DONE)
	calls(t, r, "call_a get {}", "call_b get {}x")
}

func TestS03FirstIndexIsOne(t *testing.T) {
	r := stream(t, pt.TXT("Let me look."),
		pt.TC(`[{"index":1,"id":"toolu_1","type":"function","function":{"name":"read_file","arguments":""}}]`),
		pt.TC(`[{"index":1,"function":{"arguments":"{\"path\":\"a.go\"}"}}]`), pt.FIN("tool_calls"), pt.DONE)
	calls(t, r, `toolu_1 read_file {"path":"a.go"}`)
	if r.Message.Text() != "Let me look." {
		t.Errorf("text %q", r.Message.Text())
	}
	for _, d := range r.Deltas {
		if c, ok := d.(engine.CallDelta); ok && c.Index != 0 {
			t.Errorf("slot %d, want 0: the order of first appearance", c.Index)
		}
	}
}

func TestS04FragmentsWithNullOrEmptyNames(t *testing.T) {
	calls(t, stream(t,
		pt.TC(`[{"index":0,"id":"call_9","type":"function","function":{"name":"read_file","arguments":""}}]`),
		pt.TC(`[{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{\"path\": \"test"}}]`),
		pt.TC(`[{"index":0,"type":"function","function":{"name":"","arguments":".py\"}"}}]`),
		pt.FIN("tool_calls"), pt.DONE), `call_9 read_file {"path": "test.py"}`)
}

func TestS04ANameThatComesInPiecesOrGrows(t *testing.T) {
	name := func(s string) string { return pt.TC(fmt.Sprintf(`[{"index":0,"id":"c","function":{"name":%q}}]`, s)) }
	args := pt.TC(`[{"index":0,"function":{"arguments":"{}"}}]`)
	calls(t, stream(t, name("read_"), name("file"), args, pt.FIN("tool_calls"), pt.DONE), "c read_file {}")
	calls(t, stream(t, name("read_"), name("read_file"), args, name("read_file"), pt.FIN("tool_calls"), pt.DONE), "c read_file {}")
	calls(t, stream(t, name("list"), pt.FIN("tool_calls"), pt.DONE), "c list {}")
}

func TestS06NothingIsCompleteBeforeTheStreamEnds(t *testing.T) {
	calls(t, stream(t,
		pt.TC(`[{"index":0,"id":"c_a","type":"function","function":{"name":"edit","arguments":"{\"path\":\"a\"}"}}]`),
		pt.TC(`[{"index":1,"id":"c_b","type":"function","function":{"name":"edit","arguments":"{\"path\":"}}]`),
		pt.TC(`[{"index":0,"function":{"arguments":"\n  "}}]`),
		pt.TC(`[{"index":1,"function":{"arguments":"\"b\"}"}}]`),
		pt.FIN("tool_calls"), pt.DONE), `c_a edit {"path":"a"}`, `c_b edit {"path":"b"}`)
}

func TestS07AnErrorInsideTheReplyInEverySpelling(t *testing.T) {
	const words = "Worker local total request limit reached (33/32)"
	for _, data := range []string{
		`{"id":"gen-1","object":"chat.completion.chunk","choices":[],"error":{"code":502,"message":"` + words + `"}}`,
		`{"error":{"code":502,"message":"` + words + `"}}`,
		`{ "error": {"code":502,"message":"` + words + `"}}`,
		`{"id":"gen-1","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"` + words + `"}}`,
		`{"id":"gen-1","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"` + words + `"}}]}`,
		`{"object":"error","message":"` + words + `","code":502}`,
		`[{"error":{"code":502,"message":"` + words + `"}}]`,
	} {
		r := stream(t, pt.TXT("Hel"), pt.DATA(data), pt.DONE)
		f := failure(t, r, words)
		if e := classify.Error(f); e.Reason != engine.ReasonServerError && e.Reason != engine.ReasonOverloaded || e.Status != 502 {
			t.Errorf("%s\nis %v", data, e)
		}
	}
	failure(t, stream(t, pt.TXT("Hel"), pt.DATA(`{"error":"Stream error: boom"}`), pt.DONE), "Stream error: boom")
	failure(t, stream(t, pt.TXT("Hel"), pt.FIN("error"), pt.DONE), "error")
}

func TestS08AnEventLineBeforeTheError(t *testing.T) {
	f := failure(t, stream(t, pt.TXT("Hel"), "event: error\ndata: {\"error\":{\"message\":\"Tool call validation failed\",\"type\":\"invalid_request_error\",\"code\":\"tool_use_failed\"}}\n\n"), "Tool call validation failed")
	if f.Code != "tool_use_failed" {
		t.Errorf("code %q", f.Code)
	}
	f = failure(t, stream(t, ": OPENROUTER PROCESSING\n\n", pt.DATA(`{"error":{"message":"quota exceeded","code":429}}`)), "quota exceeded")
	if e := classify.Error(f); e.Status != 429 {
		t.Errorf("got %v", e)
	}
	failure(t, stream(t, pt.TXT("Hel"), "error: {\"message\":\"out of memory\"}\n"), "out of memory")
}

func TestS09ALongRunOfKeepAlives(t *testing.T) {
	quiet := strings.Repeat(": OPENROUTER PROCESSING\n\n", 400)
	text(t, stream(t, quiet, pt.TXT("ok"), pt.FIN("stop"), pt.DONE), "ok", engine.StopEnd)
	f := failure(t, stream(t, quiet), "provider sent no data")
	if e := classify.Error(f); e.Reason != engine.ReasonEmptyResponse || engine.PlanOf(e.Reason).Attempts == 1 {
		t.Errorf("%v must be retried", e)
	}
}

func TestS11LinesInEveryForm(t *testing.T) {
	hi := `{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}`
	text(t, stream(t, "data:"+hi+"\n\ndata:[DONE]\n\n"), "hi", engine.StopEnd)
	crlf := strings.ReplaceAll(pt.TXT("a")+pt.TXT("b\r\nc")+pt.FIN("stop")+pt.DONE, "\n", "\r\n")
	text(t, stream(t, crlf), "ab\r\nc", engine.StopEnd)
	text(t, stream(t, "\xef\xbb\xbf"+pt.TXT("first"), pt.DONE), "first", engine.StopEnd)
	last := strings.TrimRight(strings.ReplaceAll(pt.TXT("LAST"), `"finish_reason":null`, `"finish_reason":"stop"`), "\n")
	text(t, stream(t, pt.TXT("a"), last), "aLAST", engine.StopEnd)
	text(t, stream(t, strings.ReplaceAll(pt.TXT("a")+pt.TXT("b")+pt.DONE, "\n\n", "\n")), "ab", engine.StopEnd) // no blank lines
}

func TestS12OneVeryLongLine(t *testing.T) {
	long := strings.Repeat("a", 2<<20)
	text(t, stream(t, pt.TXT(long), pt.FIN("stop"), pt.DONE), long, engine.StopEnd)

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f := failure(t, ask(t, pt.SSE("data: "+strings.Repeat("a", 64<<20))), "too long")
	runtime.ReadMemStats(&after)
	if f.Cut || classify.Error(f).Reason != engine.ReasonFormatError {
		t.Errorf("%+v: the same request would fail again", f)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 { // the server's own 64 MiB, twice, and our 16 MiB growing
		t.Errorf("%d MiB were used for a line that is refused", used>>20)
	}
}

func TestS14AStreamCutInsideArguments(t *testing.T) {
	cut := pt.TC(`[{"index":0,"id":"call_1","type":"function","function":{"name":"write_file","arguments":"{\"path\":\"a.txt\",\"content\":\"abc"}}]`)
	f := failure(t, stream(t, cut))
	if !f.Cut || !f.InCall {
		t.Errorf("got %+v, want Cut and InCall", f)
	}
	e := classify.Error(f)
	if e.Reason != engine.ReasonTimeout || e.Code != engine.CodeCut || strings.Contains(e.Message, "length limit") || strings.Contains(e.Message, "max output tokens") {
		t.Errorf("got %v", e)
	}
	if f := failure(t, stream(t, cut, pt.DONE)); !f.Cut || !f.InCall {
		t.Errorf("[DONE] without a finish_reason: got %+v", f)
	}
	for _, finish := range []string{"tool_calls", "stop", "length"} { // some routers say tool_calls all the same
		if r := stream(t, cut, pt.FIN(finish), pt.DONE); r.Done == nil || r.Done.Stop != engine.StopLength {
			t.Errorf("finish %s: done %+v, error %v; want stop length", finish, r.Done, r.Err)
		}
	}
}

func TestS15WhichEndingsAreComplete(t *testing.T) {
	if f := failure(t, stream(t, pt.TXT("Hello"))); !f.Cut || f.InCall {
		t.Errorf("row 1: %+v", f)
	}
	text(t, stream(t, pt.TXT("Hello"), pt.DONE), "Hello", engine.StopEnd)
	text(t, stream(t, pt.TXT("Hel"), pt.TXT(""), pt.DONE), "Hel", engine.StopEnd)
	text(t, stream(t, pt.TXT("Hel"), pt.DATA(`{"choices":[]}`), pt.DONE), "Hel", engine.StopEnd)
	text(t, stream(t, pt.TXT("Hello"), pt.FIN("stop")), "Hello", engine.StopEnd)

	reset := pt.SSE(pt.TXT("Hello"), pt.FIN("stop"))
	reset.Cut = true
	text(t, ask(t, reset), "Hello", engine.StopEnd) // the reply had ended before the connection broke
	half := pt.SSE(pt.TXT("Hello"), pt.TXT("world")[:40])
	if f := failure(t, ask(t, half)); !f.Cut {
		t.Errorf("half a chunk: %+v", f)
	}
	if f := failure(t, stream(t, pt.DONE)); !f.NoData {
		t.Errorf("[DONE] alone: %+v", f)
	}
}

func TestS17AzureChunksWithoutChoicesOrDelta(t *testing.T) {
	r := stream(t,
		pt.DATA(`{"id":"","choices":[],"created":0,"model":"","object":"","system_fingerprint":null,"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}`),
		pt.TXT("ok"), pt.FIN("stop"),
		pt.DATA(`{"id":"","choices":[{"finish_reason":null,"index":0,"content_filter_offsets":{"check_offset":3329,"start_offset":3329,"end_offset":3438},"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}],"created":0,"model":"","object":""}`),
		pt.DONE)
	text(t, r, "ok", engine.StopEnd)
}

func TestS19CallsDecideNotTheLabel(t *testing.T) {
	ls := pt.TC(`[{"index":0,"id":"function-call-1","type":"function","function":{"name":"ls","arguments":"{}"}}]`)
	calls(t, stream(t, ls, pt.FIN("stop"), pt.DONE), "function-call-1 ls {}")
	calls(t, stream(t, ls, pt.FIN("STOP"), pt.DONE), "function-call-1 ls {}")
	text(t, stream(t, pt.TXT("no call after all"), pt.FIN("tool_calls"), pt.DONE), "no call after all", engine.StopEnd)
	text(t, stream(t, pt.TXT("half"), pt.FIN("MAX_TOKENS"), pt.DONE), "half", engine.StopLength)
	text(t, stream(t, pt.TXT("?"), pt.FIN("brand_new"), pt.DONE), "?", engine.StopUnknown)
}

func TestS21ArgumentsAsAnObject(t *testing.T) {
	get := pt.TC(`[{"index":0,"id":"call_1","type":"function","function":{"name":"get","arguments":{"city": "Paris"}}}]`)
	calls(t, stream(t, get, pt.FIN("tool_calls"), pt.DONE), `call_1 get {"city":"Paris"}`)
	calls(t, stream(t, get, get, pt.FIN("tool_calls"), pt.DONE), `call_1 get {"city":"Paris"}`)
}

func TestS23ArgumentsThatAreNotValidJSONArePassedOnAsTheyAre(t *testing.T) {
	args := "{\"path\":\"a\",\"old\":\"x\ny\"}"
	quoted, _ := engine.Marshal(args)
	r := stream(t, pt.TC(`[{"index":0,"id":"c","function":{"name":"patch","arguments":`+string(quoted)+`}}]`), pt.FIN("tool_calls"), pt.DONE)
	calls(t, r, "c patch "+args)
}

func TestS25ASecondAttemptStartsClean(t *testing.T) {
	first := pt.SSE(pt.TXT("Hello wor"), pt.USE(100, 5), pt.TC(`[{"index":0,"id":"dead","type":"function","function":{"name":"ls","arguments":"{"}}]`))
	first.Cut = true
	h := pt.InTurn(first, pt.SSE(pt.TXT("Hello world"), pt.FIN("stop"), pt.DONE))
	p := completions.New(provider.Endpoint{BaseURL: "https://h.test/v1", HTTP: pt.Client(h)})
	f := failure(t, pt.Collect(t.Context(), p, hello()))
	if !f.Cut || !f.InCall || f.Usage != (engine.Usage{Input: 100, Output: 5}) {
		t.Errorf("first attempt: %+v", f)
	}
	r := pt.Collect(t.Context(), p, hello())
	text(t, r, "Hello world", engine.StopEnd)
	calls(t, r)
}

func TestS27A200ThatIsNoStream(t *testing.T) {
	page := "<!DOCTYPE html>\n<html><body>Login required</body></html>\n"
	for _, kind := range []string{"text/html", "text/html; charset=utf-8", "text/plain", ""} {
		f := failure(t, ask(t, pt.Answer{Type: kind, Body: []byte(page)}), "text/html", "https://h.test/v1/chat/completions")
		if strings.Contains(f.Error(), "<") || strings.Contains(f.Error(), "Login") {
			t.Errorf("the page is in %q", f.Error())
		}
	}
	f := failure(t, ask(t, pt.JSON(200, `{"error":{"message":"quota exceeded","code":429}}`)), "quota exceeded")
	if e := classify.Error(f); e.Reason != engine.ReasonRateLimit && e.Reason != engine.ReasonBilling {
		t.Errorf("got %v", e)
	}
	whole := `{"id":"c","object":"chat.completion","model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`
	for _, kind := range []string{"application/json", "text/event-stream"} {
		r := ask(t, pt.Answer{Type: kind, Body: []byte(whole)})
		text(t, r, "hello", engine.StopEnd)
		if r.Done.Model != "m-1" || r.Done.Usage == nil || r.Done.Usage.Input != 3 {
			t.Errorf("done %+v", r.Done)
		}
	}
	failure(t, ask(t, pt.JSON(200, whole[:len(whole)-30])), "broke off")
	failure(t, ask(t, pt.Answer{Type: "text/plain", Body: []byte("Not here\n")}), "no data", "text/plain")
}

func TestReasoningThatIsDoubledCountsOnce(t *testing.T) {
	r := stream(t,
		pt.DATA(`{"choices":[{"index":0,"delta":{"reasoning":"a","reasoning_content":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0}]}}]}`),
		pt.DATA(`{"choices":[{"index":0,"delta":{"reasoning_content":null,"reasoning_text":"b"}}]}`),
		pt.DATA(`{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.summary","summary":"c","index":1},{"type":"reasoning.encrypted","data":"SEAL","index":2}]}}]}`),
		pt.DATA(`{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"d"}]},{"type":"text","text":"Yes"},"!"]}}]}`),
		pt.FIN("stop"), pt.DONE)
	text(t, r, "Yes!", engine.StopEnd)
	if r.Message.Reasoning() != "abcd" {
		t.Errorf("reasoning %q, want abcd", r.Message.Reasoning())
	}
	last, ok := r.Message.Parts[len(r.Message.Parts)-1].(engine.Opaque)
	if !ok || !strings.Contains(string(last.Data), "SEAL") {
		t.Errorf("parts %+v: the sealed reasoning is not kept", r.Message.Parts)
	}
}

func TestARefusalIsTheAnswer(t *testing.T) {
	r := stream(t, pt.DATA(`{"choices":[{"index":0,"delta":{"refusal":"I can"}}]}`), pt.DATA(`{"choices":[{"index":0,"delta":{"refusal":"not."}}]}`), pt.FIN("stop"), pt.DONE)
	text(t, r, "I cannot.", engine.StopRefusal)
}

func TestUsageInTheFieldsOfEveryServer(t *testing.T) {
	for body, want := range map[string]engine.Usage{
		`{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":80},"completion_tokens_details":{"reasoning_tokens":7}}`: {Input: 100, Output: 20, CacheRead: 80, Reasoning: 7},
		`{"prompt_tokens":100,"completion_tokens":20,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`:                                      {Input: 100, Output: 20, CacheRead: 64},
		`{"prompt_tokens":100.0,"completion_tokens":"20","prompt_tokens_details":null,"cached_tokens":5}`:                                              {Input: 100, Output: 20, CacheRead: 5},
		`{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":9}}`:                              {Input: 100, Output: 20, CacheRead: 1, CacheWrite: 9},
	} {
		r := stream(t, pt.USE(1, 1), pt.TXT("a"), pt.FIN("stop"), pt.DATA(`{"choices":[],"usage":`+body+`}`), pt.DONE)
		if r.Done == nil || r.Done.Usage == nil || *r.Done.Usage != want {
			t.Errorf("%s\ngives %+v", body, r.Done)
		}
	}
}

func TestNobodyThereNamesTheServerAndNeverTheKey(t *testing.T) {
	p := completions.New(provider.Endpoint{BaseURL: "http://127.0.0.1:1/v1?key=sk-secret", Key: "sk-secret"})
	f := failure(t, pt.Collect(t.Context(), p, hello()), "127.0.0.1:1")
	if e := classify.Error(f); !f.Dial || e.Code != engine.CodeNoConnection || !strings.Contains(e.Hint, "http://127.0.0.1:1/v1/chat/completions") {
		t.Errorf("got %+v", e)
	}
	if strings.Contains(fmt.Sprint(f, f.URL), "sk-secret") {
		t.Errorf("the key is in %v", f)
	}
}

func TestAKeyThatCannotBeAKeyIsSaidBeforeAnythingIsSent(t *testing.T) {
	p := completions.New(provider.Endpoint{BaseURL: "https://h.test/v1", Key: "sk-“quoted”", HTTP: pt.Client(http.NotFoundHandler())})
	f := failure(t, pt.Collect(t.Context(), p, hello()), "place 4")
	if e := classify.Error(f); e.Reason != engine.ReasonAuth || strings.Contains(e.Message, "quoted") {
		t.Errorf("got %+v", e)
	}
}

// Gemini seals its thinking in a field of the call: what came in the stream goes back with that call, also after the session
// was stored and read again.
func TestH09TheSealOfACallThatStreamedGoesBackAfterAResume(t *testing.T) {
	r := stream(t, pt.TC(`[{"index":0,"id":"c1","type":"function","function":{"name":"read_file","arguments":"{}"},"extra_content":{"google":{"thought_signature":"AbC=="}}}]`),
		pt.FIN("tool_calls"), pt.DONE)
	stored, err := json.Marshal(r.Message)
	if err != nil {
		t.Fatal(err)
	}
	var resumed engine.Message
	if err := json.Unmarshal(stored, &resumed); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]engine.Message{"at once": r.Message, "after a resume": resumed} {
		c := m.Calls()
		if len(c) != 1 || string(c[0].Extra) != `{"google":{"thought_signature":"AbC=="}}` {
			t.Errorf("%s the call is %+v", name, c)
		}
	}
}

package responses_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	pt "talaria/engine/provider/providertest"
	"talaria/engine/provider/responses"
)

// stream asks a server that sends these pieces, whole and cut in every way, and checks that all give the same.
func stream(t *testing.T, pieces ...string) pt.Reply {
	t.Helper()
	whole := ask(t, pt.SSE(pieces...))
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

var readA = call("fc_a", "call_a", "read", `{"path":"a"}`, "completed")

func TestS01ParallelCallsAllAtPlaceZeroStayApart(t *testing.T) {
	var pieces []string
	for _, p := range []string{"a", "b", "c"} {
		args := fmt.Sprintf(`{"path":%q}`, p)
		pieces = append(pieces, added(0, call("fc_"+p, "call_"+p, "read", "", "in_progress")),
			delta("function_call_arguments", 0, "fc_"+p, args[:5]), delta("function_call_arguments", 0, "fc_"+p, args[5:]),
			itemDone(0, call("fc_"+p, "call_"+p, "read", args, "completed")))
	}
	calls(t, stream(t, append(pieces, ended("completed", "", ""))...), `call_a read {"path":"a"}`, `call_b read {"path":"b"}`, `call_c read {"path":"c"}`)
}

func TestS01InterleavedCallsStayApart(t *testing.T) {
	calls(t, stream(t,
		added(0, call("fc_a", "a", "f", "", "in_progress")), added(1, call("fc_b", "b", "f", "", "in_progress")),
		delta("function_call_arguments", 0, "fc_a", `{"x":`), delta("function_call_arguments", 1, "fc_b", `{"x":`),
		delta("function_call_arguments", 0, "fc_a", `1}`), delta("function_call_arguments", 1, "fc_b", `2}`),
		itemDone(1, call("fc_b", "b", "f", `{"x":2}`, "completed")), itemDone(0, call("fc_a", "a", "f", `{"x":1}`, "completed")),
		ended("completed", "", "")), `a f {"x":1}`, `b f {"x":2}`)
}

func TestS02PlacesAndIDsAbsent(t *testing.T) {
	calls(t, stream(t,
		ev("output_item.added", `"item":{"type":"function_call","call_id":"c1","name":"f","arguments":""}`),
		ev("function_call_arguments.delta", `"delta":"{\"x\":1}"`),
		ev("output_item.done", `"item":{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"x\":1}"}`),
		ev("output_item.added", `"item":{"type":"function_call","call_id":"c2","name":"g","arguments":""}`),
		ev("function_call_arguments.delta", `"delta":"{}"`),
		ev("output_item.done", `"item":{"type":"function_call","call_id":"c2","name":"g","arguments":"{}"}`),
		ended("completed", "", "")), `c1 f {"x":1}`, `c2 g {}`)
}

func TestAServerThatMakesANewIDForEveryEvent(t *testing.T) {
	r := stream(t,
		added(0, `{"type":"message","id":"x1","role":"assistant","content":[]}`), delta("output_text", 0, "x2", "Hel"), delta("output_text", 0, "x3", "lo"),
		itemDone(0, said("x4", "Hello", "")),
		added(1, call("x5", "call_a", "read", "", "in_progress")), delta("function_call_arguments", 1, "x6", `{"path":`), delta("function_call_arguments", 1, "x7", `"a"}`),
		itemDone(1, call("x8", "call_a", "read", `{"path":"a"}`, "completed")),
		ended("completed", said("x9", "Hello", "")+","+call("x10", "call_a", "read", `{"path":"a"}`, "completed"), ""))
	calls(t, r, `call_a read {"path":"a"}`)
	if r.Message.Text() != "Hello" {
		t.Errorf("text %q", r.Message.Text())
	}
}

func TestTheWholeReplyOnlyInTheLastEventComesOnce(t *testing.T) {
	all := sealed("rs_1", "SEAL", "Hm.") + "," + said("msg_1", "Hello", "final_answer") + "," + readA
	whole := ended("completed", all, "")
	streamed := append(reply(pt.Said{Thought: "Hm.", Text: "Hello"})[:12:12], added(2, readA), itemDone(2, readA), whole)
	for name, pieces := range map[string][]string{"nothing streamed": {created, whole}, "all streamed": streamed} {
		r := stream(t, pieces...)
		calls(t, r, `call_a read {"path":"a"}`)
		if r.Message.Text() != "Hello" || r.Message.Reasoning() != "Hm." || r.Done.Model != "m-1-dated" {
			t.Errorf("%s: %q, %q, %+v", name, r.Message.Text(), r.Message.Reasoning(), r.Done)
		}
		if n := len(r.Message.Parts); n != 5 { // thought, its seal, text, its label, call
			t.Errorf("%s: %d parts: %+v", name, n, r.Message.Parts)
		}
	}
}

func TestTheLastEventIsPairedWithWhatStreamed(t *testing.T) {
	a := itemDone(0, said("a", "Streamed.", ""))
	for name, pieces := range map[string][]string{
		"one that did not stream comes first": {a, ended("completed", said("b", " New.", "")+","+said("a", "Streamed.", ""), "")},
		"ids changed, one did not stream":     {itemDone(1, said("x", "Streamed.", "")), ended("completed", said("y0", " New.", "")+","+said("y1", "Streamed.", ""), "")},
		"no places and no ids":                {ev("output_text.delta", `"delta":"Streamed. New."`), ended("completed", said("m", "Streamed. New.", ""), "")},
		"an item is announced and sent twice": {a, a, itemDone(1, said("b", " New.", "")), ended("completed", "", "")},
	} {
		if r := stream(t, pieces...); r.Message.Text() != "Streamed. New." {
			t.Errorf("%s: %q, %v", name, r.Message.Text(), r.Err)
		}
	}
	open := added(0, call("fc_a", "call_a", "read", "", "in_progress"))
	calls(t, stream(t, open, open, itemDone(0, readA), open, itemDone(0, readA), ended("completed", "", "")), `call_a read {"path":"a"}`)
}

func TestTheStatusInsideTheLastEventMayBeOld(t *testing.T) {
	text(t, stream(t, delta("output_text", 0, "m", "Hello"), ev("completed", `"response":{"status":"in_progress"}`)), "Hello", engine.StopEnd)
	failure(t, ask(t, pt.JSON(200, `{"object":"response","status":"queued","output":[]}`)), "before it had one")
}

func TestOnlyTheDeltasOfATextAreEnough(t *testing.T) {
	text(t, stream(t, delta("output_text", 0, "m", "He"), delta("output_text", 0, "m", "llo"), ended("completed", "", "")), "Hello", engine.StopEnd)
	text(t, stream(t, ev("output_text.done", `"text":"Hel"`), ev("output_text.done", `"content_index":1,"text":"lo"`), ended("completed", "", "")), "Hello", engine.StopEnd)
	text(t, stream(t, ended("completed", "", `,"output_text":"Hello"`)), "Hello", engine.StopEnd)
	text(t, stream(t, delta("output_text", 0, "m", "Hel"), itemDone(0, said("m", "Hello", "")), ended("completed", "", "")), "Hello", engine.StopEnd)
}

func TestS06ACallIsWholeOnlyWhenTheServerSaysSo(t *testing.T) {
	open := added(0, call("fc_a", "call_a", "read", "", "in_progress"))
	half := delta("function_call_arguments", 0, "fc_a", `{"path":"a`)
	for name, pieces := range map[string][]string{
		"arguments broke off":           {open, half, ended("completed", "", "")},
		"arguments broke off, and done": {open, half, itemDone(0, call("fc_a", "call_a", "read", `{"path":"a`, "completed")), ended("completed", "", "")},
		"nothing came of it":            {open, ended("completed", "", "")},
		"it is called incomplete":       {open, itemDone(0, call("fc_a", "call_a", "read", `{}`, "incomplete")), ended("completed", "", "")},
		"it is still in progress":       {open, itemDone(0, call("fc_a", "call_a", "read", `{}`, "in_progress")), ended("completed", "", "")},
		"the reply is incomplete":       {open, itemDone(0, readA), ended("incomplete", "", `,"incomplete_details":{"reason":"max_output_tokens"}`)},
	} {
		if r := stream(t, pieces...); r.Done == nil || r.Done.Stop != engine.StopLength {
			t.Errorf("%s: done %+v, error %v; want stop length", name, r.Done, r.Err)
		}
	}
	calls(t, stream(t, open, delta("function_call_arguments", 0, "fc_a", `{"path":"a"}`), ended("completed", "", "")), `call_a read {"path":"a"}`)
	calls(t, stream(t, open, ev("function_call_arguments.done", `"item_id":"fc_a","arguments":""`), ended("completed", "", "")), `call_a read {}`)
	calls(t, stream(t, added(0, readA), ended("completed", "", "")), `call_a read {"path":"a"}`)
}

func TestArgumentsInTwoVersionsAreNotRun(t *testing.T) {
	open := added(0, call("fc_a", "call_a", "read", "", "in_progress"))
	f := failure(t, stream(t, open, delta("function_call_arguments", 0, "fc_a", `{"path":"b"}`), itemDone(0, readA), ended("completed", "", "")), "two versions")
	if !f.Cut || !f.InCall {
		t.Errorf("%+v", f)
	}
	calls(t, stream(t, open, delta("function_call_arguments", 0, "fc_a", `{ "path": "a" }`), itemDone(0, readA), ended("completed", "", "")), `call_a read { "path": "a" }`)
}

func TestS07AnErrorInsideTheReplyInEverySpelling(t *testing.T) {
	const words = "Worker local total request limit reached (33/32)"
	for _, piece := range []string{
		"event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"" + words + "\"}\n\n",
		pt.DATA(`{"type":"error","error":{"type":"server_error","code":"server_error","message":"` + words + `"}}`),
		pt.DATA(`{"type":"error","status":502,"error":{"message":"` + words + `"}}`),
		pt.DATA(`{"error":{"code":502,"message":"` + words + `"}}`),
		ev("failed", `"response":{"status":"failed","error":{"code":"server_error","message":"`+words+`"}}`),
		ev("completed", `"response":{"status":"failed","error":{"code":"server_error","message":"`+words+`"}}`),
		ev("error", `"error":{"code":"server_error","message":"`+words+`"}`),
		"error: {\"message\":\"" + words + "\",\"code\":502}\n",
	} {
		f := failure(t, stream(t, created, delta("output_text", 0, "m", "Hel"), piece), words)
		if e := classify.Error(f); e.Reason != engine.ReasonServerError && e.Reason != engine.ReasonOverloaded && e.Reason != engine.ReasonRateLimit {
			t.Errorf("%s\nis %v", piece, e)
		}
		if f.Type == "error" || strings.Contains(piece, "502") && f.Code != "502" {
			t.Errorf("%s\nhas type %q, code %q", piece, f.Type, f.Code)
		}
	}
	failure(t, stream(t, created, ev("cancelled", `"response":{"status":"cancelled"}`)), "cancelled")
	failure(t, stream(t, created, ev("failed", `"response":{"status":"failed","error":null}`)), "did not say why")
}

func TestTheCodeOfAFailureDecidesItsReason(t *testing.T) {
	for code, want := range map[string]engine.Reason{
		"rate_limit_exceeded": engine.ReasonRateLimit, "context_length_exceeded": engine.ReasonContextOverflow,
		"insufficient_quota": engine.ReasonBilling, "invalid_encrypted_content": engine.ReasonThinkingSignature,
	} {
		f := failure(t, stream(t, created, ev("failed", `"response":{"status":"failed","usage":{"input_tokens":9},"error":{"code":"`+code+`","message":"no"}}`)))
		if e := classify.Error(f); e.Reason != want || f.Code != code || f.Usage.Input != 9 {
			t.Errorf("%s is %v (%+v)", code, e, f)
		}
	}
}

func TestS09ALongRunOfKeepAlives(t *testing.T) {
	quiet := strings.Repeat(": OPENROUTER PROCESSING\n\n", 400)
	text(t, ask(t, pt.SSE(quiet, delta("output_text", 0, "m", "ok"), ended("completed", "", ""))), "ok", engine.StopEnd)
	if f := failure(t, ask(t, pt.SSE(quiet)), "provider sent no data"); !f.NoData {
		t.Errorf("%+v", f)
	}
}

func TestS11LinesInEveryForm(t *testing.T) {
	all := strings.Join(reply(pt.Said{Text: "a\r\nb"}), "")
	text(t, stream(t, strings.ReplaceAll(all, "\n", "\r\n")), "a\r\nb", engine.StopEnd)
	text(t, stream(t, "\xef\xbb\xbf", strings.ReplaceAll(all, "data: ", "data:")), "a\r\nb", engine.StopEnd)
	text(t, stream(t, strings.TrimRight(all, "\n")), "a\r\nb", engine.StopEnd)
	var bare []string
	for line := range strings.Lines(all) {
		if strings.HasPrefix(line, "data:") {
			bare = append(bare, line)
		}
	}
	text(t, stream(t, strings.Join(bare, "")), "a\r\nb", engine.StopEnd) // neither names nor blank lines
	text(t, stream(t, "event: response.output_text.delta\ndata: {\"delta\":\"hi\"}\n\n", "event: response.completed\ndata: {\"response\":{\"status\":\"completed\"}}\n\n"), "hi", engine.StopEnd)
}

func TestS12OneVeryLongLine(t *testing.T) {
	long := strings.Repeat("a", 2<<20)
	text(t, ask(t, pt.SSE(delta("output_text", 0, "m", long), ended("completed", "", ""))), long, engine.StopEnd)
	if f := failure(t, ask(t, pt.SSE("data: "+strings.Repeat("a", 20<<20))), "too long"); f.Cut {
		t.Errorf("%+v: the same request would fail again", f)
	}
}

func TestS14AStreamCutInsideArguments(t *testing.T) {
	open := added(0, call("fc_a", "call_a", "write", "", "in_progress"))
	for _, rest := range []string{"", delta("function_call_arguments", 0, "fc_a", `{"path":"a.txt","content":"abc`), itemDone(0, readA), pt.DONE} {
		f := failure(t, stream(t, created, open, rest))
		if !f.Cut || !f.InCall {
			t.Errorf("after %q: %+v, want Cut and InCall", rest, f)
		}
		if e := classify.Error(f); e.Code != engine.CodeCut || strings.Contains(e.Message, "length limit") {
			t.Errorf("got %v", e)
		}
	}
}

func TestS15OnlyATerminalEventEndsAReply(t *testing.T) {
	hello := delta("output_text", 0, "m", "Hello")
	for _, end := range []string{"", pt.DONE, itemDone(0, said("m", "Hello", ""))} {
		if f := failure(t, stream(t, created, hello, end)); !f.Cut || f.InCall {
			t.Errorf("after %q: %+v", end, f)
		}
	}
	if f := failure(t, stream(t, created)); !f.NoData {
		t.Errorf("%+v", f)
	}
	text(t, stream(t, created, hello, ended("completed", "", ""), "garbage that nobody reads"), "Hello", engine.StopEnd)
}

func TestHowAReplyEnds(t *testing.T) {
	hello := delta("output_text", 0, "m", "Hello")
	for more, want := range map[string]engine.Stop{
		`{"reason":"max_output_tokens"}`: engine.StopLength, `{"reason":"content_filter"}`: engine.StopContentFilter, `null`: engine.StopLength,
	} {
		text(t, stream(t, hello, ended("incomplete", "", `,"incomplete_details":`+more)), "Hello", want)
	}
	failure(t, stream(t, ended("completed", "", "")), "no data")
}

func TestS21ArgumentsAsAnObject(t *testing.T) {
	item := `{"type":"function_call","call_id":"c1","name":"get","arguments":{"city": "Paris"}}`
	calls(t, stream(t, itemDone(0, item), ended("completed", item, "")), `c1 get {"city":"Paris"}`)
}

func TestS25ARepeatedRequestStartsClean(t *testing.T) {
	first := pt.SSE(delta("output_text", 0, "m", "Hello wor"), added(1, call("fc_d", "dead", "ls", "{", "in_progress")))
	first.Cut = true
	p := responses.New(provider.Endpoint{BaseURL: "https://h.test/v1", HTTP: pt.Client(pt.InTurn(first, pt.SSE(reply(pt.Said{Text: "Hello world"})...)))})
	if f := failure(t, pt.Collect(t.Context(), p, hello())); !f.Cut || !f.InCall {
		t.Errorf("%+v", f)
	}
	r := pt.Collect(t.Context(), p, hello())
	text(t, r, "Hello world", engine.StopEnd)
	calls(t, r)
}

func TestS27AnswersThatAreNoStream(t *testing.T) {
	f := failure(t, ask(t, pt.Answer{Type: "text/html", Body: []byte("<!DOCTYPE html>\n<html><body>Login required</body></html>\n")}), "text/html", "h.test")
	if strings.Contains(f.Error(), "<html") {
		t.Errorf("%q", f.Error())
	}
	f = failure(t, ask(t, pt.JSON(200, `{"error":{"message":"quota exceeded","code":429}}`)), "quota exceeded")
	if e := classify.Error(f); e.Status != 429 {
		t.Errorf("%v", e)
	}
	whole := `{"id":"resp_1","object":"response","model":"m-2","status":"completed","error":null,"text":{"format":{"type":"text"}},"output":[` + said("msg_1", "hello", "") + "," + readA + `],"usage":{"input_tokens":3,"output_tokens":2}}`
	for _, kind := range []string{"application/json", "text/event-stream"} {
		r := ask(t, pt.Answer{Type: kind, Body: []byte("\n\n " + whole)})
		calls(t, r, `call_a read {"path":"a"}`)
		if r.Message.Text() != "hello" || r.Done.Model != "m-2" || r.Done.Usage.Input != 3 {
			t.Errorf("%q, %+v", r.Message.Text(), r.Done)
		}
	}
	failure(t, ask(t, pt.JSON(200, whole[:len(whole)-30])), "broke off")
	failure(t, ask(t, pt.JSON(200, strings.Replace(whole, `"error":null`, `"error":{"code":"server_error","message":"boom"}`, 1))), "boom")
	failure(t, ask(t, pt.JSON(200, `{"detail":"Not allowed"}`)), "Not allowed")
	failure(t, ask(t, pt.Answer{Type: "text/plain", Body: []byte("Not here\n")}), "no data", "text/plain")
}

func TestK01UsageCountsCacheAndReasoningOnce(t *testing.T) {
	for body, want := range map[string]engine.Usage{
		`{"input_tokens":20212,"output_tokens":931,"input_tokens_details":{"cached_tokens":16298},"output_tokens_details":{"reasoning_tokens":64}}`: {Input: 20212, Output: 931, CacheRead: 16298, Reasoning: 64},
		`{"input_tokens":158,"output_tokens":32,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":43},"output_tokens_details":null}`:   {Input: 158, Output: 32, CacheWrite: 43},
		`{"input_tokens":1.0,"output_tokens":"2"}`: {Input: 1, Output: 2},
	} {
		r := stream(t, delta("output_text", 0, "m", "a"), ended("completed", "", `,"usage":`+body))
		if r.Done == nil || r.Done.Usage == nil || *r.Done.Usage != want {
			t.Errorf("%s\ngives %+v", body, r.Done)
		}
	}
}

func TestReasoningInPartsAndItems(t *testing.T) {
	part := func(kind string, item, n int, s string) string {
		return ev(kind+".delta", fmt.Sprintf(`"output_index":%d,"item_id":"r%d","summary_index":%d,"content_index":%d,"delta":%q`, item, item, n, n, s))
	}
	r := stream(t,
		added(0, `{"type":"reasoning","id":"r0","summary":[]}`), part("reasoning_summary_text", 0, 0, "a"), part("reasoning_summary_text", 0, 0, "b"), part("reasoning_summary_text", 0, 1, "c"),
		itemDone(0, `{"type":"reasoning","id":"r0","summary":[{"type":"summary_text","text":"ab"},{"type":"summary_text","text":"c"}]}`),
		added(1, `{"type":"reasoning","id":"r1"}`), part("reasoning_text", 1, 0, "raw"), part("reasoning_summary_text", 1, 0, "its summary, which says the same"), itemDone(1, sealed("r1", "SEAL", "its summary, which says the same")),
		ev("reasoning_summary_text.done", `"output_index":2,"item_id":"r2","summary_index":0,"text":"d"`),
		ev("reasoning_summary_text.done", `"output_index":2,"item_id":"r2","summary_index":1,"text":"d2"`),
		itemDone(3, sealed("r3", "SEAL3", "e")),
		delta("output_text", 4, "m", "Yes"), ended("completed", "", ""))
	text(t, r, "Yes", engine.StopEnd)
	if got := r.Message.Reasoning(); got != "ab\n\nc\n\nraw\n\nd\n\nd2\n\ne" {
		t.Errorf("reasoning %q", got)
	}
}

func TestARefusalIsTheAnswer(t *testing.T) {
	item := `{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"refusal","refusal":"I cannot."}]}`
	text(t, stream(t, delta("refusal", 0, "m", "I can"), delta("refusal", 0, "m", "not."), itemDone(0, item), ended("completed", item, "")), "I cannot.", engine.StopRefusal)
	text(t, stream(t, ended("completed", item, "")), "I cannot.", engine.StopRefusal)
	text(t, stream(t, delta("output_text", 0, "m", "Well."), ev("refusal.done", `"item_id":"m","output_index":0,"refusal":"No."`), ended("completed", "", "")), "Well.\n\nNo.", engine.StopRefusal)
}

func TestARemarkOnTheWorkIsTextAndNotTheAnswer(t *testing.T) {
	remark := itemDone(0, said("m1", "I will look.", "commentary"))
	text(t, stream(t, remark, ended("completed", "", "")), "I will look.", engine.StopPause)
	r := stream(t, remark, itemDone(1, said("m2", "Done.", "final_answer")), ended("completed", "", ""))
	text(t, r, "I will look.Done.", engine.StopEnd)
	r = stream(t, remark, itemDone(1, readA), ended("completed", "", ""))
	calls(t, r, `call_a read {"path":"a"}`)
	text(t, r, "I will look.", engine.StopCalls)
}

func TestAModelThatOnlyRemarksIsNotAskedForEver(t *testing.T) {
	p := responses.New(provider.Endpoint{BaseURL: "https://h.test/v1", HTTP: pt.Replay(pt.SSE(itemDone(0, said("m", "I will look.", "commentary")), ended("completed", "", "")))})
	req, asked := hello(), 0
	for asked < 20 {
		r := pt.Collect(t.Context(), p, req)
		asked++
		if r.Done == nil || r.Done.Stop != engine.StopPause {
			text(t, r, "I will look.", engine.StopEnd)
			break
		}
		if asked > 1 {
			req.Messages[1].Parts = append(req.Messages[1].Parts, r.Message.Parts...)
		} else {
			req.Messages = append(req.Messages, r.Message)
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times, want 4", asked)
	}
}

func TestToolsThatTheServerRunsAreNoCalls(t *testing.T) {
	search := `{"type":"web_search_call","id":"ws_1","status":"completed","call_id":"x","name":"web_search","arguments":"{}"}`
	custom := `{"type":"custom_tool_call","id":"ctc_1","call_id":"call_c","name":"apply_patch","input":"*** Begin"}`
	r := stream(t, added(0, search), ev("web_search_call.searching", `"item_id":"ws_1","output_index":0`), itemDone(0, search), itemDone(1, custom),
		ev("something_new.delta", `"delta":{"x":1}`), delta("output_text", 2, "m", "ok"), ended("completed", search+","+custom+","+said("m", "ok", ""), ""))
	text(t, r, "ok", engine.StopEnd)
	var kinds []string
	for _, p := range r.Message.Parts {
		if o, ok := p.(engine.Opaque); ok {
			kinds = append(kinds, o.Kind)
		}
	}
	if got := strings.Join(kinds, " "); got != "web_search_call custom_tool_call message" || len(r.Message.Calls()) != 0 {
		t.Errorf("kept %s, calls %+v", got, r.Message.Calls())
	}
}

func TestNobodyThereNamesTheServerAndNeverTheKey(t *testing.T) {
	p := responses.New(provider.Endpoint{BaseURL: "http://127.0.0.1:1/v1?key=sk-secret", Key: "sk-secret"})
	f := failure(t, pt.Collect(t.Context(), p, hello()), "127.0.0.1:1")
	if !f.Dial || strings.Contains(fmt.Sprint(f, f.URL), "sk-secret") {
		t.Errorf("%+v", f)
	}
}

func TestAKeyThatCannotBeAKeyIsSaidBeforeAnythingIsSent(t *testing.T) {
	p := responses.New(provider.Endpoint{BaseURL: "https://h.test/v1", Key: "sk-“quoted”", HTTP: pt.Client(http.NotFoundHandler())})
	failure(t, pt.Collect(t.Context(), p, hello()), "place 4")
}

func TestWhatCannotBeSentIsSaid(t *testing.T) {
	for base, words := range map[string]string{"": "empty", "localhost:11434": "scheme", "ftp://h": "http", "https://": "no host"} {
		p := responses.New(provider.Endpoint{BaseURL: base, HTTP: pt.Client(http.NotFoundHandler())})
		failure(t, pt.Collect(t.Context(), p, hello()), words)
	}
	p := responses.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(http.NotFoundHandler())})
	failure(t, pt.Collect(t.Context(), p, engine.Request{}), "no model")
}

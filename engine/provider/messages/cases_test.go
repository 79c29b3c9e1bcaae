package messages_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	pt "talaria/engine/provider/providertest"
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

func calls(t *testing.T, r pt.Reply, want ...string) {
	t.Helper()
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	var got []string
	for _, c := range r.Message.Calls() {
		got = append(got, c.ID+" "+c.Name+" "+c.Args)
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("calls\n%s\nwant\n%s", a, b)
	}
}

var opening = head(`{"input_tokens":10,"output_tokens":1}`)

const told = `{"output_tokens":5}`

func TestEveryStopReasonIsTold(t *testing.T) {
	for reason, want := range map[string]engine.Stop{
		"end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "max_tokens": engine.StopLength, "model_context_window_exceeded": engine.StopLength,
		"refusal": engine.StopRefusal, "pause_turn": engine.StopPause, "something_new": engine.StopUnknown, "tool_use": engine.StopEnd,
	} {
		text(t, stream(t, opening, words(0, "Hi"), fin(reason, told), over), "Hi", want)
	}
}

func TestS06BlocksThatComeInterleavedStayApart(t *testing.T) {
	r := stream(t, opening,
		begin(1, `{"type":"tool_use","id":"a","name":"edit","input":{}}`), begin(2, `{"type":"tool_use","id":"b","name":"edit","input":{}}`),
		piece(2, `{"type":"input_json_delta","partial_json":"{\"x\":"}`), piece(1, `{"type":"input_json_delta","partial_json":"{\"y\":"}`),
		piece(2, `{"type":"input_json_delta","partial_json":"2}"}`), piece(1, `{"type":"input_json_delta","partial_json":"1}"}`), closed(1), closed(2),
		fin("tool_use", told), over)
	calls(t, r, `a edit {"y":1}`, `b edit {"x":2}`)
}

func TestS07AnErrorInsideTheStreamKeepsItsTypeAndWords(t *testing.T) {
	for _, bad := range []string{
		ev("error", `"error":{"type":"overloaded_error","message":"Overloaded"}`),
		pt.DATA(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
		"event: error\ndata: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
		"error: {\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}\n",
	} {
		f := failure(t, stream(t, opening, begin(0, `{"type":"text","text":"Hel"}`), bad), "Overloaded")
		if f.Type != "overloaded_error" || f.Usage.Input != 10 {
			t.Errorf("%s\ngives %+v", bad, f)
		}
		if e := classify.Error(f); e.Reason != engine.ReasonOverloaded {
			t.Errorf("%s\nis %v", bad, e)
		}
	}
	f := failure(t, stream(t, ev("error", `"error":{"type":"rate_limit_error","message":""}`)), "rate_limit_error")
	if e := classify.Error(f); e.Reason != engine.ReasonRateLimit {
		t.Errorf("got %v", e)
	}
}

func TestS09ALongRunOfPings(t *testing.T) {
	text(t, stream(t, opening, strings.Repeat(ping, 300), words(0, "ok"), fin("end_turn", told), over), "ok", engine.StopEnd)
}

func TestS11LineEndsAndMarksOfAllKinds(t *testing.T) {
	body := "\xef\xbb\xbf: hello\r\n\r\n" + strings.ReplaceAll(opening+words(0, "ok")+fin("end_turn", told)+over, "\n", "\r\n")
	text(t, stream(t, strings.ReplaceAll(strings.TrimRight(body, "\r\n"), "data: ", "data:")), "ok", engine.StopEnd)
	var tight strings.Builder // no blank lines between the events
	for _, line := range strings.Split(opening+words(0, "ok")+fin("end_turn", told)+over, "\n") {
		if strings.HasPrefix(line, "data:") {
			tight.WriteString(line + "\n")
		}
	}
	text(t, stream(t, tight.String()), "ok", engine.StopEnd)
}

func TestS12AVeryLongEvent(t *testing.T) {
	long := strings.Repeat("x", 2<<20)
	text(t, ask(t, pt.SSE(opening, words(0, long), fin("end_turn", told), over)), long, engine.StopEnd)
}

func TestS14AStreamCutInsideACallIsACutConnection(t *testing.T) {
	r := stream(t, opening, begin(0, `{"type":"tool_use","id":"a","name":"write_file","input":{}}`), piece(0, `{"type":"input_json_delta","partial_json":"{\"path\":\"a"}`))
	f := failure(t, r, "broke off")
	if !f.Cut || !f.InCall || f.NoData || strings.Contains(f.Error(), "length") || f.Usage.Input != 10 {
		t.Errorf("%+v", f)
	}
	if e := classify.Error(f); e.Reason != engine.ReasonTimeout || e.Code != engine.CodeCut {
		t.Errorf("got %v", e)
	}
}

func TestS15OnlyMessageStopEndsAReply(t *testing.T) {
	for name, pieces := range map[string][]string{
		"after text":            {opening, words(0, "Hello")},
		"after the stop reason": {opening, words(0, "Hello"), fin("end_turn", told)},
		"after [DONE] alone":    {opening, words(0, "Hello"), pt.DONE},
	} {
		if f := failure(t, stream(t, pieces...), "broke off"); !f.Cut || f.InCall {
			t.Errorf("%s: %+v", name, f)
		}
	}
	text(t, stream(t, opening, words(0, "Hello"), fin("end_turn", told), pt.DONE), "Hello", engine.StopEnd)
	a := pt.SSE(opening, words(0, "Hello"), fin("end_turn", told), over)
	a.Cut = true // a connection that breaks after the end changes nothing
	text(t, ask(t, a), "Hello", engine.StopEnd)
}

func TestAReplyWithoutContentIsComplete(t *testing.T) {
	r := stream(t, opening, fin("end_turn", `{"output_tokens":2}`), over)
	if text(t, r, "", engine.StopEnd); len(r.Message.Parts) != 0 {
		t.Errorf("parts %+v", r.Message.Parts)
	}
}

func TestS19ACallUnderAnotherStopReasonIsACall(t *testing.T) {
	for _, reason := range []string{"end_turn", "tool_use", "new"} {
		r := stream(t, opening, use(0, "a", "ls", "{}"), fin(reason, told), over)
		if calls(t, r, "a ls {}"); r.Done.Stop != engine.StopCalls {
			t.Errorf("%s: stop %s", reason, r.Done.Stop)
		}
	}
}

func TestACallThatBrokeOffIsCutByItsLengthWhateverTheLabel(t *testing.T) {
	for _, reason := range []string{"max_tokens", "tool_use", "end_turn"} {
		r := stream(t, opening, use(0, "a", "ls", `{"path":"x`), fin(reason, told), over)
		if r.Err != nil || r.Done.Stop != engine.StopLength {
			t.Errorf("%s: %+v, %v", reason, r.Done, r.Err)
		}
	}
}

func TestS21InputThatComesAsAnObject(t *testing.T) {
	r := stream(t, opening, begin(0, `{"type":"tool_use","id":"a","name":"get","input":{"city": "Paris"}}`), closed(0), fin("tool_use", told), over)
	calls(t, r, `a get {"city":"Paris"}`)
	r = stream(t, opening, begin(0, `{"type":"tool_use","id":"a","name":"get","input":{"city": "Paris"}}`),
		piece(0, `{"type":"input_json_delta","partial_json":"{\"city\":\"Rome\"}"}`), closed(0), fin("tool_use", told), over)
	calls(t, r, `a get {"city":"Rome"}`)
}

func TestS27AnAnswerThatIsNoStream(t *testing.T) {
	f := failure(t, ask(t, pt.Answer{Type: "text/plain", Body: []byte("<!DOCTYPE html>\n<html><body>Login required</body></html>\n")}), "h.test", "text/html")
	if strings.Contains(f.Error(), "<") {
		t.Errorf("HTML in %q", f.Error())
	}
	f = failure(t, ask(t, pt.JSON(200, `{"type":"error","error":{"type":"rate_limit_error","message":"quota exceeded"}}`)), "quota exceeded")
	if f.Type != "rate_limit_error" || f.Cut {
		t.Errorf("%+v", f)
	}
	whole := `{"id":"m","type":"message","role":"assistant","model":"m1","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"hello"},{"type":"tool_use","id":"a","name":"ls","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":2}}`
	for _, kind := range []string{"application/json", "text/event-stream"} {
		r := ask(t, pt.Answer{Type: kind, Body: []byte("\n\n " + whole)})
		text(t, r, "hello", engine.StopCalls)
		calls(t, r, "a ls {}")
		if r.Done.Model != "m1" || r.Done.Usage.Input != 3 || r.Message.Reasoning() != "hm" {
			t.Errorf("%+v", r)
		}
	}
	text(t, stream(t, pt.DATA(whole)), "hello", engine.StopCalls)
	failure(t, ask(t, pt.JSON(200, whole[:len(whole)-9])), "no end")
	failure(t, ask(t, pt.JSON(200, `{"choices":[]}`)), "no reply")
	failure(t, ask(t, pt.JSON(200, `{nope`)), "not valid JSON")
	failure(t, stream(t, opening, "data: {nope\n\n"), "not valid JSON")
}

func TestK02CachedTokensAreAddedToTheInput(t *testing.T) {
	usage := `{"input_tokens":53,"cache_read_input_tokens":2560,"cache_creation_input_tokens":0,"output_tokens":1}`
	want := engine.Usage{Input: 2613, Output: 10, CacheRead: 2560}
	if r := stream(t, head(usage), words(0, "ok"), fin("end_turn", `{"output_tokens":10}`), over); r.Done == nil || *r.Done.Usage != want {
		t.Errorf("%+v, %v", r.Done, r.Err)
	}
	// a server that repeats itself with zeros and nulls says nothing by it
	if r := stream(t, head(usage), words(0, "ok"), fin("end_turn", `{"input_tokens":0,"cache_read_input_tokens":null,"output_tokens":10}`), over); *r.Done.Usage != want {
		t.Errorf("%+v", r.Done.Usage)
	}
	want = engine.Usage{Input: 175, Output: 10, CacheRead: 5, CacheWrite: 70, Reasoning: 4}
	if r := stream(t, head(`{"input_tokens":1,"output_tokens":1}`), words(0, "ok"), fin("end_turn",
		`{"input_tokens":100,"cache_read_input_tokens":5,"cache_creation_input_tokens":70,"output_tokens":10,"output_tokens_details":{"thinking_tokens":4}}`), over); *r.Done.Usage != want {
		t.Errorf("%+v", r.Done.Usage)
	}
	if r := stream(t, ev("message_start", `"message":{"model":"m1","content":[]}`), words(0, "ok"), ev("message_delta", `"delta":{"stop_reason":"end_turn"}`), over); r.Err != nil || r.Done.Usage != nil {
		t.Errorf("usage that nobody told: %+v, %v", r.Done, r.Err)
	}
}

func TestThinkingKeepsItsSealAndOrder(t *testing.T) {
	r := stream(t, opening,
		begin(0, `{"type":"thinking","thinking":"","signature":""}`), piece(0, `{"type":"thinking_delta","thinking":"one"}`),
		piece(0, `{"type":"signature_delta","signature":"c2"}`), piece(0, `{"type":"signature_delta","signature":"ln"}`), closed(0),
		begin(1, `{"type":"redacted_thinking","data":"SE+/AL=="}`), closed(1),
		begin(2, `{"type":"thinking","thinking":"two","signature":"whole"}`), closed(2),
		begin(3, `{"type":"thinking","thinking":"","signature":""}`), piece(3, `{"type":"signature_delta","signature":"empty"}`), closed(3),
		use(4, "a", "ls"), fin("tool_use", told), over)
	calls(t, r, "a ls {}")
	want := engine.Parts{engine.Thought{Text: "one", Signature: "c2ln"}, redacted("SE+/AL=="), engine.Thought{Text: "two", Signature: "whole"}, engine.Thought{Signature: "empty"}, call("a")}
	want[1] = engine.Opaque{Mode: engine.AnthropicMessages, Kind: "redacted_thinking", Data: []byte(`{"type":"redacted_thinking","data":"SE+/AL=="}`)}
	if got := fmt.Sprintf("%q", r.Message.Parts); got != fmt.Sprintf("%q", want) {
		t.Errorf("parts\n got %s\nwant %q", got, want)
	}
}

func TestWhatTheServerRunsItselfIsNoCallOfOurs(t *testing.T) {
	r := stream(t, opening,
		begin(0, `{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`),
		piece(0, `{"type":"input_json_delta","partial_json":"{\"query\": "}`), piece(0, `{"type":"input_json_delta","partial_json":"\"x\"}"}`), closed(0),
		begin(1, `{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","encrypted_content":"AB+/=="}]}`), closed(1),
		begin(2, `{"type":"from_next_year","summary":"be"}`), piece(2, `{"type":"summary_delta","summary":"gun"}`), piece(2, `{"type":"flag_delta","flag":true}`), closed(2),
		words(3, "found"), ev("event_of_next_year", `"index":7`), piece(9, `{"type":"what_delta","what":1}`), fin("end_turn", told), over)
	calls(t, r)
	text(t, r, "found", engine.StopEnd)
	var kept []string
	for _, p := range r.Message.Parts {
		if o, ok := p.(engine.Opaque); ok {
			kept = append(kept, o.Kind+" "+string(o.Data))
		}
	}
	want := `server_tool_use {"id":"s1","input":{"query":"x"},"name":"web_search","type":"server_tool_use"}
web_search_tool_result {"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","encrypted_content":"AB+/=="}]}
from_next_year {"flag":true,"summary":"begun","type":"from_next_year"}`
	if got := strings.Join(kept, "\n"); got != want {
		t.Errorf("kept\n%s\nwant\n%s", got, want)
	}
}

func TestGatewaysThatLeaveOutTheFramesOfBlocks(t *testing.T) {
	r := stream(t, piece(0, `{"type":"text_delta","text":"Hi"}`), fin("end_turn", told), over)
	text(t, r, "Hi", engine.StopEnd)
	r = stream(t, opening, begin(0, `{"type":"tool_use","id":"a","name":"ls","input":{}}`), piece(0, `{"type":"input_json_delta","partial_json":"{}"}`),
		begin(0, `{"type":"tool_use","id":"b","name":"ls","input":{}}`), fin("tool_use", told), over)
	calls(t, r, "a ls {}", "b ls {}")
}

package converse_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/classify"
	"talaria/engine/provider/converse"
	pt "talaria/engine/provider/providertest"
)

// full is a reply with everything in it.
func full() []string {
	return []string{
		ev("messageStart", `{"role":"assistant"}`), thought(0, "Let me "), thought(0, "see."),
		ev("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"U0lH"}}}`), stop(0),
		ev("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"c2VhbA=="}}}`), stop(1),
		text(2, "I «read»"), text(2, " both.\n"), stop(2),
		callStart(3, "tooluse_a", "read_file"), callArgs(3, `{"path":`), callArgs(3, `"ä.go"}`), stop(3),
		callStart(4, "tooluse_b", "list"), stop(4),
		end("tool_use"), use(10, 5),
	}
}

func TestAReplyWithEverythingKeepsItsOrder(t *testing.T) {
	r := cutAnyHow(t, frames(full()...))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	got := fmt.Sprintf("%+v", r.Message.Parts)
	want := `[{Text:Let me see. Signature:U0lH} {Mode:bedrock_converse Kind:redacted_content Data:[34 99 50 86 104 98 65 61 61 34]} {Text:I «read» both.
} {ID:tooluse_a Name:read_file Args:{"path":"ä.go"} Extra:[]} {ID:tooluse_b Name:list Args:{} Extra:[]}]`
	if got != want || r.Done.Stop != engine.StopCalls || r.Done.Model != "m" {
		t.Errorf("got %s, %+v", got, r.Done)
	}
}

// The end of the body anywhere before the end of messageStop is never an end of the reply, at whatever byte it comes.
func TestS14AStreamCutAtAnyByteIsNeverDone(t *testing.T) {
	whole := full()
	body := pt.Bytes(whole...)
	complete := len(body) - len(whole[len(whole)-1])
	for n := range body {
		r := ask(t, pt.Answer{Type: streamType, Body: body[:n], Cut: n%2 == 1}) // by turns a proper end and a reset
		if n >= complete {
			if r.Done == nil || r.Done.Stop != engine.StopCalls {
				t.Fatalf("cut at %d, after messageStop: %v", n, r.Err)
			}
			continue
		}
		f := failure(t, r)
		if r.Done != nil || !f.Cut && !f.NoData {
			t.Fatalf("cut at %d of %d: done %+v, failure %+v", n, len(body), r.Done, f)
		}
		if calls := len(r.Message.Calls()) > 0; calls != f.InCall {
			t.Fatalf("cut at %d: in a call is %v, want %v", n, f.InCall, calls)
		}
		if e := classify.Error(f); e.Reason != engine.ReasonTimeout && e.Reason != engine.ReasonEmptyResponse {
			t.Fatalf("cut at %d: taken for %s", n, e.Reason)
		}
	}
}

// Between two frames no byte of either is missing, so both kinds of end are tried there.
func TestS14AStreamCutBetweenFramesIsNeverDone(t *testing.T) {
	whole := full()
	for n := range len(whole) - 2 {
		for _, reset := range []bool{false, true} {
			a := frames(whole[:n]...)
			a.Cut = reset
			if f := failure(t, cutAnyHow(t, a)); !f.Cut && !f.NoData {
				t.Errorf("after %d frames (reset %v): %+v", n, reset, f)
			}
		}
	}
}

func TestAFlippedBitAnywhereIsAFailureAndNeverAnotherReply(t *testing.T) {
	whole := full()
	body := pt.Bytes(whole...)
	for n := range len(body) - len(whole[len(whole)-1]) {
		bad := append([]byte(nil), body...)
		bad[n] ^= 0x10
		r := ask(t, pt.Answer{Type: streamType, Body: bad})
		if failure(t, r); r.Done != nil {
			t.Fatalf("a flipped bit at %d went unseen", n)
		}
	}
}

func TestAWrongChecksumIsSaid(t *testing.T) {
	bad := []byte(text(0, "Hello"))
	bad[len(bad)-1] ^= 1
	f := failure(t, ask(t, frames(text(0, "so far"), string(bad), end("end_turn"))), "wrong checksum")
	if !f.Cut {
		t.Error("a corrupt reply is not taken for a cut one, which is asked for again")
	}
}

func TestLengthsThatCannotBeEndTheReplyAtOnce(t *testing.T) {
	for _, c := range []struct {
		total, headers uint32
		says           string
	}{{15, 0, "cannot be"}, {16, 1, "cannot be"}, {100, 85, "cannot be"}, {17 << 20, 0, "too long"}, {0, 0, "cannot be"}} {
		head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, c.total), c.headers)
		head = binary.BigEndian.AppendUint32(head, crc32.ChecksumIEEE(head))
		failure(t, ask(t, frames(text(0, "a"), string(head)+strings.Repeat("x", 200))), c.says)
	}
}

func TestExceptionsInTheStreamBringTheirClassAndWords(t *testing.T) {
	for _, c := range []struct {
		frame, kind, says string
		reason            engine.Reason
	}{
		{exc("throttlingException", `{"message":"Too many requests"}`), "throttlingException", "Too many requests", engine.ReasonRateLimit},
		{exc("modelStreamErrorException", `{"message":"it broke","originalMessage":"cuda","originalStatusCode":500}`), "modelStreamErrorException", "it broke: cuda", engine.ReasonServerError},
		{exc("internalServerException", `{"message":"oops"}`), "internalServerException", "oops", engine.ReasonServerError},
		{exc("serviceUnavailableException", `{"message":"busy"}`), "serviceUnavailableException", "busy", engine.ReasonOverloaded},
		{exc("validationException", `{"message":"Input is too long for requested model."}`), "validationException", "too long", engine.ReasonContextOverflow},
		{exc("modelTimeoutException", `not json`), "modelTimeoutException", "not json", engine.ReasonTimeout},
		{exc("laterException", ``), "laterException", "laterException", engine.ReasonUnknown},
		{message("", ":message-type", "error", ":error-code", "InternalError", ":error-message", "no more"), "InternalError", "no more", engine.ReasonUnknown},
	} {
		r := cutAnyHow(t, frames(begin, text(0, "Hel"), callStart(1, "a", "f"), c.frame, end("end_turn")))
		f := failure(t, r, c.says)
		if f.Type != c.kind || !f.InCall || f.Cut || f.Status != 200 || r.Message.Text() != "Hel" {
			t.Errorf("%s: %+v", c.kind, f)
		}
		if e := classify.Error(f); e.Reason != c.reason {
			t.Errorf("%s: taken for %s, want %s", c.kind, e.Reason, c.reason)
		}
	}
}

func TestAnExceptionAfterTheEndOfTheMessageChangesNothing(t *testing.T) {
	r := cutAnyHow(t, frames(begin, text(0, "Hello"), end("end_turn"), exc("internalServerException", `{"message":"late"}`)))
	if r.Err != nil || r.Message.Text() != "Hello" || r.Done.Stop != engine.StopEnd {
		t.Errorf("%q %+v %v", r.Message.Text(), r.Done, r.Err)
	}
}

func TestStopReasons(t *testing.T) {
	for reason, want := range map[string]engine.Stop{
		"end_turn": engine.StopEnd, "stop_sequence": engine.StopEnd, "max_tokens": engine.StopLength, "tool_use": engine.StopEnd,
		"model_context_window_exceeded": engine.StopLength, "guardrail_intervened": engine.StopContentFilter,
		"content_filtered": engine.StopContentFilter, "malformed_tool_use": engine.StopUnknown, "": engine.StopUnknown,
	} {
		if r := ask(t, frames(begin, text(0, "a"), stop(0), end(reason), use(1, 1))); r.Done == nil || r.Done.Stop != want {
			t.Errorf("%q gives %+v, %v; want %s", reason, r.Done, r.Err, want)
		}
	}
}

func TestS19CallsDecideAndNotTheLabel(t *testing.T) {
	for reason, want := range map[string]engine.Stop{"end_turn": engine.StopCalls, "later_word": engine.StopCalls, "max_tokens": engine.StopLength} {
		if r := ask(t, frames(callStart(0, "a", "f"), callArgs(0, `{}`), stop(0), end(reason))); r.Done == nil || r.Done.Stop != want {
			t.Errorf("%s gives %+v, %v", reason, r.Done, r.Err)
		}
	}
}

func TestArgumentsThatBrokeOffAreALengthStopWhateverTheLabel(t *testing.T) {
	r := cutAnyHow(t, frames(callStart(0, "a", "write_file"), callArgs(0, `{"path":"a.go","content":"pack`), end("tool_use"), use(1, 1)))
	if r.Done == nil || r.Done.Stop != engine.StopLength {
		t.Errorf("%+v, %v", r.Done, r.Err)
	}
	// wrong in another way is for the tool layer to refuse
	r = ask(t, frames(callStart(0, "a", "f"), callArgs(0, `{"a":nope}`), end("tool_use")))
	if r.Done == nil || r.Done.Stop != engine.StopCalls {
		t.Errorf("%+v, %v", r.Done, r.Err)
	}
}

func TestWhatALaterVersionSendsIsPassedOver(t *testing.T) {
	r := cutAnyHow(t, frames(message(`{}`, ":event-type", "initial-response", ":message-type", "event"), begin, ev("contentBlockAudio", `[1]`),
		ev("contentBlockStart", `{"contentBlockIndex":0,"start":{"image":{"format":"png"}},"new":{"x":[1]}}`), stop(0),
		ev("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"citation":{"title":"t"}}}`),
		ev("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"ok"},"more":1}`), stop(1),
		ev("messageStop", `{"stopReason":"end_turn","additionalModelResponseFields":{"a":1}}`),
		ev("metadata", `{"usage":{"inputTokens":3,"outputTokens":2,"cacheReadInputTokens":2560,"cacheWriteInputTokens":50,"totalTokens":9,"cacheDetails":[]},"trace":{"x":1}}`)))
	if r.Err != nil || r.Message.Text() != "ok" || len(r.Message.Parts) != 1 {
		t.Fatalf("%+v, %v", r.Message, r.Err)
	}
	if want := (engine.Usage{Input: 2613, Output: 2, CacheRead: 2560, CacheWrite: 50}); *r.Done.Usage != want { // K02
		t.Errorf("usage %+v, want %+v", *r.Done.Usage, want)
	}
}

func TestToolsThatAmazonRunsAreNotOurs(t *testing.T) {
	r := cutAnyHow(t, frames(begin,
		ev("contentBlockStart", `{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t","name":"nova_grounding","type":"server_tool_use"}}}`),
		callArgs(0, `{"query":"ruby"}`), stop(0),
		ev("contentBlockStart", `{"contentBlockIndex":1,"start":{"toolResult":{"toolUseId":"t","type":"nova_grounding_result"}}}`), stop(1),
		text(2, "4.0.6"), stop(2), end("end_turn"), use(1, 1)))
	if r.Err != nil || len(r.Message.Calls()) != 0 || r.Message.Text() != "4.0.6" || r.Done.Stop != engine.StopEnd {
		t.Errorf("%+v %+v %v", r.Message, r.Done, r.Err)
	}
}

func TestSealedReasoningInPiecesIsOneSeal(t *testing.T) {
	seal := func(b64 string) string {
		return ev("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"redactedContent":"`+b64+`"}}}`)
	}
	r := cutAnyHow(t, frames(begin, seal("YQ=="), seal("Yg=="), text(1, "x"), end("end_turn")))
	if r.Err != nil || len(r.Message.Parts) != 2 {
		t.Fatalf("%+v %v", r.Message, r.Err)
	}
	if o, ok := r.Message.Parts[1].(engine.Opaque); !ok || string(o.Data) != `"YWI="` {
		t.Errorf("%+v", r.Message.Parts)
	}
}

func TestAnUnreadablePieceIsAFailure(t *testing.T) {
	for _, payload := range []string{`{`, `{"contentBlockIndex":0,"delta":{"reasoningContent":{"redactedContent":"!"}}}`} {
		failure(t, ask(t, frames(text(0, "a"), ev("contentBlockDelta", payload), end("end_turn"))), "not valid")
	}
}

func TestS27AnAnswerThatIsNoStream(t *testing.T) {
	r := cutAnyHow(t, pt.JSON(200, `
	{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"S"}}},{"reasoningContent":{"redactedContent":"YQ=="}},
	{"text":"So "},{"citationsContent":{"content":[{"text":"it is."}],"citations":[]}},{"toolUse":{"toolUseId":"a","name":"f","input":{"x": [1, "<ä>"]}}}]}},"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":2}}`))
	if r.Err != nil || r.Message.Text() != "So it is." || r.Message.Reasoning() != "hm" || len(r.Message.Parts) != 4 || r.Done.Stop != engine.StopCalls {
		t.Fatalf("%+v %v", r.Message, r.Err)
	}
	if c := r.Message.Calls()[0]; c.ID != "a" || c.Name != "f" || c.Args != `{"x":[1,"<ä>"]}` {
		t.Errorf("%+v", c)
	}
	for body, says := range map[string]string{
		`{"message":"no such thing"}`:    "no such thing",
		`{"Output":{"__type":"x#y"}}`:    "neither a reply nor an error",
		`{"output":{"message":{"conten`:  "broke off",
		`upstream is down`:               "broke off",
		`data: {"x":1}`:                  "broke off",
		`<html><title>Log in</title>`:    "Log in",
		" \n":                            "no data",
		`{"output":{"message":{}}} {"b"`: "broke off",
	} {
		failure(t, cutAnyHow(t, pt.JSON(200, body)), says)
	}
}

func TestErrorsNameTheirClass(t *testing.T) {
	with := func(a pt.Answer, kind string) pt.Answer {
		a.Header = http.Header{"X-Amzn-Errortype": {kind}}
		return a
	}
	for _, c := range []struct {
		a      pt.Answer
		kind   string
		reason engine.Reason
	}{
		{with(pt.JSON(429, `{"message":"Too many tokens, please wait before trying again."}`), "ThrottlingException:http://internal.amazon.com/coral/"), "ThrottlingException", engine.ReasonRateLimit},
		{with(pt.JSON(503, `{"message":"busy"}`), "ServiceUnavailableException"), "ServiceUnavailableException", engine.ReasonOverloaded},
		{pt.JSON(403, `{"__type":"com.amazon.coral.service#UnrecognizedClientException","Message":"The security token included in the request is invalid."}`), "UnrecognizedClientException", engine.ReasonAuth},
		{with(pt.JSON(404, `{"message":"Could not resolve the foundation model from the provided model identifier."}`), "ResourceNotFoundException"), "ResourceNotFoundException", engine.ReasonModelNotFound},
	} {
		f := failure(t, ask(t, c.a))
		if e := classify.Error(f); f.Type != c.kind || e.Reason != c.reason {
			t.Errorf("%d gives type %q, reason %s; want %s, %s", c.a.Status, f.Type, e.Reason, c.kind, c.reason)
		}
	}
}

// refusing counts the requests by their last word; a stream is answered with refusal.
func refusing(t *testing.T, refusal pt.Answer, asked map[string]int) *http.Client {
	return pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		asked[call]++
		io.Copy(io.Discard, r.Body)
		if call == "converse-stream" {
			refusal.ServeHTTP(w, r)
			return
		}
		if r.Header.Get("Accept") != "application/json" {
			t.Errorf("accepts %q", r.Header.Get("Accept"))
		}
		pt.JSON(200, `{"output":{"message":{"content":[{"text":"at once"}]}},"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":2}}`).ServeHTTP(w, r)
	}))
}

func TestAPolicyThatForbidsStreamingIsRememberedForTheModel(t *testing.T) {
	denied := pt.JSON(403, `{"message":"User: arn:aws:iam::1:user/u is not authorized to perform: bedrock:InvokeModelWithResponseStream on resource: x"}`)
	denied.Header = http.Header{"X-Amzn-Errortype": {"AccessDeniedException:http://internal.amazon.com/"}}
	for name, refusal := range map[string]pt.Answer{"policy": denied, "model": pt.JSON(400, `{"message":"This model doesn't support tool use in streaming mode."}`)} {
		synctest.Test(t, func(t *testing.T) {
			asked := map[string]int{}
			p := converse.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: refusing(t, refusal, asked)})
			for range 3 {
				r := pt.Collect(t.Context(), p, hello())
				if r.Err != nil || r.Message.Text() != "at once" || r.Done.Stop != engine.StopEnd || r.Done.Usage.Output != 2 {
					t.Fatalf("%s: %+v %v", name, r.Message, r.Err)
				}
			}
			if asked["converse-stream"] != 1 || asked["converse"] != 3 {
				t.Errorf("%s: asked %v", name, asked)
			}
			other := hello()
			other.Route.Model = "other"
			if pt.Collect(t.Context(), p, other); asked["converse-stream"] != 2 {
				t.Errorf("%s: another model was not asked to stream: %v", name, asked)
			}
		})
	}
}

func TestARequestThatIsToComeInOnePieceNeverStreams(t *testing.T) {
	asked := map[string]int{}
	p := converse.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: refusing(t, pt.JSON(500, "{}"), asked)})
	req := hello()
	req.NoStream = true
	if r := pt.Collect(t.Context(), p, req); r.Err != nil || r.Message.Text() != "at once" || asked["converse-stream"] != 0 {
		t.Errorf("%+v %v, asked %v", r.Message, r.Err, asked)
	}
}

func TestADenialOfEverythingIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		denied := pt.JSON(403, `{"__type":"AccessDeniedException","message":"You don't have access to the model with the specified model ID."}`)
		streams := 0
		p := converse.New(provider.Endpoint{BaseURL: "https://h.test", Key: "k", HTTP: pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "stream") {
				streams++
			}
			denied.ServeHTTP(w, r)
		}))})
		for range 2 {
			f := failure(t, pt.Collect(t.Context(), p, hello()), "don't have access")
			if e := classify.Error(f); f.Type != "AccessDeniedException" || e.Reason != engine.ReasonModelNotFound {
				t.Errorf("%+v is taken for %s", f, e.Reason)
			}
		}
		if streams != 2 {
			t.Errorf("%d streams were asked for, want 2", streams)
		}
	})
}

func TestWhereRequestsGo(t *testing.T) {
	const arn = "arn:aws:bedrock:us-east-1:123:inference-profile/us.anthropic.claude-sonnet-4-6"
	for _, c := range []struct{ base, model, want string }{
		{"https://h.test", "m", "https://h.test/model/m/converse-stream"},
		{" https://h.test/ ", "us.amazon.nova-lite-v1:0", "https://h.test/model/us.amazon.nova-lite-v1%3A0/converse-stream"},
		{"https://h.test/aws/v1//", "m", "https://h.test/aws/v1/model/m/converse-stream"},
		{"https://h.test/aws/model/old/converse-stream", "m", "https://h.test/aws/model/m/converse-stream"},
		{"http://127.0.0.1:8080", arn, "http://127.0.0.1:8080/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123%3Ainference-profile%2Fus.anthropic.claude-sonnet-4-6/converse-stream"},
		{"https://h.test?key=x", "a b+c", "https://h.test/model/a%20b%2Bc/converse-stream?key=x"},
	} {
		got := ""
		p := converse.New(provider.Endpoint{BaseURL: c.base, Key: "k", HTTP: &http.Client{Transport: tripper(func(r *http.Request) { got = r.URL.String() })}})
		req := hello()
		req.Route.Model = c.model
		if pt.Collect(t.Context(), p, req); got != c.want {
			t.Errorf("base %q: asked %s, want %s", c.base, got, c.want)
		}
	}
}

// tripper sees a request and answers with nothing.
type tripper func(*http.Request)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return nil, errors.New("enough")
}

func TestWhatCannotBeSentIsSaid(t *testing.T) {
	for base, words := range map[string]string{"": "AWS_REGION", "localhost:11434": "scheme", "ftp://h": "http", "https://": "no host"} {
		p := converse.New(provider.Endpoint{BaseURL: base, Key: "k", HTTP: pt.Client(http.NotFoundHandler())})
		failure(t, pt.Collect(t.Context(), p, hello()), words)
	}
	p := converse.New(provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(http.NotFoundHandler())})
	failure(t, pt.Collect(t.Context(), p, engine.Request{}), "no model")
	req := hello()
	req.Messages = nil
	failure(t, pt.Collect(t.Context(), p, req), "no message")
}

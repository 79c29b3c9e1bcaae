package classify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/providertest"
)

func failed(status int, body string) *provider.Failure {
	return &provider.Failure{Status: status, ContentType: "application/json", URL: "https://h.test/v1/chat/completions", Header: http.Header{}, Body: []byte(body)}
}

func want(t *testing.T, f *provider.Failure, reason engine.Reason) *engine.Error {
	t.Helper()
	e := Error(f)
	if e.Reason != reason {
		t.Errorf("%d %s\n got %s, want %s", f.Status, f.Body, e.Reason, reason)
	}
	if e.Message == "" || e.Hint == "" {
		t.Errorf("%d %s: message %q, hint %q", f.Status, f.Body, e.Message, e.Hint)
	}
	return e
}

func TestE01OverflowReportedAs500IsOverflow(t *testing.T) {
	want(t, failed(500, `{"error":{"message":"Context size has been exceeded.","type":"server_error"}}`), engine.ReasonContextOverflow)
	want(t, failed(500, `{"error":{"message":"Internal server error","type":"server_error"}}`), engine.ReasonServerError)
}

func TestE02StructuredOverflowIsOverflow(t *testing.T) {
	e := want(t, failed(400, `{"error":{"code":400,"message":"request (124315 tokens) exceeds the available context size (123904 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":124315,"n_ctx":123904}}`), engine.ReasonContextOverflow)
	if !strings.Contains(e.Message, "123904") {
		t.Errorf("the window is not in %q", e.Message)
	}
}

func TestE04OverflowTextBeatsAGenericCode(t *testing.T) {
	want(t, failed(400, `{"error":{"code":"invalid_request_body","message":"Your input exceeds the context window of this model. Please adjust your input and try again."}}`), engine.ReasonContextOverflow)
}

func TestE05TheOutputCapIsTheTroubleNotTheInput(t *testing.T) {
	for text, reason := range map[string]engine.Reason{
		"This endpoint's maximum context length is 262144 tokens. However, you requested about 264896 tokens (52139 of text input, 12757 of tool input, 200000 in the output). Please reduce the length of either one.": engine.ReasonMaxTokensTooLarge,
		"This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.":                    engine.ReasonContextOverflow,
		"This model's maximum context length is 4,097 tokens. However, you requested 5,000 tokens (1,000 in the messages, 4,000 in the completion).":                                                                    engine.ReasonMaxTokensTooLarge,
		"This model's maximum context length is 4097 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion).":                                                                        engine.ReasonContextOverflow,
		"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again":                                                                              engine.ReasonMaxTokensTooLarge,
		"max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for this model":                                                                                                               engine.ReasonMaxTokensTooLarge,
		"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.":                                                                                                    engine.ReasonFormatError,
		"prompt is too long: 210000 tokens > 200000 maximum": engine.ReasonContextOverflow,
	} {
		b, _ := engine.Marshal(map[string]any{"error": map[string]any{"message": text}})
		want(t, failed(400, string(b)), reason)
	}
}

func TestE06ABare400IsAFormatError(t *testing.T) {
	want(t, failed(400, `{"error":{"message":"Error"}}`), engine.ReasonFormatError)
}

func TestE09ASpendLimitIsBillingInTheProvidersWords(t *testing.T) {
	e := want(t, failed(402, `{"error":"API key USD spend limit exceeded. Your account may still have USD balance, but this API key has reached its configured USD spending limit."}`), engine.ReasonBilling)
	shown := strings.ToLower(e.Message + e.Hint)
	if !strings.Contains(e.Message, "API key USD spend limit exceeded.") || strings.Contains(shown, "rate limit") || strings.Contains(shown, "invalid key") {
		t.Errorf("shown: %q, %q", e.Message, e.Hint)
	}
}

func TestE10AQuotaIsNotABadKey(t *testing.T) {
	want(t, failed(403, `{"error":{"message":"You've reached your weekly (7-day) usage limit."}}`), engine.ReasonBilling)
	if e := want(t, failed(401, `{"error":{"message":"Usage limit reached","resets_in_seconds":3600}}`), engine.ReasonRateLimit); e.After != time.Hour {
		t.Errorf("wait %v, want 1h", e.After)
	}
	want(t, failed(403, `{"error":{"message":"Forbidden"}}`), engine.ReasonAuth)
	want(t, failed(401, `{"error":{"message":"Incorrect API key provided"}}`), engine.ReasonAuth)
}

func TestE11APermanent429AndARateLimitWithoutStatus(t *testing.T) {
	want(t, &provider.Failure{Message: "rate limit exceeded"}, engine.ReasonRateLimit)
	want(t, failed(429, `{"error":{"code":"terminal_quota_exhausted","message":"hard billing limit"}}`), engine.ReasonBilling)
	if e := want(t, failed(429, `{"error":{"message":"Rate limit reached; try again in 20s"}}`), engine.ReasonRateLimit); e.After != 20*time.Second {
		t.Errorf("wait %v, want 20s", e.After)
	}
	want(t, failed(429, `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota, please check your plan and billing details."}}`), engine.ReasonBilling)
	want(t, failed(429, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`), engine.ReasonOverloaded)
	want(t, failed(429, `{"error":{"message":"Extra usage is required for long context requests."}}`), engine.ReasonLongContextTier)
}

func TestE12RetryAfterInEveryForm(t *testing.T) {
	const now = "Wed, 21 Oct 2026 07:27:30 GMT"
	for _, c := range []struct {
		header, value string
		after         time.Duration
	}{
		{"retry-after", "30", 30 * time.Second},
		{"Retry-After", " 0.5 ", 500 * time.Millisecond},
		{"RETRY-AFTER", "Wed, 21 Oct 2026 07:28:00 GMT", 30 * time.Second},
		{"Retry-After", "Wed, 21 Oct 2026 07:00:00 GMT", 0},
		{"Retry-After", "abc", 0}, {"Retry-After", "", 0}, {"Retry-After", "-5", 0}, {"Retry-After", "NaN", 0},
		{"Retry-After", "999999", 999999 * time.Second},
		{"Retry-After", "1e300", maxWait},
		{"retry-after-ms", "1500", 1500 * time.Millisecond},
		{"x-ratelimit-reset-requests", "6m0s", 6 * time.Minute},
		{"x-ratelimit-reset", "12", 12 * time.Second},
		{"x-ratelimit-reset", "1792567660000", 10 * time.Second}, // 07:27:40 GMT, as OpenRouter writes it
		{"anthropic-ratelimit-tokens-reset", "2026-10-21T07:28:30Z", time.Minute},
	} {
		f := failed(429, `{"error":{"message":"slow down"}}`)
		f.Header.Set("Date", now)
		f.Header.Set(c.header, c.value)
		if e := want(t, f, engine.ReasonRateLimit); e.After != c.after {
			t.Errorf("%s: %q gives %v, want %v", c.header, c.value, e.After, c.after)
		}
	}
}

func TestE12WithoutADateHeaderTheClockOfThisMachineCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the bubble's clock starts at 2000-01-01
		f := failed(503, `{}`)
		f.Header.Set("Retry-After", "Sat, 01 Jan 2000 00:01:00 GMT")
		if e := Error(f); e.After != time.Minute {
			t.Errorf("wait %v, want 1m", e.After)
		}
	})
}

func TestE12OnlyALimitThatIsUsedUpSaysWhenItComesBack(t *testing.T) {
	f := failed(429, `{}`)
	for k, v := range map[string]string{
		"x-ratelimit-remaining-requests": "499", "x-ratelimit-reset-requests": "10m",
		"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7s",
	} {
		f.Header.Set(k, v)
	}
	if e := Error(f); e.After != 7*time.Second {
		t.Errorf("wait %v, want 7s", e.After)
	}
}

func TestE12ATimeInTheText(t *testing.T) {
	for text, after := range map[string]time.Duration{
		"Please try again in 1m30s.":          90 * time.Second,
		"Please retry in 12.5s.":              12500 * time.Millisecond,
		"Please retry after 37 seconds":       37 * time.Second,
		"limit resets in 3hr 5min":            3*time.Hour + 5*time.Minute,
		"try again in 250ms":                  250 * time.Millisecond,
		"please try again in a few minutes":   0,
		"Please wait 2 minutes and try again": 2 * time.Minute,
	} {
		if e := Error(failed(429, fmt.Sprintf(`{"error":{"message":%q}}`, text))); e.After != after {
			t.Errorf("%q gives %v, want %v", text, e.After, after)
		}
	}
}

func TestE14AnHTMLPageIsOneShortLine(t *testing.T) {
	filler := strings.Repeat("<p>Cloudflare Ray ID: <strong>8abc</strong></p>", 100)
	for status, reason := range map[int]engine.Reason{521: engine.ReasonServerError, 502: engine.ReasonServerError, 403: engine.ReasonAuth} {
		f := failed(status, "<!DOCTYPE html><html><head><title>api.example.test | 521: Web server is down</title></head><body>"+filler+"</body></html>")
		f.ContentType = "text/html"
		e := want(t, f, reason)
		if len(e.Message) >= 200 || strings.ContainsAny(e.Message, "<>\n") || strings.Contains(e.Message, "Ray") {
			t.Errorf("message %q", e.Message)
		}
		for _, part := range []string{fmt.Sprint(status), "h.test", "Web server is down"} {
			if !strings.Contains(e.Message, part) {
				t.Errorf("message %q does not say %q", e.Message, part)
			}
		}
	}
}

func TestE15NoToolSupportIsNotRetried(t *testing.T) {
	e := want(t, failed(404, `{"error":{"message":"No endpoints found that support tool use. Try disabling \"browser_back\". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection","code":404}}`), engine.ReasonModelNotFound)
	if p := engine.PlanOf(e.Reason); p.Attempts != 1 || !p.Fallback {
		t.Errorf("plan %+v: it must not be retried, and may fall back", p)
	}
	if !strings.Contains(e.Hint, "no tool support") {
		t.Errorf("hint %q", e.Hint)
	}
}

func TestE18ASchemaTheServerCannotConvertIsAFormatError(t *testing.T) {
	want(t, failed(500, `{"error":{"message":"JSON schema conversion failed: Unrecognized schema: {}","type":"server_error"}}`), engine.ReasonFormatError)
}

func TestG01A404ShowsTheAddressThatWasCalled(t *testing.T) {
	e := want(t, failed(404, `404 page not found`), engine.ReasonUnknown)
	if !strings.Contains(e.Message, "https://h.test/v1/chat/completions") {
		t.Errorf("message %q", e.Message)
	}
}

func TestS07AnErrorInsideAReplyIsJudgedByItsCode(t *testing.T) {
	e := want(t, &provider.Failure{Status: 200, Code: "502", Message: "Worker local total request limit reached (33/32)"}, engine.ReasonServerError)
	if e.Status != 502 {
		t.Errorf("status %d, want 502", e.Status)
	}
	want(t, &provider.Failure{Status: 200, Code: "429", Message: "quota exceeded"}, engine.ReasonRateLimit)
	want(t, &provider.Failure{Status: 200, Type: "overloaded_error", Message: "Overloaded"}, engine.ReasonOverloaded)
}

func TestConnectionsThatFailAreTimeoutsThatSayWhatToDo(t *testing.T) {
	e := want(t, &provider.Failure{Dial: true, NoData: true, URL: "http://127.0.0.1:11434/v1/chat/completions", Message: "cannot connect to 127.0.0.1:11434: connection refused", Err: errors.New("refused")}, engine.ReasonTimeout)
	if e.Code != engine.CodeNoConnection || e.Hint != "is the server running? talaria connects to http://127.0.0.1:11434/v1/chat/completions" {
		t.Errorf("code %q, hint %q", e.Code, e.Hint)
	}
	if e := want(t, &provider.Failure{Status: 200, Cut: true, InCall: true, Message: "the reply broke off"}, engine.ReasonTimeout); e.Code != engine.CodeCut {
		t.Errorf("code %q, want %q", e.Code, engine.CodeCut)
	}
	want(t, &provider.Failure{Status: 200, NoData: true, Message: "provider sent no data"}, engine.ReasonEmptyResponse)
	want(t, &provider.Failure{NoData: true, Err: &provider.StaleError{Idle: time.Second}}, engine.ReasonTimeout)
}

func TestG07NoKeyPassesThrough(t *testing.T) {
	const key = "sk-test-AAAABBBBCCCCDDDD/+x"
	f := failed(401, `{"error":{"message":"Incorrect API key provided: sk-test-AAAABBBBCCCCDDDD/+x (also sk-test-AAAABBBBCCCCDDDD%2F%2Bx). Bearer tok-TEST-1234, https://h.test/v1?key=AIzaTESTTESTTESTTESTTEST and sk-ant-api03-zzzzzzzzzzzzzzzzzzzzzz"}}`)
	f.Err = fmt.Errorf("Get https://h.test/?key=%s: refused", key)
	p := Wrap(providertest.Scripted(providertest.Fail(f)), "example", key, "", "none")
	got := providertest.Collect(t.Context(), p, engine.Request{}).Err
	var e *engine.Error
	if !errors.As(got, &e) || e.Reason != engine.ReasonAuth {
		t.Fatalf("got %#v", got)
	}
	for err := error(e); err != nil; err = errors.Unwrap(err) {
		if _, ok := err.(*provider.Failure); ok {
			break // the raw failure stays reachable for errors.As, and is printed by nobody
		}
		for _, secret := range []string{"AAAABBBB", "tok-TEST", "AIzaTEST", "zzzzzz"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%q is in %q", secret, err)
			}
		}
	}
	if !errors.As(got, new(*provider.Failure)) {
		t.Error("the failure cannot be reached any more")
	}
}

func TestAnAuthFailureWithoutAnyKeySaysSo(t *testing.T) {
	p := Wrap(providertest.Scripted(providertest.Fail(failed(401, `{"error":{"message":"Unauthorized"}}`))), "example", " ")
	e := engine.AsError(providertest.Collect(t.Context(), p, engine.Request{}).Err)
	if e.Code != engine.CodeNoKey || !strings.Contains(e.Hint, "no key for example is set") {
		t.Errorf("got %+v", e)
	}
}

func TestAStoppedRequestIsTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := Wrap(providertest.Scripted(providertest.Hang(engine.TextDelta{Text: "a"})), "example", "k")
	var got error
	for _, err := range p.Stream(ctx, engine.Request{}) {
		cancel()
		got = err
	}
	var e *engine.Error
	if !errors.Is(got, context.Canceled) || !errors.As(got, &e) || e.Reason != engine.ReasonTimeout {
		t.Errorf("got %v", got)
	}
}

func TestEveryReasonHasAHintAndEveryRuleAKnownReason(t *testing.T) {
	for _, rules := range [][]rule{anyStatus, badRequest, notFound, serverFault, noStatus, noStatusLast} {
		for _, r := range rules {
			if hints[r.reason] == "" {
				t.Errorf("no hint for %q", r.reason)
			}
			for _, phrase := range append(r.any, r.also...) {
				if phrase != strings.ToLower(phrase) || phrase == "" {
					t.Errorf("%q can never match a text in lower case", phrase)
				}
			}
		}
	}
	for code, r := range codes {
		if code != strings.ToLower(code) || hints[r] == "" {
			t.Errorf("code %q, reason %q", code, r)
		}
	}
}

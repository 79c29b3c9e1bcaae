package classify

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/provider"
)

// What servers answer when they do not answer: each body gets its class, the wait it asks for, a line to read and a hint.
func TestEveryServersErrorBodyGetsItsClass(t *testing.T) {
	if len(bodies) < 250 {
		t.Fatalf("%d bodies, want 250 or more", len(bodies))
	}
	for _, b := range bodies {
		t.Run(fmt.Sprintf("%s/%d", b.who, b.status), func(t *testing.T) {
			f := &provider.Failure{Status: b.status, URL: "https://h.test/v1/chat/completions", Header: http.Header{}, ContentType: "application/json", Body: []byte(b.text)}
			if strings.HasPrefix(b.text, "<html") {
				f.ContentType = "text/html"
			}
			if b.class != "" {
				f.Header.Set("x-amzn-errortype", b.class+":http://internal.amazon.com/coral/com.amazon.bedrock/")
			}
			f.Header.Set("Date", "Wed, 21 Oct 2026 07:27:30 GMT")
			e := Error(f)
			if string(e.Reason) != b.reason {
				t.Errorf("%s\n got %s, want %s", b.text, e.Reason, b.reason)
			}
			if wait, _ := time.ParseDuration(b.wait); e.After != wait {
				t.Errorf("%s\n wait %v, want %v", b.text, e.After, wait)
			}
			if e.Message == "" || e.Hint == "" || strings.ContainsAny(e.Message, "\n\x1b") || strings.Contains(e.Message, "<p>") || strings.ContainsAny(e.Hint, "{}") {
				t.Errorf("message %q, hint %q", e.Message, e.Hint)
			}
		})
	}
}

// The same words inside a reply that began with 200 mean the same: no status, only what the error object says.
func TestAnErrorInsideAStreamIsJudgedByItsWords(t *testing.T) {
	for _, c := range []struct {
		message, code, kind string
		want                engine.Reason
	}{
		{"Overloaded", "", "overloaded_error", engine.ReasonOverloaded},
		{"Number of request tokens has exceeded your per-minute rate limit", "", "rate_limit_error", engine.ReasonRateLimit},
		{"Internal server error", "", "api_error", engine.ReasonServerError},
		{"The server had an error processing your request.", "server_error", "", engine.ReasonServerError},
		{"Rate limit reached for gpt-5", "rate_limit_exceeded", "", engine.ReasonRateLimit},
		{"Your input exceeds the context window of this model.", "context_length_exceeded", "", engine.ReasonContextOverflow},
		{"You exceeded your current quota", "insufficient_quota", "", engine.ReasonBilling},
		{"Invalid prompt", "invalid_prompt", "", engine.ReasonContentPolicy},
		{"Too many tokens, please wait before trying again.", "", "throttlingException", engine.ReasonRateLimit},
		{"The system encountered an unexpected error", "", "internalServerException", engine.ReasonServerError},
		{"unexpected", "", "modelStreamErrorException", engine.ReasonServerError},
		{"Input is too long for requested model.", "", "validationException", engine.ReasonContextOverflow},
		{"Token limit reached", "400", "", engine.ReasonContextOverflow},
		{"Bad key", "401", "", engine.ReasonAuth},
		{"Insufficient credits", "402", "", engine.ReasonBilling},
		{"slow down", "429", "", engine.ReasonRateLimit},
		{"Provider returned error", "502", "", engine.ReasonServerError},
		{"busy", "503", "", engine.ReasonOverloaded},
		{"failed to decode, try again, increasing context size or reducing parallel", "", "", engine.ReasonContextOverflow},
		{"Network connection lost.", "", "", engine.ReasonTimeout},
		{"upstream connect error", "", "", engine.ReasonTimeout},
		{"Stream error: boom", "", "", engine.ReasonUnknown},
		{"rate limit exceeded", "", "", engine.ReasonRateLimit},
		{"quota exceeded", "", "", engine.ReasonBilling},
		{"quota exceeded, resets in 5 minutes", "", "", engine.ReasonRateLimit},
		{"image exceeds 5 MB maximum", "", "", engine.ReasonImageTooLarge},
		{"error code: 413", "", "", engine.ReasonPayloadTooLarge},
		{"Tool choice is required, but model did not call a tool", "tool_use_failed", "invalid_request_error", engine.ReasonFormatError},
	} {
		want(t, &provider.Failure{Status: 200, ContentType: "text/event-stream", Message: c.message, Code: c.code, Type: c.kind}, c.want)
	}
}

// What the network says is a timeout, whichever words it uses; a fault of TLS is one too, whatever the size of the session.
func TestFaultsOfTheNetworkAreTimeouts(t *testing.T) {
	reset := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	for _, f := range []*provider.Failure{
		{NoData: true, Err: reset}, {NoData: true, Err: io.ErrUnexpectedEOF}, {NoData: true, Err: &net.DNSError{IsTimeout: true}},
		{Status: 200, Cut: true, Err: reset}, {Dial: true, NoData: true, Err: syscall.ECONNREFUSED, URL: "http://127.0.0.1:1/v1"},
		{Message: "remote error: tls: bad record MAC"}, {Message: "[SSL: TLSV1_ALERT_INTERNAL_ERROR] tlsv1 alert internal error"},
		{Message: "http2: server sent GOAWAY and closed the connection"}, {Message: "stream error: stream ID 5; INTERNAL_ERROR; received from peer"},
		{Message: "read tcp 10.0.0.1:1->10.0.0.2:443: i/o timeout"}, {Message: "write: broken pipe"}, {Message: "context deadline exceeded"},
		{Err: syscall.EPIPE, Message: "write"}, {Err: errors.New("x"), Message: "peer closed connection without sending complete message body (incomplete chunked read)"},
	} {
		if f.Message == "" {
			f.Message = f.Err.Error()
		}
		want(t, f, engine.ReasonTimeout)
	}
}

// ask sends a request of that size through the wrapper to a server that fails with each of these in turn.
func ask(t *testing.T, req engine.Request, fails ...*provider.Failure) (got []engine.Reason) {
	t.Helper()
	p := &inTurn{fails: fails}
	w := Wrap(p, "example", "a-secret-key")
	for range fails {
		for _, err := range w.Stream(t.Context(), req) {
			if err != nil {
				got = append(got, engine.AsError(err).Reason)
			}
		}
	}
	return got
}

func TestAServerThatHangsUpOnALargeSessionTwiceMeansThatItIsTooLong(t *testing.T) {
	hangUp := &provider.Failure{NoData: true, Message: "no answer: connection reset by peer", Err: &net.OpError{Op: "read", Err: syscall.ECONNRESET}}
	tls := &provider.Failure{NoData: true, Message: "no answer: remote error: tls: bad record MAC", Err: &net.OpError{Op: "read", Err: errors.New("remote error: tls: bad record MAC")}}
	large, small := engine.Request{Estimate: 150_000, Window: 200_000}, engine.Request{Estimate: 90_000, Window: 1_000_000}
	const T, O = engine.ReasonTimeout, engine.ReasonContextOverflow
	for _, c := range []struct {
		name  string
		req   engine.Request
		fails []*provider.Failure
		want  []engine.Reason
	}{
		{"large, the first is the network", large, []*provider.Failure{hangUp, hangUp}, []engine.Reason{T, O}},
		{"small stays the network", small, []*provider.Failure{hangUp, hangUp, hangUp}, []engine.Reason{T, T, T}},
		{"TLS comes before", large, []*provider.Failure{tls, tls}, []engine.Reason{T, T}},
		{"no window known", engine.Request{Estimate: 130_000}, []*provider.Failure{hangUp, hangUp}, []engine.Reason{T, O}},
		{"a reply between them", large, []*provider.Failure{hangUp, nil, hangUp}, []engine.Reason{T, T}},
	} {
		if got := ask(t, c.req, c.fails...); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestE06AWordless400IsAnOverflowOnlyWhenTheWindowIsFilled(t *testing.T) {
	for _, c := range []struct {
		req  engine.Request
		body string
		want engine.Reason
	}{
		{engine.Request{Estimate: 74_320, Window: 1_000_000}, `{"error":{"message":"Error"}}`, engine.ReasonFormatError},
		{engine.Request{Estimate: 74_320}, `{"error":{"message":"Error"}}`, engine.ReasonFormatError},
		{engine.Request{Estimate: 90_000, Window: 128_000}, `{"error":{"message":"Error"}}`, engine.ReasonContextOverflow},
		{engine.Request{Estimate: 90_000, Window: 128_000}, ``, engine.ReasonContextOverflow},
		{engine.Request{Estimate: 90_000, Window: 128_000}, `{"error":{"message":"messages: the role of message 4 is wrong"}}`, engine.ReasonFormatError},
	} {
		if got := ask(t, c.req, failed(400, c.body)); got[0] != c.want {
			t.Errorf("%d of %d, %s: %s, want %s", c.req.Estimate, c.req.Window, c.body, got[0], c.want)
		}
	}
}

func TestHintsNameTheProvidersOwnPages(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		f               *provider.Failure
		want            string
	}{
		{"anthropic", "m", failed(529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`), "status.anthropic.com"},
		{"openrouter", "m", failed(402, `{"error":{"message":"Insufficient credits"}}`), "openrouter.ai/settings/credits"},
		{"openai", "m", failed(401, `{"error":{"message":"Incorrect API key provided"}}`), "platform.openai.com/api-keys"},
		{"ollama", "llama9", failed(404, `{"error":{"message":"model 'llama9' not found"}}`), "ollama pull llama9"},
		{"ollama", "m", &provider.Failure{Dial: true, NoData: true, URL: "http://127.0.0.1:11434/v1", Message: "refused"}, "ollama serve"},
		{"bedrock", "m", failed(400, `{"message":"The provided model identifier is invalid."}`), "inference profile"},
		{"mine", "m", failed(402, `{"error":{"message":"no money"}}`), "at mine"},
		{"mine", "m", &provider.Failure{Dial: true, NoData: true, URL: "https://h.test/v1", Message: "no such host"}, "check the network"},
		{"mine", "pic-less", failed(400, `{"error":{"message":"This model does not support image input"}}`), "pic-less cannot read pictures"},
		{"mine", "m", failed(407, ``), "HTTPS_PROXY"},
	} {
		w := Wrap(failing{c.f}, c.provider, "a-secret-key")
		for _, err := range w.Stream(t.Context(), engine.Request{Route: engine.Route{Model: c.model}}) {
			if e := engine.AsError(err); !strings.Contains(e.Hint, c.want) {
				t.Errorf("%s: hint %q does not say %q", c.provider, e.Hint, c.want)
			}
		}
	}
}

func TestEveryHintIsOneLineWithoutAForeignPlaceholder(t *testing.T) {
	check := func(h hint) {
		if text := (about{}).fill(h); text == "" || strings.ContainsAny(text, "{}\n") || strings.HasSuffix(text, ".") {
			t.Errorf("hint %q", text)
		}
	}
	for _, h := range hints {
		check(h)
	}
	for _, of := range hintsOf {
		for r, h := range of {
			if hints[r] == "" {
				t.Errorf("%q is no reason", r)
			}
			check(h)
		}
	}
	for _, h := range telling {
		check(h.hint)
		for _, phrase := range h.any {
			if phrase != strings.ToLower(phrase) {
				t.Errorf("%q can never match", phrase)
			}
		}
	}
	for _, h := range starts {
		check(h)
	}
}

package provider_test

import (
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"talaria/engine"
	"talaria/engine/provider"
	pt "talaria/engine/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestG01BaseURLSpellings(t *testing.T) {
	for base, want := range map[string]string{
		"https://h.test/api/v1/":               "https://h.test/api/v1/chat/completions",
		"https://h.test/v1":                    "https://h.test/v1/chat/completions",
		"https://h.test/v1///":                 "https://h.test/v1/chat/completions",
		" https://h.test/v1 ":                  "https://h.test/v1/chat/completions",
		"https://h.test//api//v1":              "https://h.test/api/v1/chat/completions",
		"https://h.test/v1/chat/completions":   "https://h.test/v1/chat/completions",
		"https://h.test/v1/models/":            "https://h.test/v1/chat/completions",
		"http://127.0.0.1:11434":               "http://127.0.0.1:11434/v1/chat/completions",
		"http://[::1]:8080/":                   "http://[::1]:8080/v1/chat/completions",
		"https://api.perplexity.ai":            "https://api.perplexity.ai/chat/completions",
		"https://h.test/openai?api-version=p1": "https://h.test/openai/chat/completions?api-version=p1",
	} {
		if got, err := provider.JoinURL(base, "/chat/completions"); err != nil || got != want {
			t.Errorf("%q gives %q, %v; want %q", base, got, err, want)
		}
	}
	for base, want := range map[string]string{
		"https://api.anthropic.com":            "https://api.anthropic.com/v1/messages",
		"https://api.anthropic.com/v1/":        "https://api.anthropic.com/v1/messages",
		"https://h.test/anthropic":             "https://h.test/anthropic/v1/messages",
		"https://h.test/anthropic/v1":          "https://h.test/anthropic/v1/messages",
		"https://h.test/anthropic/v1/messages": "https://h.test/anthropic/v1/messages",
	} {
		if got, err := provider.JoinURL(base, "/v1/messages"); err != nil || got != want {
			t.Errorf("%q gives %q, %v; want %q", base, got, err, want)
		}
	}
}

func TestG01WhatIsNoBaseURLIsExplained(t *testing.T) {
	for base, words := range map[string]string{
		"": "empty", "   ": "empty", "localhost:11434": "scheme", "api.example.com/v1": "scheme", "127.0.0.1:8080/v1": "scheme",
		"ws://h.test": "http://", "https://": "no host", "https://u:secret@": "no host",
	} {
		got, err := provider.JoinURL(base, "/models")
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q gives %q, %v; want an error that says %q", base, got, err, words)
		}
	}
}

func TestDetectModeGoesByTheParsedHost(t *testing.T) {
	for _, c := range []struct {
		explicit  engine.APIMode
		name, url string
		want      engine.APIMode
	}{
		{"", "", "", engine.ChatCompletions},
		{engine.ChatCompletions, "anthropic", "https://api.anthropic.com", engine.ChatCompletions},
		{"", "anthropic", "https://proxy.test/v1", engine.AnthropicMessages},
		{"", "OpenAI-Codex", "", engine.CodexResponses},
		{"", "xai", "", engine.CodexResponses},
		{"", "bedrock", "", engine.BedrockConverse},
		{"", "", "https://chatgpt.com/backend-api/codex", engine.CodexResponses},
		{"", "", "https://chatgpt.com/backend-api/codexes", engine.ChatCompletions},
		{"", "", "https://chatgpt.com/other", engine.ChatCompletions},
		{"", "", "https://API.X.AI./v1", engine.CodexResponses},
		{"", "custom", "https://api.anthropic.com/v1", engine.AnthropicMessages},
		{"", "", "https://h.test/anthropic/", engine.AnthropicMessages},
		{"", "", "https://h.test/anthropic/v1", engine.AnthropicMessages},
		{"", "", "https://bedrock-runtime.eu-west-1.amazonaws.com", engine.BedrockConverse},
		{"", "", "https://evil.test/api.anthropic.com", engine.ChatCompletions},
		{"", "", "https://evil.test/?x=api.x.ai", engine.ChatCompletions},
		{"", "", "https://api.x.ai.evil.test", engine.ChatCompletions},
		{"", "", "https://api.anthropic.com@evil.test/", engine.ChatCompletions},
		{"", "", "https://notapi.x.ai", engine.ChatCompletions},
		{"", "", "https://bedrock-runtime.x.amazonaws.com.evil.test", engine.ChatCompletions},
		{"", "openai", "https://api.openai.com/v1", engine.ChatCompletions}, // RULINGS 13
	} {
		if got, err := provider.DetectMode(c.explicit, c.name, c.url); err != nil || got != c.want {
			t.Errorf("%q %q %q gives %q, %v; want %q", c.explicit, c.name, c.url, got, err, c.want)
		}
	}
	if _, err := provider.DetectMode("chat", "", ""); err == nil || !strings.Contains(err.Error(), "chat_completions") {
		t.Errorf("a mode that does not exist gives %v", err)
	}
}

func TestIsLocal(t *testing.T) {
	for url, want := range map[string]bool{
		"http://localhost:1234/v1": true, "http://127.0.0.1:1": true, "http://[::1]:1": true, "http://10.1.2.3": true, "http://192.168.0.9": true,
		"http://172.16.0.1": true, "http://169.254.1.1": true, "http://100.64.1.1": true, "http://[fe80::1]": true, "http://[fd00::1]": true,
		"http://box.local": true, "http://host.docker.internal:11434": true, "http://ollama:11434": true, "http://0.0.0.0:1": true, "http://[::ffff:127.0.0.1]": true,
		"https://api.openai.com": false, "http://8.8.8.8": false, "http://100.128.0.1": false, "https://localhost.evil.test": false, "": false, "https://evil.test/localhost": false,
	} {
		if got := provider.IsLocal(url); got != want {
			t.Errorf("%q: %v, want %v", url, got, want)
		}
	}
}

func TestTheStaleClockGrowsWithThePromptAndIsLongForLocalServers(t *testing.T) {
	cloud := provider.Endpoint{BaseURL: "https://h.test"}
	for estimate, want := range map[int]time.Duration{0: 90 * time.Second, 50_000: 90 * time.Second, 50_001: 153 * time.Second, 100_001: 243 * time.Second} {
		if got := cloud.StaleFor(estimate); got != want {
			t.Errorf("%d tokens: %v, want %v", estimate, got, want)
		}
	}
	if got := (provider.Endpoint{BaseURL: "http://localhost:1"}).StaleFor(200_000); got != 900*time.Second {
		t.Errorf("local: %v", got)
	}
	if got := (provider.Endpoint{BaseURL: "http://localhost:1", Stale: time.Second}).StaleFor(200_000); got != time.Second {
		t.Errorf("what the user set is taken as it is, not %v", got)
	}
}

func frames(t *testing.T, seq iter.Seq2[provider.Frame, error]) (all []provider.Frame, err error) {
	t.Helper()
	for f, e := range seq {
		if e != nil {
			return all, e
		}
		all = append(all, f)
	}
	return all, nil
}

func TestReadSSETakesEveryFormAndAnyCut(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []provider.Frame
	}{
		"plain":             {"data: a\n\ndata: b\n\n", []provider.Frame{{Data: "a"}, {Data: "b"}}},
		"no blank":          {"data:a\n\ndata:  b\n\n", []provider.Frame{{Data: "a"}, {Data: " b"}}},
		"crlf":              {"data: a\r\n\r\ndata: b\r\n\r\n", []provider.Frame{{Data: "a"}, {Data: "b"}}},
		"cr":                {"data: a\r\rdata: b\r\r", []provider.Frame{{Data: "a"}, {Data: "b"}}},
		"mark":              {"\xef\xbb\xbfdata: a\n\n", []provider.Frame{{Data: "a"}}},
		"comments":          {": hi\n\n:\ndata: a\n: between\n\n", []provider.Frame{{Data: "a"}}},
		"several lines":     {"event: x\ndata: a\ndata\ndata: b\nid: 1\nretry: 5\n\n", []provider.Frame{{Event: "x", Data: "a\n\nb"}}},
		"no final newline":  {"data: a\n\ndata: b", []provider.Frame{{Data: "a"}, {Data: "b"}}},
		"one final newline": {"data: a\n", []provider.Frame{{Data: "a"}}},
		"bare error":        {"data: a\n\nerror: {\"x\":1}\n\n", []provider.Frame{{Data: "a"}, {Event: "error", Data: `{"x":1}`}}},
		"event forgotten":   {"event: x\n\ndata: a\n\n", []provider.Frame{{Data: "a"}}},
		"nothing":           {"\n\n\ndata:\n\ndata: \n\n", nil},
		"nonsense":          {"hello\n\x00\xff: x\n\n", nil},
	} {
		for _, size := range append([]int{1 << 20}, pt.Cuts...) {
			got, err := frames(t, provider.ReadSSE(pt.Chunked([]byte(c.in), size), 0))
			if err != nil || len(got) != len(c.want) {
				t.Fatalf("%s cut at %d: %q, %v; want %q", name, size, got, err, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("%s cut at %d: %q, want %q", name, size, got[i], c.want[i])
				}
			}
		}
	}
}

func TestReadSSERefusesLinesAndEventsBeyondTheCap(t *testing.T) {
	for _, in := range []string{"data: " + strings.Repeat("a", 200), strings.Repeat("data: aaaaaaaaaa\n", 20), ": " + strings.Repeat("a", 200)} {
		if got, err := frames(t, provider.ReadSSE(strings.NewReader(in), 100)); !errors.Is(err, provider.ErrLineTooLong) {
			t.Errorf("%.20q: %q, %v", in, got, err)
		}
	}
}

func TestReadSSEDropsHalfAnEventWhenTheConnectionBreaks(t *testing.T) {
	in := io.MultiReader(strings.NewReader("data: a\n\ndata: hal"), iotest.ErrReader(io.ErrUnexpectedEOF))
	got, err := frames(t, provider.ReadSSE(in, 0))
	if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnEventIsThereAsSoonAsItsBlankLineIs(t *testing.T) {
	for _, blank := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			seen := make(chan string)
			go func() {
				for f := range provider.ReadSSE(r, 0) {
					seen <- f.Data
				}
				close(seen)
			}()
			go io.WriteString(w, "data: a"+blank)
			if got := <-seen; got != "a" { // the pipe stays open: a reader that waits for more hangs here, and the bubble says so
				t.Errorf("got %q", got)
			}
			w.Close()
			<-seen
		})
	}
}

func TestAStaleBodyEndsOnlyWhenNothingComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		body := provider.NewStaleBody(r, 10*time.Second)
		go func() {
			for range 5 {
				time.Sleep(9 * time.Second)
				w.Write([]byte("x"))
			}
		}()
		start, buf, n := time.Now(), make([]byte, 1), 0
		for {
			if _, err := body.Read(buf); err != nil {
				var stale *provider.StaleError
				if !errors.As(err, &stale) || stale.Idle != 10*time.Second || !stale.Timeout() {
					t.Errorf("got %v", err)
				}
				break
			}
			n++
			time.Sleep(8 * time.Second) // a slow reader is not the server's fault
			if n == 1 {
				time.Sleep(time.Minute)
			}
		}
		if n != 5 {
			t.Errorf("%d bytes after %v, want 5", n, time.Since(start))
		}
	})
}

func TestErrorBodiesInEverySpelling(t *testing.T) {
	for body, want := range map[string]provider.ErrorBody{
		`{"error":{"message":"m","code":"c","type":"t"}}`:    {Message: "m", Code: "c", Type: "t", Found: true},
		`{"error":{"message":"m","code":429}}`:               {Message: "m", Code: "429", Found: true},
		`{"error":"m"}`:                                      {Message: "m", Found: true},
		`{"detail":"m"}`:                                     {Message: "m", Found: true},
		`{"detail":[{"loc":["body"],"msg":"m","type":"t"}]}`: {Message: "m", Type: "t", Found: true},
		`{"message":"m"}`:                                    {Message: "m", Found: true},
		`{"code":"c","error":"m"}`:                           {Message: "m", Code: "c", Found: true},
		`[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]`:             {Message: "m", Code: "400", Type: "INVALID_ARGUMENT", Found: true},
		`{"type":"error","error":{"type":"t","message":"m"}}`:                            {Message: "m", Type: "t", Found: true},
		`{"error":{"message":"p","metadata":{"raw":"{\"error\":{\"message\":\"m\"}}"}}}`: {Message: "p: m", Found: true},
		`{"error":{"message":"{\"error\":{\"message\":\"m\",\"code\":7}}"}}`:             {Message: `{"error":{"message":"m","code":7}}`, Found: true},
		`{"error":"{\"message\":\"m\"}"}`:                                                {Message: "m", Found: true},
		"plain\n words":                                                                  {Message: "plain words"},
		"":                                                                               {},
		`{"choices":[],"model":"x"}`:                                                     {},
		`{"error":{"message":{"a":1}}}`:                                                  {},
	} {
		if got := provider.ReadError([]byte(body)); got != want {
			t.Errorf("%s\ngives %+v, want %+v", body, got, want)
		}
	}
}

func TestAClientThatWasGivenFollowsNoRedirectEither(t *testing.T) {
	asked := 0
	ep := provider.Endpoint{BaseURL: "https://h.test", HTTP: pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))}.WithClient()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://h.test/v1", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = ep.Do(req, 0)
	var f *provider.Failure
	if !errors.As(err, &f) || f.Status != 302 || !strings.Contains(f.Message, "https://h.test/elsewhere") || asked != 1 {
		t.Errorf("got %v after %d requests", err, asked)
	}
}

func TestTheTotalTimeEndsAReplyThatNeverStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ep := provider.Endpoint{BaseURL: "https://h.test", Total: 5 * time.Minute, HTTP: pt.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for flush := http.NewResponseController(w); ; {
				io.WriteString(w, ": x\n\n")
				flush.Flush()
				select {
				case <-r.Context().Done():
					return
				case <-tick.C:
				}
			}
		}))}.WithClient()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://h.test/v1", nil)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		resp, err := ep.Do(req, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if took := time.Since(start); err == nil || !strings.Contains(err.Error(), "total time") || took != 5*time.Minute {
			t.Errorf("got %v after %v", err, took)
		}
	})
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"talaria/engine"
	"talaria/engine/config"
	"talaria/engine/core/dial"
)

// frozen is what of a request must come again in the next: the prompt and the tools as they are, and the messages as the
// beginning of the longer list.
type frozen struct {
	still    []byte
	messages []json.RawMessage
}

// marks are the cache breakpoints of all wires, which move on with the conversation.
var marks = regexp.MustCompile(`,"cache_control":\{[^}]*\}|,\{"cachePoint":\{[^}]*\}\}`)

func freeze(t *testing.T, body []byte) (f frozen) {
	t.Helper()
	var r map[string]json.RawMessage
	if err := json.Unmarshal(marks.ReplaceAll(body, nil), &r); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for _, list := range []string{"messages", "input"} {
		if r[list] != nil {
			if err := json.Unmarshal(r[list], &f.messages); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, field := range []string{"model", "system", "instructions", "tools", "toolConfig", "inferenceConfig", "max_tokens", "prompt_cache_key", "reasoning", "thinking"} {
		f.still = append(append(append(f.still, field...), r[field]...), '\n')
	}
	return f
}

// keeps fails where a later request does not begin with all of the earlier one.
func (f frozen) keeps(t *testing.T, n int, later frozen) {
	t.Helper()
	if !bytes.Equal(f.still, later.still) {
		t.Fatalf("request %d has another prompt:\n%s\n%s", n, f.still, later.still)
	}
	if len(later.messages) < len(f.messages) {
		t.Fatalf("request %d has %d messages after %d", n, len(later.messages), len(f.messages))
	}
	for i, m := range f.messages {
		if !bytes.Equal(m, later.messages[i]) {
			t.Fatalf("request %d changed message %d:\n%s\n%s", n, i, m, later.messages[i])
		}
	}
}

// Thirty turns through the whole engine, each with thinking, a call or two and an answer: every request begins with all
// that the one before it held, byte for byte, so that what a provider has cached of it is never lost.
func TestThirtyTurnsKeepTheirPrefixInEveryMode(t *testing.T) {
	keepAWSOut(t)
	const claude = "anthropic/claude-sonnet-4.5"
	for _, c := range []struct {
		name, provider, model, ttl string
		s                          speaker
		marks                      int // breakpoints in the last request
	}{
		{"chat completions", "custom", "m", "5m", speakers[0], 0},
		{"Claude over OpenRouter", "openrouter", claude, "1h", speakers[0], 4},
		{"a server that wants reasoning back", "kimi", "m", "5m", speakers[0], 0},
		{"responses", "custom", "gpt-5.1", "5m", speakers[1], 0},
		{"messages", "custom", "claude-opus-4-6", "1h", speakers[2], 4},
		{"converse", "custom", "eu.anthropic.claude-opus-4-6-v1", "1h", speakers[3], 3},
		{"messages, no caching", "custom", "claude-opus-4-6", "off", speakers[2], 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			step := 0 // of the reply that comes next
			server := newStation(t, func(int, []byte) http.Handler { step++; return closing{c.s.answer(c.model, chatter(step))} })
			l := newLife(t, cachedAt(t, c.s, server.URL, c.provider, c.model, c.ttl))
			for turn := range 30 {
				l.say(fmt.Sprintf("Frage %d – «größer»", turn))
			}
			asked := server.requests()
			if len(asked) != 60 {
				t.Fatalf("%d requests", len(asked))
			}
			before := freeze(t, asked[0].body)
			for i, r := range asked[1:] {
				later := freeze(t, r.body)
				before.keeps(t, i+2, later)
				before = later
			}
			last := asked[len(asked)-1].body
			if got := len(marks.FindAll(last, -1)); got != c.marks {
				t.Errorf("%d marks, want %d: %s", got, c.marks, last)
			}
			if hour := bytes.Count(last, []byte(`"ttl":"1h"`)); c.ttl == "1h" && hour != c.marks {
				t.Errorf("%d marks for an hour", hour)
			}
			if faults := c.s.read(last).wrong(); len(faults) > 0 {
				t.Errorf("%v", faults)
			}
		})
	}
}

// chatter is a reply by its number: by turns one that calls, and one that answers.
func chatter(n int) said {
	if n%2 == 0 {
		return said{Thought: fmt.Sprintf("«so» %d", n), Seal: "c2VhbA+/==", Text: fmt.Sprintf("Antwort %d.", n)}
	}
	s := said{Thought: fmt.Sprintf("hm %d", n), Seal: "c2VhbA+/==", Tag: "VEFH"}
	for i := range 1 + n/2%2 {
		s.Calls = append(s.Calls, engine.Call{ID: fmt.Sprintf("call_%d_%d", n, i), Name: "search_files", Args: `{ "pattern": "x<y>", "path": "." }`})
	}
	if n%3 == 0 {
		s.Text = "Ich suche. "
	}
	return s
}

// cachedAt is the configuration of a provider at url with this life of its cache, "off" for none.
func cachedAt(t *testing.T, s speaker, url, provider, model, ttl string) config.Resolver {
	t.Helper()
	values := []config.Value{{Key: "model.base_url", Text: url}, {Key: "model.name", Text: model}, {Key: "model.api_mode", Text: string(s.mode)}, {Key: "model.provider", Text: provider}}
	if ttl == "off" {
		values = append(values, config.Value{Key: "prompt_caching.enabled", Text: "false"})
	} else {
		values = append(values, config.Value{Key: "prompt_caching.ttl", Text: ttl})
	}
	cat := dial.Catalogue()
	cfg, origins, _, err := config.Load(config.Values(config.Flag, cat, values))
	if err != nil {
		t.Fatal(err)
	}
	return config.Resolver{Config: cfg, Origins: origins, Catalogue: cat, Getenv: func(string) string { return "" }}
}

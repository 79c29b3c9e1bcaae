package completions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/provider"
)

// marked returns where marks stand in the messages of a request, as "message.part:ttl".
func marked(t *testing.T, ep provider.Endpoint, req engine.Request) string {
	t.Helper()
	body, _ := sent(t, ep, req)
	var got struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	var at []string
	for i, m := range got.Messages {
		var parts []struct {
			Cache *struct{ Type, TTL string } `json:"cache_control"`
		}
		if json.Unmarshal(m.Content, &parts) != nil {
			continue // a string
		}
		for j, p := range parts {
			if p.Cache != nil {
				at = append(at, strings.TrimSuffix(fmt.Sprintf("%d.%d:%s", i, j, p.Cache.TTL), ":"))
				if p.Cache.Type != "ephemeral" {
					t.Errorf("type %q", p.Cache.Type)
				}
			}
		}
	}
	return strings.Join(at, " ")
}

func TestTheCacheIsMarkedForTheModelsAndServersThatWantIt(t *testing.T) {
	say := func(r engine.Role, parts ...engine.Part) engine.Message { return engine.Message{Role: r, Parts: parts} }
	history := []engine.Message{
		say(engine.RoleUser, engine.Text{Text: "one"}), say(engine.RoleAssistant, engine.Text{Text: "two"}),
		say(engine.RoleUser, engine.Text{Text: "three"}, engine.Image{MIME: "image/png", Data: []byte{1}}),
		say(engine.RoleAssistant, engine.Call{ID: "a", Name: "ls", Args: "{}"}, engine.Call{ID: "b", Name: "ls", Args: "{}"}),
		say(engine.RoleTool, engine.Result{CallID: "a", Text: "out"}), say(engine.RoleTool, engine.Result{CallID: "b", Text: "out"}),
	}
	const router = "https://openrouter.ai/api/v1"
	for _, c := range []struct {
		base, model string
		cache       engine.Cache
		want        string
	}{
		{router, "anthropic/claude-sonnet-4.5", "", "0.0 2.0 3.1 6.0"}, // the two results are one message to the model
		{router, "anthropic/claude-sonnet-4.5", engine.CacheHour, "0.0:1h 2.0:1h 3.1:1h 6.0:1h"},
		{router, "anthropic/claude-sonnet-4.5", engine.CacheOff, ""},
		{router, "qwen/qwen3-coder-plus", engine.CacheHour, "0.0 2.0 3.1 6.0"}, // five minutes is all there is
		{router, "openai/gpt-5", "", ""},                                       // caches unasked
		{"https://inference-api.nousresearch.com/v1", "claude-opus-4-6", "", "0.0 2.0 3.1 6.0"},
		{"https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen-plus", "", "0.0 2.0 3.1 6.0"},
		{"https://h.test/v1", "anthropic/claude-sonnet-4.5", "", ""}, // nothing is known of the server
	} {
		req := engine.Request{Route: engine.Route{Model: c.model}, System: "be kind", Messages: history, Cache: c.cache}
		if got := marked(t, provider.Endpoint{BaseURL: c.base}, req); got != c.want {
			t.Errorf("%s %s %q: marks at %q, want %q", c.base, c.model, c.cache, got, c.want)
		}
	}
	req := engine.Request{Route: engine.Route{Model: "anthropic/claude-sonnet-4.5"}, Messages: history[:1]}
	if got := marked(t, provider.Endpoint{BaseURL: router}, req); got != "0.0" {
		t.Errorf("one message without a system prompt: %q", got)
	}
}

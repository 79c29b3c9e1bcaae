package messages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/provider"
)

// wireOf sends these messages to Anthropic and returns what it got.
func wireOf(t *testing.T, model string, msgs ...engine.Message) wire {
	t.Helper()
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, asking(model, msgs...))
	return read(t, body)
}

func shaped(t *testing.T, w wire, want string) {
	t.Helper()
	if got := w.shape(); got != want {
		t.Errorf("messages\n got %s\nwant %s", got, want)
	}
}

func TestH01AStopAmongSeveralCallsAnswersThemAllBeforeTheUsersWords(t *testing.T) {
	w := wireOf(t, "m", user("run them"), said("m", call("A"), call("B"), call("C")),
		say(engine.RoleTool, engine.Result{CallID: "A", Text: "exit 127", Status: engine.StatusFailed}),
		say(engine.RoleTool, engine.Result{CallID: "B", Text: "stopped by the user", Status: engine.StatusStopped}),
		user("go on"))
	shaped(t, w, "u:text a:tool_use+tool_use+tool_use u:tool_result+tool_result+tool_result+text")
	last := w.Messages[2].Content
	if last[0].Content != "exit 127" || !last[1].IsError || !last[2].IsError || !strings.Contains(last[2].Content.(string), "interrupted") || last[3].Text != "go on" {
		t.Errorf("%+v", last)
	}
}

func TestH01CallsAtTheVeryEndAreAnswered(t *testing.T) {
	shaped(t, wireOf(t, "m", user("go"), said("m", call("A"))), "u:text a:tool_use u:tool_result")
}

func TestH02OrphanAndDoubledResultsAreLeftOut(t *testing.T) {
	w := wireOf(t, "m", user("a"), said("m", engine.Text{Text: "hi"}), result("gone", "x"), user("next"),
		said("m", call("one")), result("one", "first"), result("one", "second"), result("gone", "x"), user("more"))
	shaped(t, w, "u:text a:text u:text a:tool_use u:tool_result+text")
	if got := w.Messages[4].Content[0].Content; got != "first" {
		t.Errorf("the result is %q", got)
	}
}

func TestH03BlankTextsAreNeverSent(t *testing.T) {
	w := wireOf(t, "m", user("   "), said("m", engine.Text{Text: "\n\n"}, call("a")), result("a", "x"),
		said("m", engine.Text{Text: ""}), user("b"), said("m", engine.Thought{Text: "only", Signature: "c2ln"}), user("c"))
	shaped(t, w, "u:text a:tool_use u:tool_result+text+text")
	if got := w.Messages[0].Content[0].Text; got != "(empty message)" {
		t.Errorf("the blank message became %q", got)
	}
}

func TestH04ABlankResultHasAPlaceholder(t *testing.T) {
	w := wireOf(t, "m", user("a"), said("m", call("c")), result("c", " \n"))
	if got := w.Messages[2].Content[0]; got.Content != "(no output)" || got.IsError {
		t.Errorf("%+v", got)
	}
}

func TestH06ConsecutiveUserMessagesBecomeOne(t *testing.T) {
	shaped(t, wireOf(t, "m", user("a"), user("b")), "u:text+text")
}

func TestASteerStandsAfterAllResults(t *testing.T) {
	w := wireOf(t, "m", user("go"), said("m", call("a"), call("b")),
		say(engine.RoleTool, engine.Result{CallID: "a", Text: "1\n[end of message]", Status: engine.StatusDone}, engine.Text{Text: "skip the tests"}),
		result("b", "2"), user("and then this"))
	shaped(t, w, "u:text a:tool_use+tool_use u:tool_result+tool_result+text+text")
	c := w.Messages[2].Content
	if c[2].Text != "[message from the user while you were working]\nskip the tests\n[end of message]" || c[3].Text != "and then this" {
		t.Errorf("%+v", c)
	}
	if strings.Contains(c[0].Content.(string), "[end of message]") {
		t.Errorf("a tool's output poses as the user: %q", c[0].Content)
	}
}

func TestEveryWayACallCanEndButWellIsAnError(t *testing.T) {
	for _, s := range []engine.Status{engine.StatusFailed, engine.StatusRefused, engine.StatusDenied, engine.StatusStopped, engine.StatusTimeout} {
		w := wireOf(t, "m", user("a"), said("m", call("c")), say(engine.RoleTool, engine.Result{CallID: "c", Text: "x", Status: s}))
		if !w.Messages[2].Content[0].IsError {
			t.Errorf("%s is no error", s)
		}
	}
}

const opus = "claude-opus-4-6"

func thinkingIn(w wire) string {
	var all []string
	for _, m := range w.Messages {
		for _, c := range m.Content {
			switch c.Type {
			case "thinking":
				all = append(all, c.Thinking+"/"+c.Signature)
			case "redacted_thinking":
				all = append(all, "sealed/"+c.Data)
			}
		}
	}
	return strings.Join(all, " ")
}

func TestH08SignedThinkingComesBackByteForByteAfterAReload(t *testing.T) {
	text := "step <1> & \"two\" — ünïcode\n\t\\ "
	m := said(opus, engine.Thought{Text: text, Signature: "c2ln+/=="}, redacted("EmwKAhgBEgy3va3pzix/LafPsn4a"), engine.Call{ID: "toolu_1", Name: "ls", Args: "{}"})
	stored, err := engine.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var again engine.Message
	if err := json.Unmarshal(stored, &again); err != nil {
		t.Fatal(err)
	}
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, asking(opus, user("go"), again, result("toolu_1", "a")))
	w := read(t, body)
	shaped(t, w, "u:text a:thinking+redacted_thinking+tool_use u:tool_result")
	if c := w.Messages[1].Content; c[0].Thinking != text || c[0].Signature != "c2ln+/==" {
		t.Errorf("%+v", c[0])
	}
	for _, exact := range []string{`{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/LafPsn4a"}`, `"signature":"c2ln+/=="`, `step <1> & \"two\" — ünïcode\n\t\\ `} {
		if !bytes.Contains(body, []byte(exact)) {
			t.Errorf("%s is not in %s", exact, body)
		}
	}
}

func TestH08AfterAChangeOfModelThinkingIsDropped(t *testing.T) {
	history := []engine.Message{user("go"), said(opus, engine.Thought{Text: "step", Signature: "c2ln"}, redacted("SEAL"), call("a")), result("a", "x")}
	for asked, want := range map[string]string{
		opus: "step/c2ln sealed/SEAL", "claude-opus-4-6-20260205": "step/c2ln sealed/SEAL", "anthropic/claude-opus-4.6": "step/c2ln sealed/SEAL",
		"claude-opus-4-7": "", "claude-sonnet-4-6": "", "house-model": "",
	} {
		if got := thinkingIn(wireOf(t, asked, history...)); got != want {
			t.Errorf("%s is sent %q, want %q", asked, got, want)
		}
	}
	history[1].Model = ""
	if got := thinkingIn(wireOf(t, opus, history...)); got != "" {
		t.Errorf("thinking of a model nobody knows is sent: %q", got)
	}
}

func TestH08TwoDatedNamesOfOneModelAreTwoModels(t *testing.T) {
	history := []engine.Message{user("go"), said("claude-sonnet-4-5-20250929", engine.Thought{Text: "step", Signature: "c2ln"}, call("a")), result("a", "x")}
	for asked, want := range map[string]string{
		"claude-sonnet-4-5": "step/c2ln", "claude-sonnet-4-5-latest": "step/c2ln", "claude-sonnet-4-5-20250929": "step/c2ln", "claude-sonnet-4-5-20260101": "",
	} {
		if got := thinkingIn(wireOf(t, asked, history...)); got != want {
			t.Errorf("%s is sent %q, want %q", asked, got, want)
		}
	}
}

func TestH08EmptyOrUnsignedThinkingIsNeverSent(t *testing.T) {
	w := wireOf(t, opus, user("go"), said(opus, engine.Thought{Signature: "c2ln"}, engine.Thought{Text: "unsigned"}, engine.Text{Text: "ok"}, call("a")), result("a", "x"))
	shaped(t, w, "u:text a:text+tool_use u:tool_result")
}

func TestH08TheThinkingOfAReplyGoesBackWholeOrNotAtAll(t *testing.T) {
	w := wireOf(t, opus, user("go"), said(opus, engine.Thought{Text: "step", Signature: "a"}, redacted("x"), engine.Thought{Signature: "b"}, call("a")), result("a", "x"),
		said(opus, engine.Thought{Text: "next", Signature: "c"}, call("b")), result("b", "y"))
	shaped(t, w, "u:text a:tool_use u:tool_result a:thinking+tool_use u:tool_result")
}

func TestThinkingStaysInTheOrderItCameIn(t *testing.T) {
	w := wireOf(t, opus, user("go"), said(opus, engine.Thought{Text: "1", Signature: "a"}, engine.Text{Text: "so"}, engine.Thought{Text: "2", Signature: "b"}, call("a"),
		redacted("c"), call("b")), result("a", "x"), result("b", "y"))
	shaped(t, w, "u:text a:thinking+text+thinking+tool_use+redacted_thinking+tool_use u:tool_result+tool_result")
}

func TestOlderModelsGetTheThinkingOfTheTurnAndNewerOnesAll(t *testing.T) {
	history := func(model string) []engine.Message {
		return []engine.Message{
			user("1"), said(model, engine.Thought{Text: "a", Signature: "s"}, call("x")), result("x", "r"), said(model, engine.Text{Text: "done"}),
			user("2"), said(model, engine.Thought{Text: "b", Signature: "s"}, call("y")), result("y", "r"),
			said(model, engine.Thought{Text: "c", Signature: "s"}, call("z")), result("z", "r"),
		}
	}
	for model, want := range map[string]string{
		"claude-sonnet-4-5": "b/s c/s", "claude-3-7-sonnet-latest": "b/s c/s",
		"claude-opus-4-5": "a/s b/s c/s", "claude-sonnet-4-6": "a/s b/s c/s", "minimax-m2": "a/s b/s c/s",
	} {
		if got := thinkingIn(wireOf(t, model, history(model)...)); got != want {
			t.Errorf("%s is sent %q, want %q", model, got, want)
		}
	}
}

func TestKimiAndDeepSeekTakeUnsignedThinkingOnly(t *testing.T) {
	req := asking("kimi-k2", user("go"), said("kimi-k2", engine.Thought{Text: "signed", Signature: "s"}, engine.Thought{Text: "plain"}, redacted("x"), call("a")), result("a", "r"))
	for base, want := range map[string]string{"https://api.moonshot.ai/anthropic": "plain/", "https://api.deepseek.com/anthropic": "plain/", direct: "signed/s sealed/x"} {
		body, _ := sent(t, provider.Endpoint{BaseURL: base}, req)
		w := read(t, body)
		if got := thinkingIn(w); got != want {
			t.Errorf("%s is sent %q, want %q", base, got, want)
		}
	}
}

func TestH11IdsAreSpelledAsTheServerWantsAndStayApart(t *testing.T) {
	history := []engine.Message{user("go"),
		said("m", call("functions.ls:0"), call("functions_ls_0"), call("call|fc ü")), result("functions_ls_0", "second"), result("functions.ls:0", "first"), result("call|fc ü", "third"),
		said("m", call("functions.ls:0")), result("functions.ls:0", "fourth"), said("m", call("")), result("", "fifth")}
	w := wireOf(t, "m", history...)
	var got []string
	for _, m := range w.Messages {
		for _, c := range m.Content {
			if c.Type == "tool_result" {
				got = append(got, fmt.Sprint(c.ToolUseID, "=", c.Content))
			}
		}
	}
	if want := "functions_ls_0=first functions_ls_0_2=second call_fc__=third functions_ls_0_3=fourth tool_0=fifth"; strings.Join(got, " ") != want {
		t.Errorf("results %q, want %q", got, want)
	}
	for _, m := range w.Messages {
		for _, c := range m.Content {
			if c.Type == "tool_use" && !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(c.ID) {
				t.Errorf("id %q", c.ID)
			}
		}
	}
}

func TestANameThatNoToolCanHaveDoesNotSpoilTheHistory(t *testing.T) {
	for name, want := range map[string]string{"repo browser.open": "repo_browser_open", "": "unnamed", strings.Repeat("x", 200): strings.Repeat("x", 128), "mcp__a-b": "mcp__a-b"} {
		w := wireOf(t, "m", user("go"), said("m", engine.Call{ID: "a", Name: name, Args: "{}"}), result("a", "refused: there is no such tool"))
		if got := w.Messages[1].Content[0].Name; got != want {
			t.Errorf("%q is sent as %q", name, got)
		}
	}
}

func TestS23BrokenArgumentsAreAnEmptyObjectNeverNull(t *testing.T) {
	for args, want := range map[string]string{
		"{\"path\":\"a\",\"old\":\"x\ny\"}": `{}`, "null": `{}`, "": `{}`, "[1]": `{}`, `"x"`: `{}`, `{"a`: `{}`, "None": `{}`,
		` {"b":1, "a":12345678901234567890} `: `{"b":1,"a":12345678901234567890}`,
	} {
		w := wireOf(t, "m", user("go"), said("m", engine.Call{ID: "a", Name: "ls", Args: args}), result("a", "x"))
		if got := string(w.Messages[1].Content[0].Input); got != want {
			t.Errorf("%q is sent as %s, want %s", args, got, want)
		}
	}
}

func TestH13HalvesOfCharactersNeverReachTheServer(t *testing.T) {
	req := asking("m", user("x\xff"), said("m",
		engine.Call{ID: "a", Name: "ls", Args: `{"q":"현\ud99c 보유","ok":"\ud83d\ude00","text":"\\ud99c","bad":"` + "\xff" + `","end":"\udc00\ud800"}`},
		engine.Opaque{Mode: engine.AnthropicMessages, Kind: "server_tool_use", Data: json.RawMessage(`{"type":"server_tool_use","id":"s","name":"web_search","input":{"q":"\ud800"}}`)},
		engine.Opaque{Mode: engine.AnthropicMessages, Kind: "web_search_tool_result", Data: json.RawMessage(`{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`)}),
		result("a", "out \xff put"))
	req.System = "sys\xed\xa0\x80"
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
	if lone := regexp.MustCompile(`(?i)(^|[^\\])\\ud99c|\\udc00\\ud800|:"\\ud800"`).Find(body); lone != nil {
		t.Errorf("%q is in %s", lone, body)
	}
	for _, kept := range []string{`\ud83d\ude00`, `"text":"\\ud99c"`, `현\ufffd 보유`} {
		if !bytes.Contains(body, []byte(kept)) {
			t.Errorf("%s is not in %s", kept, body)
		}
	}
}

func TestBlocksOfTheServersOwnToolsGoBackToTheModelThatUsedThem(t *testing.T) {
	use := engine.Opaque{Mode: engine.AnthropicMessages, Kind: "server_tool_use", Data: json.RawMessage(`{"id":"s1","input":{"query":"x"},"name":"web_search","type":"server_tool_use"}`)}
	found := engine.Opaque{Mode: engine.AnthropicMessages, Kind: "web_search_tool_result", Data: json.RawMessage(`{"content":[],"tool_use_id":"s1","type":"web_search_tool_result"}`)}
	foreign := engine.Opaque{Mode: engine.ChatCompletions, Kind: "reasoning_details", Data: json.RawMessage(`[]`)}
	shaped(t, wireOf(t, "m", user("a"), said("m", use, found, foreign, engine.Text{Text: "b"}), user("c")), "u:text a:server_tool_use+web_search_tool_result+text u:text")
	shaped(t, wireOf(t, "other", user("a"), said("m", use, found, engine.Text{Text: "b"}), user("c")), "u:text a:text u:text")
	shaped(t, wireOf(t, "m", user("a"), said("m", engine.Text{Text: "b"}, use)), "u:text a:text+server_tool_use") // paused: the server goes on
	shaped(t, wireOf(t, "m", user("a"), said("m", engine.Text{Text: "b"}, use), user("c")), "u:text a:text u:text")
}

func TestAPausedReplyAndWhatFollowsAreOneMessage(t *testing.T) {
	use := engine.Opaque{Mode: engine.AnthropicMessages, Kind: "server_tool_use", Data: json.RawMessage(`{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`)}
	found := engine.Opaque{Mode: engine.AnthropicMessages, Kind: "web_search_tool_result", Data: json.RawMessage(`{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}`)}
	history := []engine.Message{user("a"), said("m", engine.Text{Text: "looking"}, use), said("m", found, engine.Text{Text: "found"}, call("c")), result("c", "x"), user("b")}
	shaped(t, wireOf(t, "m", agent.Repair(history)...), "u:text a:text+server_tool_use+web_search_tool_result+text+tool_use u:tool_result+text")
	shaped(t, wireOf(t, "m", agent.Repair(history[:2])...), "u:text a:text+server_tool_use")
	shaped(t, wireOf(t, "m", history[:3]...), "u:text a:text+server_tool_use+web_search_tool_result+text+tool_use u:tool_result")
}

func TestTheCacheIsMarkedAtTheSystemPromptAndTheLastThreeMessages(t *testing.T) {
	marks := func(w wire) (at []string) {
		for _, b := range w.System {
			if b.Cache != nil {
				at = append(at, "system")
			}
		}
		for _, tool := range w.Tools {
			if tool.Cache != nil {
				at = append(at, tool.Name)
			}
		}
		for i, m := range w.Messages {
			for j, c := range m.Content {
				if c.Cache != nil {
					at = append(at, fmt.Sprintf("%d.%d", i, j))
				}
			}
		}
		return at
	}
	msgs := []engine.Message{user("1"), said(opus, engine.Text{Text: "2"}), user("3"), said(opus, call("x"), engine.Thought{Text: "t", Signature: "s"}), result("x", "r")}
	req := asking(opus, msgs...)
	req.Tools = []engine.Spec{{Name: "ls"}, {Name: "now"}}
	body, _ := sent(t, provider.Endpoint{BaseURL: direct}, req)
	if got := strings.Join(marks(read(t, body)), " "); got != "system 2.0 3.0 4.0" {
		t.Errorf("marks at %s", got)
	}
	req.System = ""
	body, _ = sent(t, provider.Endpoint{BaseURL: direct}, req)
	if got := strings.Join(marks(read(t, body)), " "); got != "now 2.0 3.0 4.0" {
		t.Errorf("without a system prompt: marks at %s", got)
	}
	req.Cache = engine.CacheHour
	if body, _ = sent(t, provider.Endpoint{BaseURL: direct}, req); bytes.Count(body, []byte(`"cache_control":{"type":"ephemeral","ttl":"1h"}`)) != 4 {
		t.Errorf("kept for an hour: %s", body)
	}
	req.Cache = engine.CacheOff
	if body, _ = sent(t, provider.Endpoint{BaseURL: direct}, req); bytes.Contains(body, []byte("cache_control")) {
		t.Errorf("not kept: %s", body)
	}
}

var marker = []byte(`,"cache_control":{"type":"ephemeral"}`)

// Thirty turns with tools, thinking, steers, a stop and odd ids: without the markers, each request begins with all of
// the one before it, but for the closing brackets. An older model forgets the thinking of a turn that is over.
func TestThirtyTurnsKeepTheirPrefixByteForByte(t *testing.T) {
	t.Run("a model that keeps its thinking", func(t *testing.T) { thirtyTurns(t, opus, nil) })
	t.Run("an older one, thinking apart", func(t *testing.T) {
		thirtyTurns(t, "claude-sonnet-4-5", regexp.MustCompile(`\{"type":"thinking","thinking":"[^"]*","signature":"[^"]*"\},`))
	})
}

func thirtyTurns(t *testing.T, model string, apart *regexp.Regexp) {
	req := asking(model)
	req.Route.Effort = "high"
	req.Tools = []engine.Spec{{Name: "ls", Doc: "List."}, {Name: "edit", Schema: json.RawMessage(`{"properties":{"b":{},"a":{}}}`)}}
	var before []byte
	inTurn := true // nothing is forgotten before the next user message
	step := func(msgs ...engine.Message) {
		t.Helper()
		req.Messages = append(req.Messages, msgs...)
		body, _ := posted(t, provider.Endpoint{BaseURL: direct}, req)
		body = bytes.ReplaceAll(body, marker, nil)
		if apart != nil && !inTurn {
			body, before = apart.ReplaceAll(body, nil), apart.ReplaceAll(before, nil)
		}
		if !bytes.HasPrefix(body, before) {
			t.Fatalf("message %d changed the prefix:\n%s\n%s", len(req.Messages), before, body)
		}
		before = bytes.TrimSuffix(body, []byte("]}"))
	}
	for turn := range 30 {
		inTurn = turn == 0
		step(user(fmt.Sprintf("turn %d", turn)))
		inTurn = true
		for round := range 1 + turn%3 {
			id := fmt.Sprintf("functions.ls:%d", round)
			res := say(engine.RoleTool, engine.Result{CallID: id, Text: "out", Status: engine.StatusDone})
			if turn%5 == 0 {
				res.Parts = append(res.Parts, engine.Text{Text: "hurry"})
			}
			step(said(model+"-20260205", engine.Thought{Text: fmt.Sprint("hm ", turn, round), Signature: "c2ln"}, engine.Call{ID: id, Name: "ls", Args: `{"z":1,"a":[1.50]}`}), res)
		}
		if turn%7 == 0 {
			step(said(model, engine.Thought{Text: "stop", Signature: "c2ln"}, call("stopped")), result("stopped", "stopped by the user"))
		}
		// the reply comes with the next request
		req.Messages = append(req.Messages, said(model, engine.Thought{Text: "so", Signature: "c2ln"}, engine.Text{Text: "done"}))
	}
	sent(t, provider.Endpoint{BaseURL: direct}, asking(model, append(req.Messages, user("end"))...))
}

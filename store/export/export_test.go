package export

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"talaria/engine"
)

// shelf is a library that only reads.
type shelf struct {
	engine.Library
	rows map[string]engine.Session
	recs map[string][]engine.Record
}

func (s shelf) Find(_ context.Context, ref, _ string) (engine.Session, error) {
	row, ok := s.rows[ref]
	if !ok {
		return row, engine.ErrNotFound
	}
	return row, nil
}

func (s shelf) Before(ctx context.Context, id string, _ uint64, n int) ([]engine.Record, error) {
	return s.Tail(ctx, id, n)
}

func (s shelf) Tail(_ context.Context, id string, _ int) ([]engine.Record, error) {
	recs, ok := s.recs[id]
	if !ok {
		return nil, engine.ErrNotFound
	}
	return recs, nil
}

var at = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func appended(m engine.Message) engine.Record {
	m.At = at
	return engine.Record{At: at, Event: engine.Appended{Message: m}}
}

func says(role engine.Role, id string, parts ...engine.Part) engine.Record {
	return appended(engine.Message{ID: id, Role: role, Parts: parts, Model: map[bool]string{true: "sonnet"}[role == engine.RoleAssistant]})
}

// nasty is a session in which everything tries to be more than text.
func nasty() (shelf, string) {
	const id = "20261130_120000_aaaaaa"
	return shelf{rows: map[string]engine.Session{id: {ID: id, Title: "<script>alert(1)</script>", Dir: "/p/<b>", Created: at, Turns: 1}},
		recs: map[string][]engine.Record{id: {
			says(engine.RoleUser, "m1", engine.Text{Text: "hello <img src=x onerror=alert(1)>\n\n<div onclick=x>\nblock\n</div>\n\n[a](javascript:alert(1)) ![p](https://evil.example/p.png)"}),
			says(engine.RoleAssistant, "m2", engine.Thought{Text: "I think </details><script>x</script>", Signature: "sealed"},
				engine.Opaque{Kind: "reasoning", Data: json.RawMessage(`"opaque"`)}, engine.Text{Text: "Look:\n\n```go\nif a < b {}\n```\n"},
				engine.Call{ID: "c1", Name: "terminal", Args: `{"command":"echo '</pre><script>'"}`}),
			says(engine.RoleTool, "m3", engine.Result{CallID: "c1", Name: "terminal", Text: "</pre><script>boom</script>\n```\nTOPSECRET", Status: engine.StatusFailed}),
			says(engine.RoleAssistant, "m4", engine.Text{Text: "Done 完了."}),
		}}}, id
}

func write(t *testing.T, s shelf, id, format string) string {
	t.Helper()
	chat, err := Read(t.Context(), s, id)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err = Write(&b, chat, Options{Format: format, Mask: func(s string) string { return strings.ReplaceAll(s, "TOPSECRET", "***") }})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "TOPSECRET") || strings.Contains(b.String(), "opaque") || strings.Contains(b.String(), "sealed") {
		t.Errorf("%s: what must stay out is in it:\n%s", format, b.String())
	}
	return b.String()
}

// A page that is passed on runs nothing, loads nothing and shows tags as text.
func TestThePageHoldsEveryWordAndNothingThatRuns(t *testing.T) {
	s, id := nasty()
	text := write(t, s, id, "html")
	tree, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	folded := map[string]int{}
	for n := range tree.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "style" {
			words.WriteString(n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "img", "link", "iframe", "object", "div", "b":
			if n.Data != "b" || n.Parent.Data != "article" {
				t.Errorf("the page has a <%s>", n.Data)
			}
		case "details":
			folded[n.Attr[0].Val]++
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" && strings.Contains(a.Val, "script") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	for _, want := range []string{"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<div onclick=x>", "</div>", "if a < b {}", "Done 完了.",
		"I think </details><script>x</script>", "</pre><script>boom</script>", "echo '</pre><script>'", "terminal (failed)", "https://evil.example/p.png"} {
		if !strings.Contains(words.String(), want) {
			t.Errorf("the page does not show %q:\n%s", want, words.String())
		}
	}
	if folded["tool failed"] != 1 || folded["thought"] != 1 {
		t.Errorf("tools and thoughts are folded: %v", folded)
	}
	if !strings.Contains(text, "color-scheme: light dark") || !strings.Contains(text, "default-src 'none'") {
		t.Error("the page follows light and dark and forbids everything else")
	}
}

// A fence in a tool's output does not end the block it stands in.
func TestMarkdownKeepsOutputInItsFence(t *testing.T) {
	s, id := nasty()
	text := write(t, s, id, "md")
	for _, want := range []string{"## You\n", "## sonnet\n", "> I think", "### terminal (failed)\n", "````\n</pre><script>boom</script>\n```\n***\n````\n", "Done 完了."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.HasPrefix(text, "# <script>") {
		t.Error("the title is not text")
	}
}

func TestJSONHasTheMessagesOfTheContract(t *testing.T) {
	s, id := nasty()
	var o struct {
		Session  engine.Session
		Messages []engine.ChatMessage
	}
	if err := json.Unmarshal([]byte(write(t, s, id, "json")), &o); err != nil {
		t.Fatal(err)
	}
	if o.Session.ID != id || len(o.Messages) != 4 || o.Messages[1].ToolCalls[0].ID != o.Messages[2].ToolCallID || !strings.Contains(o.Messages[2].Content, "***") {
		t.Errorf("%+v", o)
	}
}

// A compressed conversation is exported whole: what the child carried over stands once.
func TestAConversationOfSeveralSessionsIsOne(t *testing.T) {
	parent := engine.Session{ID: "p"}
	child := engine.Session{ID: "c", ParentID: "p", ParentWhy: engine.WhyCompression}
	user, agent := engine.RoleUser, engine.RoleAssistant
	s := shelf{rows: map[string]engine.Session{"c": child, "p": child}, recs: map[string][]engine.Record{
		"p": {{Event: engine.Opened{Session: parent}}, says(user, "1", engine.Text{Text: "one"}), says(agent, "2", engine.Text{Text: "two"}), says(user, "3", engine.Text{Text: "three"})},
		"c": {{Event: engine.Opened{Session: child}}, appended(engine.Message{ID: "s", Role: agent, Summary: true, Parts: engine.Parts{engine.Text{Text: "the sum"}}}),
			says(user, "3", engine.Text{Text: "three"}), says(agent, "4", engine.Text{Text: "four"})},
	}}
	chat, err := Read(t.Context(), s, "c")
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, m := range chat.Messages {
		order = append(order, m.Text())
	}
	if got := strings.Join(order, ","); got != "one,two,three,the sum,four" {
		t.Errorf("%s", got)
	}
	delete(s.recs, "p")
	if chat, err = Read(t.Context(), s, "c"); err != nil || len(chat.Messages) != 3 {
		t.Errorf("without the parent: %d, %v", len(chat.Messages), err)
	}
	if _, err := Read(t.Context(), s, "nobody"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if err := Write(&strings.Builder{}, chat, Options{Format: "pdf"}); err == nil {
		t.Error("pdf was written")
	}
}

// A reader sees what each call did, and what changed in an answer.
func TestCallsAreNamedByWhatTheyDid(t *testing.T) {
	s := shelf{rows: map[string]engine.Session{"one": {ID: "one", Title: "T"}}, recs: map[string][]engine.Record{"one": {
		says(engine.RoleAssistant, "m1", engine.Text{Text: "So:\n\n```diff\n-old <b>\n+new &\n same\n```\n"}, engine.Call{ID: "c1", Name: "terminal", Args: `{"command":"echo \"a\"\nls"}`},
			engine.Call{ID: "c2", Name: "todo", Args: `{"todos":[]}`}),
		{At: at, Event: engine.CallBegan{Call: engine.Call{ID: "c1"}, Line: "$ echo <i> TOPSECRET"}},
		{At: at, Event: engine.CallEnded{Result: engine.Result{CallID: "c2", Note: "0/5"}, Line: "Todo 0/5"}},
		says(engine.RoleTool, "m2", engine.Result{CallID: "c1", Name: "terminal", Text: "a"}), says(engine.RoleTool, "m3", engine.Result{CallID: "c2", Name: "todo", Text: "{}", Note: "0/5"}),
	}}}
	text := write(t, s, "one", "html")
	for _, want := range []string{"<summary>$ echo &lt;i&gt; ***</summary>", "<summary>Todo 0/5</summary>", `<span class="del">-old &lt;b&gt;</span>`, `<span class="add">+new &amp;</span>`,
		"\n same\n</code>", "<pre>echo &#34;a&#34;\nls</pre>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if md := write(t, s, "one", "md"); !strings.Contains(md, "### $ echo &lt;i> \\*\\*\\*\n\n```\necho \"a\"\nls\n```") {
		t.Errorf("markdown:\n%s", md)
	}
}

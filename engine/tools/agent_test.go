package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"talaria/engine"
)

type todoAnswer struct {
	Todos  []engine.Task
	Counts map[string]int
	Note   string
}

func runTodo(t *testing.T, tool *Todo, args string) (todoAnswer, engine.Result) {
	t.Helper()
	_, c, refused := NewRegistry(tool).Resolve(engine.Call{ID: "1", Name: "todo", Args: args})
	if refused != nil {
		t.Fatal(refused.Text)
	}
	r, err := tool.Run(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	var a todoAnswer
	if err := json.Unmarshal([]byte(r.Text), &a); err != nil {
		t.Fatalf("%v in %s", err, r.Text)
	}
	return a, r
}

func TestTheTaskListIsReplacedMergedAndRead(t *testing.T) {
	var told [][]engine.Task
	tool := TodoTool(func(tasks []engine.Task) { told = append(told, tasks) })
	a, r := runTodo(t, tool, `{"todos":[{"id":"1","content":" read ","status":"completed"},{"id":"2","content":"fix","status":"in_progress"},{"id":"3","content":"drop","status":"canceled"}]}`)
	if len(a.Todos) != 3 || a.Todos[0].Content != "read" || a.Counts["completed"] != 1 || a.Counts["cancelled"] != 1 || a.Counts["total"] != 3 || r.Note != "1/2" {
		t.Fatalf("%+v %q", a, r.Note)
	}
	a, r = runTodo(t, tool, `{"merge":"true","todos":[{"id":"2","status":"Completed"},{"id":"4","content":"test","status":"some day"}]}`)
	if len(a.Todos) != 4 || a.Todos[1] != (engine.Task{ID: "2", Content: "fix", Status: "completed"}) || a.Todos[3].Status != "pending" || r.Note != "2/3" {
		t.Fatalf("%+v %q", a, r.Note)
	}
	if a, _ = runTodo(t, tool, ``); len(a.Todos) != 4 || len(told) != 2 || len(told[1]) != 4 {
		t.Fatalf("reading it: %+v, told %d times", a, len(told))
	}
	if a, r = runTodo(t, tool, `{"todos":[]}`); len(a.Todos) != 0 || !strings.Contains(r.Text, `"todos":[]`) || len(told) != 3 {
		t.Fatalf("clearing it: %s", r.Text)
	}
}

func TestTheTaskListTakesWhatModelsSend(t *testing.T) {
	tool := TodoTool(nil)
	tool.Load([]engine.Task{{ID: "old", Content: "from the last session", Status: "pending"}})
	if a, _ := runTodo(t, tool, "{}"); len(a.Todos) != 1 {
		t.Fatalf("%+v", a)
	}
	a, _ := runTodo(t, tool, `{"todos":"[{\"id\":1,\"content\":\"a\",\"status\":\"done\"},{\"id\":1,\"content\":\"b\"},{\"content\":\"c\"}]"}`)
	if len(a.Todos) != 2 || a.Todos[0] != (engine.Task{ID: "1", Content: "b", Status: "completed"}) || a.Todos[1] != (engine.Task{ID: "?", Content: "c", Status: "pending"}) {
		t.Fatalf("%+v", a)
	}
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf(`{"id":"%d","content":"%s","status":"pending"}`, i, strings.Repeat("é", 4100)))
	}
	a, _ = runTodo(t, tool, `{"todos":[`+strings.Join(many, ",")+`]}`)
	if len(a.Todos) != 256 || !strings.Contains(a.Note, "44 items") || a.Todos[0].Content != strings.Repeat("é", 4000) {
		t.Fatalf("%d items, %q", len(a.Todos), a.Note)
	}
}

func ask(t *testing.T, answer engine.Answer, err error, args string) (engine.Question, engine.Result) {
	t.Helper()
	var asked engine.Question
	tool := ClarifyTool(func(_ context.Context, q engine.Question) (engine.Answer, error) {
		asked = q
		return answer, err
	})
	_, c, refused := NewRegistry(tool).Resolve(engine.Call{ID: "call_7", Name: "clarify", Args: args})
	if refused != nil {
		return asked, *refused
	}
	r, rerr := tool.Run(context.Background(), c, nil)
	if rerr != nil {
		t.Fatal(rerr)
	}
	return asked, r
}

func TestAQuestionReachesTheUserAndTheAnswerTheModel(t *testing.T) {
	q, r := ask(t, engine.Answer{Choice: "2"}, nil, `{"question":" Which one? ","choices":[{"label":"a"},{"label":" "},{"label":"b, c","description":"both","recommended":true},"d",{"label":"e","recommended":true},{"label":"f"}]}`)
	if q.Kind != engine.Clarify || q.Title != "Which one?" || q.CallID != "call_7" || q.ID == "" || len(q.Choices) != 4 {
		t.Fatalf("%+v", q)
	}
	if c := q.Choices[1]; c.Label != "b, c" || !c.Recommended || q.Choices[3].Recommended || q.Choices[2].Label != "d" {
		t.Fatalf("%+v", q.Choices)
	}
	if expect(t, r, engine.StatusDone, "The user answered: b, c"); r.Note != "b, c" {
		t.Fatalf("%q", r.Note)
	}
	_, r = ask(t, engine.Answer{Choice: "1,3", Text: "and quickly"}, nil, `{"question":"Which?","choices":["a","b","c"],"multi":true}`)
	expect(t, r, engine.StatusDone, "a; c", "The user adds: and quickly")
	_, r = ask(t, engine.Answer{Text: "neither"}, nil, `{"question":"Which?","choices":"[\"a\",\"b\"]"}`)
	expect(t, r, engine.StatusDone, "The user answered: neither")
}

func TestAQuestionWithoutAnAnswerDoesNotStopTheWork(t *testing.T) {
	_, r := ask(t, engine.Answer{Choice: engine.ChoiceSkip}, nil, `{"question":"Which?"}`)
	expect(t, r, engine.StatusDone, "no answer", "best judgement")
	_, r = ask(t, engine.Answer{}, errors.New("the screen is gone"), `{"question":"Which?"}`)
	expect(t, r, engine.StatusFailed, "the screen is gone", "best judgement")
	_, r = ask(t, engine.Answer{}, nil, `{"question":" "}`)
	expect(t, r, engine.StatusRefused, "question is empty")
	_, r = ask(t, engine.Answer{}, nil, `{"choices":["a"]}`)
	expect(t, r, engine.StatusRefused, `needs "question"`)
	nobody, _ := ClarifyTool(nil).Run(context.Background(), engine.Call{Name: "clarify", Args: `{"question":"Which?"}`}, nil)
	expect(t, nobody, engine.StatusFailed, "nobody to ask", "best judgement")

	ctx, cancel := context.WithCancel(context.Background())
	tool := ClarifyTool(func(ctx context.Context, _ engine.Question) (engine.Answer, error) {
		cancel()
		<-ctx.Done()
		return engine.Answer{}, ctx.Err()
	})
	if _, err := tool.Run(ctx, engine.Call{Name: "clarify", Args: `{"question":"Which?"}`}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stop while asking gave %v", err)
	}
}

func TestEveryActionHasALineThatSaysWhatItIs(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"read_file", `{"path":"src/a.ts"}`, "Read src/a.ts"},
		{"write_file", `{"path":"x","content":"y"}`, "Write x"},
		{"patch", `{"path":"src/a.go"}`, "Edit src/a.go"},
		{"search_files", `{"pattern":"foo"}`, `Search "foo"`},
		{"search_files", `{"pattern":"foo","path":"src"}`, `Search "foo" in src`},
		{"search_files", `{"pattern":"*.go","target":"files","path":"."}`, `Find "*.go"`},
		{"terminal", `{"command":"npm test"}`, "$ npm test"},
		{"terminal", `{"command":"a\nb","background":true}`, "$ a ⏎ b &"},
		{"terminal", `{"command":"echo \u001b[2J\u202ex\rrm"}`, `$ echo \u001b[2J\u202exrm`},
		{"todo", `{"todos":[{"id":"1","status":"completed"},{"id":"2","status":"pending"},{"id":"3","status":"cancelled"}]}`, "Todo 1/2"},
		{"todo", `{"todos":[{"id":"1","status":"completed"}],"merge":true}`, "Todo"},
		{"todo", `{}`, "Todo"},
		{"clarify", `{"question":"Which one?"}`, "Ask Which one?"},
		{"web_search", `{"query":"go generics","limit":3}`, `Search the web for "go generics"`},
		{"mcp_x_y", `{"n":[1,{"a":2}]}`, `mcp_x_y [1,{"a":2}]`},
		{"mcp_x_y", ``, "mcp_x_y"},
		{"mcp_x_y", `{"a`, "mcp_x_y"},
		{"read_file", `{"path":7,"offset":"x"}`, "Read"},
		{"read_file", `not JSON`, "Read"},
	} {
		if got := Line(engine.Call{Name: c.name, Args: c.args}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.name, c.args, got, c.want)
		}
	}
	if got := Line(engine.Call{Name: "terminal", Args: `{"command":"` + strings.Repeat("é", 500) + `"}`}); len([]rune(got)) != 202 {
		t.Errorf("%d characters", len([]rune(got)))
	}
}

func TestAGuessBetweenTwoToolsIsNoGuess(t *testing.T) {
	if got := repairName("tool_c", []string{"tool_a", "tool_b"}); got != "" {
		t.Fatalf("%q", got)
	}
}

func expect(t *testing.T, r engine.Result, status engine.Status, parts ...string) {
	t.Helper()
	if r.Status != status {
		t.Fatalf("status %s, want %s: %s", r.Status, status, r.Text)
	}
	for _, p := range parts {
		if !strings.Contains(r.Text, p) {
			t.Fatalf("no %q in: %s", p, r.Text)
		}
	}
}

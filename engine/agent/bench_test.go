package agent_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/tools"
	"talaria/engine/tools/file"
)

// rounds is a model that costs nothing: it calls a tool in each of n rounds, then answers.
type rounds struct {
	n     int
	calls func(round int) []engine.Call
	at    int
}

func (r *rounds) Stream(context.Context, engine.Request) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		if r.at >= r.n {
			_ = yield(engine.TextDelta{Text: "done"}, nil) && yield(engine.Done{Stop: engine.StopEnd}, nil)
			return
		}
		for i, c := range r.calls(r.at) {
			if !yield(engine.CallDelta{Index: i, ID: c.ID, Name: c.Name, Args: c.Args}, nil) {
				return
			}
		}
		r.at++
		yield(engine.Done{Stop: engine.StopCalls}, nil)
	}
}

// BenchmarkIteration is the loop without the tool and the server: one iteration of a turn of 50, history and all.
func BenchmarkIteration(b *testing.B) {
	box := toolbox{"echo": tool{engine.Spec{Name: "echo", Effect: engine.Reads}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		return engine.Succeeded(c, strings.Repeat("a line of what a tool says\n", 40)+c.Args), nil
	}}}
	const n = 50
	for b.Loop() {
		model := &rounds{n: n, calls: func(i int) []engine.Call {
			return []engine.Call{call(fmt.Sprint("c", i), "echo", fmt.Sprintf(`{"n":%d}`, i))}
		}}
		r, err := agent.New(agent.Deps{Provider: model, Tools: box, Emit: func(context.Context, engine.Event) {}, Route: engine.Route{Model: "m"}}).
			RunConversation(context.Background(), agent.Input{Text: "go"})
		if err != nil || r.Iterations != n+1 {
			b.Fatal(r.Iterations, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*(n+1)), "µs/iteration")
}

// BenchmarkReads is a round of one, and of eight, calls of read_file on files of 1 MB.
func BenchmarkReads(b *testing.B) {
	dir := b.TempDir()
	for i := range 8 {
		text := strings.Repeat(fmt.Sprintf("%d: a line of a large file, as long as lines are\n", i), 1<<20/48)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("f", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				box := tools.NewRegistry(file.Tools(tools.NewWorkspace(dir, ""))...)
				model := &rounds{n: 1, calls: func(int) []engine.Call {
					var calls []engine.Call
					for i := range n {
						calls = append(calls, call(fmt.Sprint("c", i), "read_file", fmt.Sprintf(`{"path":"f%d"}`, i)))
					}
					return calls
				}}
				if _, err := agent.New(agent.Deps{Provider: model, Tools: box, Emit: func(context.Context, engine.Event) {}, Route: engine.Route{Model: "m"}}).
					RunConversation(context.Background(), agent.Input{Text: "go"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

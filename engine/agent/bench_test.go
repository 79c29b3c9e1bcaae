package agent_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/engine"
	"talaria/engine/agent"
	"talaria/engine/guard/redact"
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

// BenchmarkIteration is the loop without the tool and the server: one iteration of a turn of 50, and of one of 500 whose
// history grows to half a megabyte.
func BenchmarkIteration(b *testing.B) {
	box := toolbox{"echo": tool{engine.Spec{Name: "echo", Effect: engine.Reads}, func(_ context.Context, c engine.Call, _ engine.Output) (engine.Result, error) {
		return engine.Succeeded(c, strings.Repeat("a line of what a tool says\n", 40)+c.Args), nil
	}}}
	for _, n := range []int{50, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			used := processor()
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
			b.ReportMetric(float64((processor()-used).Microseconds())/float64(b.N*(n+1)), "cpu-µs/iteration")
		})
	}
}

// BenchmarkEightReads is a round of eight calls of read_file on files of 1 MB beside a round of one, taken in turn so that
// both meet the same machine: what is read is masked as in the program. The ratio of their times has the number of cores
// as its limit, since a file that is in memory is read by the processor; that of one round is told without the loop's own.
func BenchmarkEightReads(b *testing.B) {
	dir := b.TempDir()
	for i := range 8 {
		text := strings.Repeat(fmt.Sprintf("%d: a line of a large file, as long as lines are\n", i), 1<<20/48)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("f", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	redacted := func(_ engine.Call, r engine.Result) engine.Result { r.Text = redact.Text(r.Text); return r }
	round := func(n int) (wall, cpu time.Duration) {
		box := tools.NewRegistry(file.Tools(tools.NewWorkspace(dir, ""))...)
		model := &rounds{n: 1, calls: func(int) (calls []engine.Call) {
			for i := range n {
				calls = append(calls, call(fmt.Sprint("c", i), "read_file", fmt.Sprintf(`{"path":"f%d"}`, i)))
			}
			return calls
		}}
		a := agent.New(agent.Deps{Provider: model, Tools: box, Emit: func(context.Context, engine.Event) {}, Redact: redacted, Route: engine.Route{Model: "m"}})
		began, used := time.Now(), processor()
		if _, err := a.RunConversation(context.Background(), agent.Input{Text: "go"}); err != nil {
			b.Fatal(err)
		}
		return time.Since(began), processor() - used
	}
	round(8) // the files are in memory, the patterns made
	var wall, cpu [2]time.Duration
	for b.Loop() {
		for i, n := range []int{1, 8} {
			w, c := round(n)
			wall[i], cpu[i] = wall[i]+w, cpu[i]+c
		}
	}
	per := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(b.N) }
	b.ReportMetric(per(wall[0]), "µs/one")
	b.ReportMetric(per(wall[1]), "µs/eight")
	b.ReportMetric(float64(wall[1])/float64(wall[0]), "eight/one")
	b.ReportMetric(per(cpu[1]-cpu[0])/7, "cpu-µs/read")
}

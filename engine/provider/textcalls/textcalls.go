// Package textcalls finds the tool calls that a local model printed as text, because its server did not recognise them,
// and turns them into call deltas, as a decorator of a stream. What it knows: the <tool_call> block with JSON (Hermes,
// Qwen), with <function=..> (Qwen3-Coder) and with <arg_key> (GLM), [TOOL_CALLS] (Mistral), <|python_tag|> (Llama),
// DeepSeek's <｜tool▁calls▁begin｜>, a reply that is nothing but calls in JSON, and a fenced block that is one call and
// ends the reply.
//
// What is a call depends on the text alone and never on how it was cut. Each name must be that of an offered tool, and
// the markup must be complete; else the block is text, all of it. Code is text: inside backticks, a fence or a Markdown
// quotation nothing is looked for. In the middle of a line a block counts only if nothing but blocks follow on that
// line: a sentence about the markup has words after it. Arguments that are no JSON are handed on as they are, for the
// tool layer to mend or refuse.
//
// Calls are told when the reply is over, since a native call anywhere in it makes all markup text again; from the first
// block on, text waits too. It refuses to complete what a model left open, to correct names, and to read thoughts.
package textcalls

import (
	"context"
	"iter"

	"talaria/engine"
)

// Wrap returns p with the calls in its text told as CallDeltas, in slots 0, 1, ..., without ids, and Done.Stop as
// tool_calls when there were any. A reply that was cut by its length inside another block keeps its Stop; one that was
// filtered, refused, broken off or holds a native call stays text. While text waits, an empty ThoughtDelta says that the
// model is at work. Thoughts keep their place in the text. A request without tools passes through. Put it around
// think.Wrap, so that what is in a reasoning block is out of reach.
func Wrap(p engine.Provider) engine.Provider { return wrapped{p} }

type wrapped struct{ engine.Provider }

// Stream yields the deltas of the wrapped provider, with the calls in its text.
func (w wrapped) Stream(ctx context.Context, req engine.Request) iter.Seq2[engine.Delta, error] {
	if len(req.Tools) == 0 {
		return w.Provider.Stream(ctx, req)
	}
	return func(yield func(engine.Delta, error) bool) {
		c := newChannel(offer(req.Tools))
		send := func(ds []engine.Delta) bool {
			for _, d := range ds {
				if !yield(d, nil) {
					return false
				}
			}
			return true
		}
		for d, err := range w.Provider.Stream(ctx, req) {
			if err != nil {
				if send(c.abandon()) {
					yield(nil, err)
				}
				return
			}
			if !send(c.add(d)) {
				return
			}
		}
		send(c.abandon())
	}
}

package providertest

import (
	"fmt"
	"strings"

	"talaria/engine"
)

// These write the shorthand of CASES.md: the bytes of a chat-completions stream.

// TXT is a chunk of visible text.
func TXT(s string) string { return chunkOf(fmt.Sprintf(`{"content":%s}`, quote(s)), "null") }

// TC is a chunk of tool calls; list is the JSON of the list.
func TC(list string) string { return chunkOf(`{"tool_calls":`+list+`}`, "null") }

// RSN is a chunk of reasoning_content.
func RSN(s string) string {
	return chunkOf(fmt.Sprintf(`{"reasoning_content":%s}`, quote(s)), "null")
}

// FIN is a chunk with this finish_reason.
func FIN(reason string) string { return chunkOf("{}", quote(reason)) }

// USE is a chunk with usage and no choices.
func USE(input, output int) string {
	return DATA(fmt.Sprintf(`{"id":"c1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}`, input, output, input+output))
}

// DONE ends a stream.
const DONE = "data: [DONE]\n\n"

// DATA is a data line of this text, with its blank line.
func DATA(s string) string { return "data: " + s + "\n\n" }

// Bytes joins pieces of a stream.
func Bytes(pieces ...string) []byte { return []byte(strings.Join(pieces, "")) }

// SSE answers with these pieces as an event stream.
func SSE(pieces ...string) Answer { return Answer{Type: "text/event-stream", Body: Bytes(pieces...)} }

// JSON answers with a status and a JSON body.
func JSON(status int, body string) Answer {
	return Answer{Status: status, Type: "application/json", Body: []byte(body)}
}

func chunkOf(delta, finish string) string {
	return DATA(`{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`)
}

func quote(s string) string {
	b, err := engine.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(b)
}

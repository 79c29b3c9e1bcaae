// Package completions speaks the chat-completions protocol (POST {base}/chat/completions, server-sent events), which
// most servers offer in a dialect of their own. encode.go makes the request, decode.go reads the reply; what differs
// by server is rows in quirks_table.go.
//
// It takes every dialect it knows, and refuses to guess: a reply without an end is a *provider.Failure, and a tool call
// whose arguments were cut off never ends in anything but StopLength or a Failure.
package completions

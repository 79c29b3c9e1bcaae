package route

import (
	_ "embed"
	"slices"
	"strings"

	"talaria/engine"
)

//go:embed dropped.md
var droppedNotice string

//go:embed limited.md
var limitedNotice string

// cause is why a reply has to be gone on with.
type cause int

const (
	dropped cause = iota // the connection broke off, or its server failed
	limited              // the output limit was reached
)

func (c cause) notice() string {
	if c == limited {
		return strings.TrimSpace(limitedNotice)
	}
	return strings.TrimSpace(droppedNotice)
}

// request is what is asked next: the loop's own request, with the text so far and the word to go on at its end. All
// that came is one message, however many pieces it came in. Reasoning does not go along: its seal may be missing.
func (x *exchange) request() engine.Request {
	next := x.req
	next.MaxTokens = x.cap.tokens()
	if x.kept == "" {
		return next
	}
	part := engine.Text{Text: x.kept}
	next.Messages = slices.Clone(x.req.Messages)
	if n := len(next.Messages); n > 0 && next.Messages[n-1].Role == engine.RoleAssistant { // a reply that paused
		m := next.Messages[n-1]
		m.Parts = append(slices.Clone(m.Parts), part)
		next.Messages[n-1] = m
	} else {
		next.Messages = append(next.Messages, engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{part}})
	}
	next.Messages = append(next.Messages, engine.Message{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: x.why.notice()}}})
	const bytesPerToken = 4
	next.Estimate += len(x.kept) / bytesPerToken
	return next
}

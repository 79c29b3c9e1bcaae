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

// request is what is asked next: the loop's own request, made for the station that is asked, with the text so far and the
// word to go on at its end. All that came is one message, however many pieces it came in. Reasoning does not go along:
// its seal may be missing.
func (x *exchange) request() engine.Request {
	next := x.fitted()
	if x.kept == "" {
		return x.mended(next)
	}
	next.MayBeEmpty = true // for whoever stands below: there may be nothing left to say
	part := engine.Text{Text: x.kept}
	msgs := slices.Clone(next.Messages)
	if n := len(msgs); n > 0 && msgs[n-1].Role == engine.RoleAssistant { // a reply that paused
		m := msgs[n-1]
		m.Parts = append(slices.Clone(m.Parts), part)
		msgs[n-1] = m
	} else {
		msgs = append(msgs, engine.Message{Role: engine.RoleAssistant, Parts: engine.Parts{part}})
	}
	next.Messages = append(msgs, engine.Message{Role: engine.RoleUser, Parts: engine.Parts{engine.Text{Text: x.why.notice()}}})
	const bytesPerToken = 4
	next.Estimate += len(x.kept) / bytesPerToken
	return x.mended(next)
}

// fitted is the loop's request for the station that is asked: its model, the user's cap for that, and no reasoning or
// state of another model's.
func (x *exchange) fitted() engine.Request {
	next, s := x.req, x.v.s
	next.MaxTokens = x.cap.tokens()
	if s.MaxTokens > 0 && (next.MaxTokens == 0 || s.MaxTokens < next.MaxTokens) {
		next.MaxTokens = s.MaxTokens
	}
	if s.Route == (engine.Route{}) {
		return next
	}
	next.Route = s.Route
	if s.Window > 0 && s.Route.Maker() != x.req.Route.Maker() {
		next.Window = s.Window
	}
	if x.req.Route.Effort != "" {
		next.Route.Effort = x.req.Route.Effort
	}
	next.Messages = engine.Native(next.Messages, next.Route.Maker())
	return next
}

// mended is req with what this server was found to need.
func (x *exchange) mended(req engine.Request) engine.Request {
	for _, f := range append(x.v.s.needs(), x.v.fixed...) {
		req, _ = x.c.o.Mend(f.what, req, f.why)
	}
	return req
}

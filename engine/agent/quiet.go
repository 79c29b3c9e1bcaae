package agent

import (
	"context"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"talaria/engine"
)

//go:embed act.md
var actNow string

// Bounds of a reply that only announces (BEHAVIOUR 6.2): longer ones are answers.
const (
	longestAck = 1200
	maxAcks    = 2
)

// housekeeping are the tools whose results change nothing about an answer that was given beside the call.
var housekeeping = []string{"memory", "todo", "skill_manage", "session_search"}

// An announcement says in the first person what comes, with a verb of work and a thing of the workspace.
var (
	intent = regexp.MustCompile(`(?i)\b(?:i'll|i’ll|i will|let me|i'm going to|i’m going to|i am going to|i'm about to|i can now)\b`)
	deed   = regexp.MustCompile(`(?i)\b(?:look|inspect|check|read|open|search|scan|explore|examine|review|analy[sz]e|run|list|find|start|create|write|edit|fix|update|implement|refactor|add|test|debug|investigate)\b`)
	object = regexp.MustCompile(`(?i)\b(?:files?|folders?|director(?:y|ies)|repo(?:sitory)?|code(?:base)?|projects?|workspace|tests?|functions?|modules?|packages?|source|scripts?|commands?|terminal|logs?|config(?:uration)?|bugs?|error|docs?|readme|implementation)\b`)
)

// announced reports whether the reply says what the model is about to do, and does nothing. Models that speak Responses end
// their turn so; elsewhere such words are an answer. It counts: after the second time the word stands.
func (c *conversation) announced(reply engine.Message, specs []engine.Spec) bool {
	text := reply.Text()
	switch {
	case c.route.APIMode != engine.CodexResponses, len(specs) == 0, c.acks >= maxAcks, c.worked():
	case reply.Stop != engine.StopEnd || len(reply.Calls()) > 0 || utf8.RuneCountInString(text) > longestAck:
	case strings.HasSuffix(strings.TrimSpace(text), "?"): // it waits for the user
	case intent.MatchString(text) && deed.MatchString(text) && object.MatchString(text):
		c.acks++
		return true
	}
	return false
}

// worked reports whether a tool ran in this turn.
func (c *conversation) worked() bool {
	for _, m := range slices.Backward(c.messages) {
		if m.Role == engine.RoleTool {
			return true
		}
		if m.Role == engine.RoleUser && !m.Steer {
			return false
		}
	}
	return false
}

// goOn has the model do what it announced: a word in the next request, which nobody but the model sees.
func (c *conversation) goOn(ctx context.Context) {
	c.nudge = strings.TrimSpace(actNow)
	retry := engine.Retry{Action: engine.ActionReask, Try: c.acks + 1, Of: maxAcks + 1, Keep: true, Provider: c.route.Provider, Model: c.route.Model,
		Err: &engine.Error{Reason: engine.ReasonEmptyResponse, Message: "the model said what it would do and did nothing; it is told to go on"}}
	c.recovered(retry)
	c.emit(ctx, engine.Streamed{Delta: retry})
}

// answered is the text that stood beside calls of housekeeping tools only, when their results are what the model would
// answer next: it has said what it had to say, and may be silent.
func (c *conversation) answered() string {
	for _, m := range slices.Backward(c.messages) {
		switch {
		case m.Role == engine.RoleTool || m.Aside:
			continue
		case m.Role != engine.RoleAssistant || len(m.Calls()) == 0:
			return ""
		}
		for _, call := range m.Calls() {
			if !slices.Contains(housekeeping, call.Name) {
				return ""
			}
		}
		return strings.TrimSpace(m.Text())
	}
	return ""
}

// silent reports whether a whole reply has neither text nor a call.
func silent(m engine.Message) bool {
	return m.Stop != engine.StopLength && m.Stop != engine.StopPause && m.Stop != engine.StopRefusal && m.Stop != engine.StopContentFilter &&
		strings.TrimSpace(m.Text()) == "" && len(m.Calls()) == 0
}

// finishedWith ends the turn with a text that was said earlier in it.
func (c *conversation) finishedWith(text string) engine.Outcome {
	return engine.Outcome{Final: text, Completed: true, Exit: engine.ExitFinished}
}

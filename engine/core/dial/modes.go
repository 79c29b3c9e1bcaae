package dial

import (
	"context"
	"fmt"

	"talaria/engine"
	"talaria/engine/provider"
	"talaria/engine/provider/completions"
	"talaria/engine/provider/converse"
	"talaria/engine/provider/messages"
	"talaria/engine/provider/responses"
)

// mode is one wire protocol: how to ask a model over it, and how to ask a server what it offers.
type mode struct {
	open   func(provider.Endpoint) engine.Provider
	models func(context.Context, provider.Endpoint) ([]string, error)
}

// modes is the table of the protocols that this version speaks.
var modes = map[engine.APIMode]mode{
	engine.ChatCompletions:   {completions.New, completions.Models},
	engine.CodexResponses:    {responses.New, completions.Models},
	engine.AnthropicMessages: {messages.New, messages.Models},
	engine.BedrockConverse:   {converse.New, noModels},
}

// modeOf returns the protocol of a route; the empty name is chat completions.
func modeOf(m engine.APIMode) (mode, error) {
	if m == "" {
		m = engine.ChatCompletions
	}
	found, ok := modes[m]
	if !ok {
		return mode{}, &engine.Error{Reason: engine.ReasonFormatError, Message: fmt.Sprintf("there is no API mode %q", m), Hint: "Set --api-mode to one that talaria --help names."}
	}
	return found, nil
}

// noModels is for a protocol whose server does not list what it offers.
func noModels(context.Context, provider.Endpoint) ([]string, error) { return nil, nil }

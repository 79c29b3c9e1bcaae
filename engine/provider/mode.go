package provider

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"talaria/engine"
)

var modes = []engine.APIMode{engine.ChatCompletions, engine.CodexResponses, engine.AnthropicMessages, engine.BedrockConverse}

var bedrockHost = regexp.MustCompile(`^bedrock-runtime(-fips)?\.[a-z0-9-]+\.(amazonaws\.com(\.cn)?|api\.aws)$`)

// DetectMode picks the API mode (BEHAVIOUR 3.2): what was said explicitly, else by the provider's name, else by the
// parsed host and path of baseURL, else chat_completions. An explicit mode that does not exist is an error, so that a
// misspelt setting is seen.
func DetectMode(explicit engine.APIMode, provider, baseURL string) (engine.APIMode, error) {
	if explicit != "" {
		if !slices.Contains(modes, explicit) {
			return "", fmt.Errorf("there is no API mode %q; it must be one of %s", explicit, modeNames())
		}
		return explicit, nil
	}
	if mode, ok := modeOfProvider[strings.ToLower(strings.TrimSpace(provider))]; ok {
		return mode, nil
	}
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil {
		return engine.ChatCompletions, nil // JoinURL says what is wrong with it
	}
	host, path := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), strings.TrimRight(u.Path, "/")
	for _, row := range modeOfHost {
		if host == row.host && (row.path == "" || path == row.path || strings.HasPrefix(path, row.path+"/")) {
			return row.mode, nil
		}
	}
	switch {
	case bedrockHost.MatchString(host):
		return engine.BedrockConverse, nil
	case strings.HasSuffix(path, "/anthropic"), strings.HasSuffix(path, "/anthropic/v1"):
		return engine.AnthropicMessages, nil
	}
	return engine.ChatCompletions, nil
}

func modeNames() string {
	names := make([]string, len(modes))
	for i, m := range modes {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}

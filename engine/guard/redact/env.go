package redact

import (
	"slices"
	"strings"
)

// Env returns env without the keys of providers: *_API_KEY, the variables known to hold one, and keys, the names
// that the configuration reads keys from. Names in passthrough stay, and so does AWS_* (CONTRACT 4).
func Env(env []string, passthrough []string, keys ...string) []string {
	out := []string{}
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(passthrough, name) || !isKey(name) && !slices.Contains(keys, name) {
			out = append(out, v)
		}
	}
	return out
}

// isKey reports whether a variable of this name holds a provider's key.
func isKey(name string) bool {
	up := strings.ToUpper(name)
	if strings.HasPrefix(up, "AWS_") {
		return false
	}
	return strings.HasSuffix(up, "_API_KEY") || strings.HasSuffix(up, "_API_KEYS") || strings.Contains(up, "_API_KEY_") || slices.Contains(keyVariables, up)
}

package guard

import (
	"talaria/engine/guard/place"
	"talaria/engine/guard/redact"
)

// Redact masks what looks like a key, a password or a token; see redact.Text.
func Redact(s string) string { return redact.Text(s) }

// CleanEnv returns env without the keys of providers; see redact.Env.
func CleanEnv(env, passthrough []string, keys ...string) []string {
	return redact.Env(env, passthrough, keys...)
}

// Credential reports whether a file of that name holds keys; see place.Credential.
func Credential(path string) bool { return place.Credential(path) }

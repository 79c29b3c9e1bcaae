package engine

import "context"

// Connection is one way to reach a model that was found on this machine or that the user can add.
type Connection struct {
	Name   string   // "Anthropic"
	Route  Route    // where it leads; Route.Model may be "" until a model is chosen
	Found  string   // what was found: "$ANTHROPIC_API_KEY is set", "running on 127.0.0.1:11434"
	Models []string // what the server offers, when it was asked
	Local  bool
	Ready  bool // a key is there, or none is needed
}

// Connections is what the connect and model screens ask. Methods that may take time are called in a tea.Cmd.
// A key passes through here alone, never through an Op or an Event.
type Connections interface {
	// Known lists what the environment and stored keys allow, without network, best first; then providers without a key.
	Known() []Connection
	// Local asks the usual ports of 127.0.0.1 for a model server.
	Local(ctx context.Context) []Connection
	// Models asks c's server what it offers.
	Models(ctx context.Context, c Connection, key string) ([]string, error)
	// Test makes one tiny request; key "" uses the stored one. The error is an *Error.
	Test(ctx context.Context, c Connection, key string) error
	// Save stores the key and makes c the default; it returns the words for where the key went.
	Save(ctx context.Context, c Connection, key string) (string, error)
}

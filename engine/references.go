package engine

import "context"

// References is what "@" in a message can name: files and folders of the working directory, and pictures anywhere. Its
// methods are called in a tea.Cmd.
type References interface {
	// Paths lists what can be named, relative to the working directory with slashes; a folder ends in "/".
	Paths(ctx context.Context) ([]string, error)
	// Describe says what is sent for a reference ("src/a.go:10-20", without its @) in a few words: "12 KB". The error says
	// why nothing is.
	Describe(ctx context.Context, ref string) (string, error)
}

// Notebook takes what the user wants remembered in every conversation. Its methods are called in a tea.Cmd.
type Notebook interface {
	// Remember adds an entry to the agent's notes, or with user to what is known of the user. The text that comes back
	// says where it stands and how full that is.
	Remember(ctx context.Context, user bool, text string) (string, error)
}

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

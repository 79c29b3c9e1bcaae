package engine

import "context"

// Exporter writes a session as a file for other eyes. It is called in a tea.Cmd.
type Exporter interface {
	// Formats are what Export knows, the usual one first.
	Formats() []string
	// Export writes the session and returns the path of the new file; it never writes over one.
	Export(ctx context.Context, session, format string) (path string, err error)
}

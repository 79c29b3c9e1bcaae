//go:build !unix

package memory

// lock does nothing where there is no flock: two programs that write the memory at the same moment may lose one entry.
func lock(string) (func(), error) { return func() {}, nil }

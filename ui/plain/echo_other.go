//go:build !unix

package plain

import "os"

// Echo is nil: here what is typed cannot be hidden.
func Echo(*os.File) func(on bool) { return nil }

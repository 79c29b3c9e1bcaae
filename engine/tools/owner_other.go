//go:build !unix

package tools

import (
	"io/fs"
	"os"
)

// keepOwner does nothing where files have no owner to keep.
func keepOwner(*os.File, fs.FileInfo) {}

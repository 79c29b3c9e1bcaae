//go:build !unix

package file

import (
	"io/fs"
	"os"
)

// keepOwner does nothing where files have no owner to keep.
func keepOwner(*os.File, fs.FileInfo) {}

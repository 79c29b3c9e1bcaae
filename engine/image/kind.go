package image

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// kinds are the types that all providers take.
var kinds = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// kind tells the type by the first bytes; a name proves nothing.
func kind(data []byte) (string, error) {
	if len(data) == 0 {
		return "", errors.New("the file is empty")
	}
	mime := http.DetectContentType(data)
	if name := isoBrand(data); name != "" {
		return "", fmt.Errorf("models do not read %s pictures; save it as png or jpeg first", name)
	}
	if !slices.Contains(kinds, mime) {
		what, _, _ := strings.Cut(mime, ";")
		return "", fmt.Errorf("this is no picture that a model can see (png, jpeg, gif, webp) but %s", what)
	}
	if mime == "image/webp" && uint64(len(data)) < uint64(binary.LittleEndian.Uint32(data[4:8]))+8 {
		return "", errors.New("the picture is cut short: the file ends before the picture does (image/webp)")
	}
	return mime, nil
}

// isoBrand names the pictures of telephones that come in a film's container, "" for all else.
func isoBrand(data []byte) string {
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return ""
	}
	switch string(data[8:12]) {
	case "heic", "heix", "heim", "heis", "mif1", "msf1", "hevc":
		return "HEIC"
	case "avif", "avis":
		return "AVIF"
	}
	return ""
}

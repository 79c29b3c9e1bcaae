package file

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var utf8BOM = []byte("\xEF\xBB\xBF")

// magic are the content types that a text file never has, as http.DetectContentType names them from the first bytes.
var magic = []string{"application/pdf", "application/zip", "application/x-gzip", "application/x-rar-compressed",
	"image/jpeg", "image/png", "image/gif", "image/webp", "audio/mpeg", "video/mp4", "font/woff", "font/woff2"}

// binaryKind says what kind of binary file begins with head, "" for text. UTF-16 with its mark counts as text.
func binaryKind(name string, head []byte) string {
	if wideOrder(head) != nil {
		return ""
	}
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	for _, m := range magic {
		if kind == m {
			return kind
		}
	}
	if bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	if byName, _, _ := strings.Cut(mime.TypeByExtension(filepath.Ext(name)), ";"); kind == "application/octet-stream" && byName != "" {
		return byName
	}
	if strings.HasPrefix(kind, "text/") || kind == "application/octet-stream" {
		return "binary data"
	}
	return kind
}

// wideOrder returns the byte order of UTF-16 text, known by its mark, or nil.
func wideOrder(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return binary.BigEndian
	}
	return nil
}

// wideName names the encoding that order stands for.
func wideName(order binary.ByteOrder) string {
	if order == binary.LittleEndian {
		return "UTF-16LE"
	}
	return "UTF-16BE"
}

// fromWide decodes UTF-16 after its mark.
func fromWide(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(data)/2)
	for data = data[2:]; len(data) >= 2; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	return string(utf16.Decode(units))
}

// eightBit reports whether data looks like text of an old 8-bit or Asian encoding: it has bytes above ASCII, and none
// of them form UTF-8.
func eightBit(data []byte) bool {
	bad := false
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && n == 1:
			bad = true
		case n > 1:
			return false
		}
		data = data[n:]
	}
	return bad
}

// kindWord names what is not a regular file.
func kindWord(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe (FIFO)"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeCharDevice != 0:
		return "a character device"
	case mode&fs.ModeDevice != 0:
		return "a block device"
	case mode&fs.ModeSymlink != 0:
		return "a link that leads in a circle"
	}
	return "a special file"
}

// sizeWord writes a number of bytes for people.
func sizeWord(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}

// Package image makes a picture that a user attached fit to send: it knows the kind by the content, turns a photograph
// the way it was taken, and makes smaller what models do not take.
//
// It refuses what is no picture, what is damaged (a server would refuse the whole conversation with it, turn after
// turn), and what is small as a file and huge in memory. It opens no file and asks nobody.
package image

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // a decoder of image.Decode
	"image/jpeg"
	"image/png"
	"io"

	_ "golang.org/x/image/webp" // another
)

// MaxFile is the largest file worth reading before Prepare, in bytes.
const MaxFile = 64 << 20

// Limits are what a picture may have. Bytes is of the encoded file; Side of its width and height, in pixels; Pixels is
// how many are decoded at most, for what has to be made smaller or looked through. 0 takes the usual limit.
type Limits struct {
	Bytes, Side, Pixels int
}

// The usual limits: what providers take (BEHAVIOUR 4.12), and the largest photographs of telephones. 64 million pixels
// are 256 MB of memory.
const (
	MaxBytes  = 4 << 20
	MaxSide   = 8000
	MaxPixels = 64_000_000
)

// Refused are the limits for a picture that a server refused with the usual ones: what models scale pictures down to
// anyway (platform.claude.com, vision), and small enough when many stand in one request.
var Refused = Limits{Bytes: 1 << 20, Side: 1568}

func (l Limits) filled() Limits {
	if l.Bytes <= 0 {
		l.Bytes = MaxBytes
	}
	if l.Side <= 0 {
		l.Side = MaxSide
	}
	if l.Pixels <= 0 {
		l.Pixels = MaxPixels
	}
	return l
}

// Prepare returns the picture in data as it can be sent, and its MIME type: png, jpeg, gif or webp. What fits limit is
// returned as it is; what does not, and a photograph that lies on its side, is encoded anew, without the moving part of
// an animation and without what a camera wrote beside the picture. The error says what is wrong in words for the user.
func Prepare(data []byte, limit Limits) (out []byte, mime string, err error) {
	limit = limit.filled()
	mime, err = kind(data)
	if err != nil {
		return nil, "", err
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, "", damaged(mime, err)
	}
	if size.Width <= 0 || size.Height <= 0 {
		return nil, "", fmt.Errorf("the picture is empty (%d x %d pixels)", size.Width, size.Height)
	}
	if tooMany(size, limit.Pixels) {
		return nil, "", fmt.Errorf("the picture has %d x %d pixels, too many to open; make it smaller first", size.Width, size.Height)
	}
	turn := upright
	if mime == "image/jpeg" {
		turn = orientation(data)
	}
	fits := len(data) <= limit.Bytes && max(size.Width, size.Height) <= limit.Side && turn == upright
	picture, _, err := image.Decode(bytes.NewReader(data))
	switch {
	case err != nil && fits && variant(mime, err):
		return data, mime, nil
	case err != nil:
		return nil, "", damaged(mime, err)
	case fits:
		return data, mime, nil
	}
	return encode(turned(shrink(picture, limit.Side), turn), mime, limit)
}

// tooMany reports whether a picture takes more memory than limit pixels of four bytes.
func tooMany(c image.Config, limit int) bool {
	n := int64(c.Width) * int64(c.Height)
	if c.ColorModel == color.RGBA64Model || c.ColorModel == color.NRGBA64Model {
		limit /= 2
	}
	return n > int64(limit)
}

// variant reports whether err is about a way to write a picture that is unknown here and may be known to a model: rare
// JPEGs and PNGs, and animated WebP.
func variant(mime string, err error) bool {
	var j jpeg.UnsupportedError
	var p png.UnsupportedError
	return errors.As(err, &j) || errors.As(err, &p) || mime == "image/webp" && !cut(err)
}

func cut(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) }

func damaged(mime string, err error) error {
	if cut(err) {
		return fmt.Errorf("the picture is cut short: the file ends before the picture does (%s)", mime)
	}
	return fmt.Errorf("the picture is damaged, or written in a way that cannot be read here: %w", err)
}

package image

import (
	"bytes"
	"encoding/binary"
	"image"
)

// How a camera was held (Exif 2.3, tag 0x0112). A value from 5 on swaps width and height.
const (
	upright    = 1
	mirrored   = 2
	upsideDown = 3
	flipped    = 4
	transposed = 5
	toTheRight = 6 // is to be turned 90 degrees clockwise
	transverse = 7
	toTheLeft  = 8
)

// orientation reads how a JPEG is to be turned. What cannot be read is upright: nothing is worth refusing for it.
func orientation(data []byte) int {
	for at := 2; at+4 <= len(data) && data[at] == 0xFF; {
		marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		if marker == 0xDA || size < 2 || at+2+size > len(data) { // the picture itself begins, or nothing sensible does
			break
		}
		if exif, ok := bytes.CutPrefix(data[at+4:at+2+size], []byte("Exif\x00\x00")); ok && marker == 0xE1 {
			return exifOrientation(exif)
		}
		at += 2 + size
	}
	return upright
}

// exifOrientation looks through the first directory of the TIFF that Exif is.
func exifOrientation(tiff []byte) int {
	var order binary.ByteOrder = binary.BigEndian
	if len(tiff) < 8 {
		return upright
	}
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == 0x0112 {
			if v := int(order.Uint16(entries[8:])); v >= upright && v <= toTheLeft {
				return v
			}
			break
		}
		entries = entries[12:]
	}
	return upright
}

// turned is src as it was seen when it was taken.
func turned(src *image.RGBA, how int) *image.RGBA {
	if how == upright {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if how >= transposed {
		dst = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch how {
			case mirrored:
				tx = w - 1 - x
			case upsideDown:
				tx, ty = w-1-x, h-1-y
			case flipped:
				ty = h - 1 - y
			case transposed:
				tx, ty = y, x
			case toTheRight:
				tx, ty = h-1-y, x
			case transverse:
				tx, ty = h-1-y, w-1-x
			case toTheLeft:
				tx, ty = y, w-1-x
			}
			copy(dst.Pix[dst.PixOffset(tx, ty):][:4], src.Pix[src.PixOffset(src.Rect.Min.X+x, src.Rect.Min.Y+y):][:4])
		}
	}
	return dst
}

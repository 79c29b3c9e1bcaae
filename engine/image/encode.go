package image

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
)

// maxPNG is how many pixels are worth trying as PNG: above, it takes seconds and never fits.
const maxPNG = 12_000_000

// qualities of JPEG, best first. Below 70 letters blur; fewer pixels cost less then.
var qualities = []int{88, 70}

// encode writes p in at most limit.Bytes. What was drawn (png, gif, anything one can see through) stays PNG as long as
// that fits.
func encode(p *image.RGBA, mime string, limit Limits) ([]byte, string, error) {
	for {
		w, h := p.Rect.Dx(), p.Rect.Dy()
		if (mime == "image/png" || mime == "image/gif" || !p.Opaque()) && w*h <= maxPNG {
			out, err := pngOf(p)
			if err != nil || len(out) <= limit.Bytes {
				return out, "image/png", err
			}
		}
		var size int
		flat := flattened(p)
		for _, q := range qualities {
			var b bytes.Buffer
			if err := jpeg.Encode(&b, flat, &jpeg.Options{Quality: q}); err != nil {
				return nil, "", fmt.Errorf("make the picture smaller: %w", err)
			}
			if size = b.Len(); size <= limit.Bytes {
				return b.Bytes(), "image/jpeg", nil
			}
			if size > 3*limit.Bytes {
				break // the next quality halves it at best
			}
		}
		factor := max(0.25, min(0.85, 0.95*math.Sqrt(float64(limit.Bytes)/float64(size))))
		if min(w, h) < 2 || max(w, h) < 32 {
			return nil, "", errors.New("the picture cannot be made small enough to send")
		}
		p = scaled(p, part(w, factor), part(h, factor))
	}
}

func pngOf(p *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		return nil, fmt.Errorf("make the picture smaller: %w", err)
	}
	return b.Bytes(), nil
}

// flattened puts p on white, as a page would: JPEG has nothing to see through, and would show black.
func flattened(p *image.RGBA) *image.RGBA {
	if p.Opaque() {
		return p
	}
	flat := image.NewRGBA(p.Rect)
	draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, p, p.Rect.Min, draw.Over)
	return flat
}

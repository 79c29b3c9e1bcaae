package image

import (
	"image"
	"image/draw"
	"math"
)

// maxArea is how many pixels are written at most once a picture has to be written anew: several times what a model looks
// at, and what a slow machine encodes in a second.
const maxArea = 16_000_000

// shrink returns src with no side above side and no more than maxArea pixels, in proportion.
func shrink(src image.Image, side int) *image.RGBA {
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	factor := min(1, float64(side)/float64(max(w, h)), math.Sqrt(maxArea/(float64(w)*float64(h))))
	return scaled(src, part(w, factor), part(h, factor))
}

// part is a side of n pixels made smaller: one pixel at least.
func part(n int, factor float64) int { return max(1, int(math.Round(float64(n)*factor))) }

// scaled returns src at w x h, neither larger than it is. Every pixel is the mean of those it stands for, so that text
// stays readable and thin lines do not vanish.
func scaled(src image.Image, w, h int) *image.RGBA {
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if b.Dx() == w && b.Dy() == h {
		draw.Draw(dst, dst.Rect, src, b.Min, draw.Src)
		return dst
	}
	line := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1)) // one line of src at a time, whatever its colour model
	narrow, sum := make([]float64, 4*w), make([]float64, 4*w)
	ratio, next := float64(b.Dy())/float64(h), 0
	for y := range b.Dy() {
		draw.Draw(line, line.Rect, src, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		narrowLine(narrow, line.Pix, b.Dx(), w)
		// this line covers [y, y+1); the target's line next ends at (next+1)*ratio
		end := float64(next+1) * ratio
		share := min(1, end-float64(y))
		add(sum, narrow, share)
		if float64(y+1) >= end-1e-9 && next < h {
			store(dst.Pix[next*dst.Stride:], sum, ratio)
			next++
			clear(sum)
			add(sum, narrow, 1-share)
		}
	}
	if next < h { // rounding kept the last line open
		store(dst.Pix[next*dst.Stride:], sum, ratio)
	}
	return dst
}

// narrowLine averages a line of n pixels to w.
func narrowLine(to []float64, pix []uint8, n, w int) {
	ratio := float64(n) / float64(w)
	for i := range w {
		from, end := float64(i)*ratio, float64(i+1)*ratio
		var sum [4]float64
		for x := int(from); x < n && float64(x) < end; x++ {
			share := min(end, float64(x+1)) - max(from, float64(x))
			for c := range 4 {
				sum[c] += share * float64(pix[4*x+c])
			}
		}
		for c := range 4 {
			to[4*i+c] = sum[c] / ratio
		}
	}
}

func add(sum, line []float64, share float64) {
	if share <= 0 {
		return
	}
	for i, v := range line {
		sum[i] += share * v
	}
}

func store(pix []uint8, sum []float64, ratio float64) {
	for i, v := range sum {
		pix[i] = uint8(min(255, math.Round(v/ratio)))
	}
}

package image

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"
)

// quarters is a picture with a colour of its own in each quarter: red, green above blue, white.
func quarters(w, h int) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 0, 0, 255}
			switch {
			case x >= w/2 && y < h/2:
				c = color.RGBA{0, 255, 0, 255}
			case x < w/2 && y >= h/2:
				c = color.RGBA{0, 0, 255, 255}
			case x >= w/2:
				c = color.RGBA{255, 255, 255, 255}
			}
			p.SetRGBA(x, y, c)
		}
	}
	return p
}

// noise is a picture that does not compress.
func noise(w, h int) *image.RGBA {
	p, r := image.NewRGBA(image.Rect(0, 0, w, h)), rand.New(rand.NewPCG(1, 2))
	for i := range p.Pix {
		p.Pix[i] = uint8(r.Uint32())
		if i%4 == 3 {
			p.Pix[i] = 255
		}
	}
	return p
}

func asPNG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asGIF(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, p, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// One pixel of WebP, with and without loss.
var webps = []string{"UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="}

func asWebP(t testing.TB, i int) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(webps[i])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// held puts the Exif of a camera that was held so into a JPEG.
func held(data []byte, how int, order binary.AppendByteOrder) []byte {
	tiff := []byte("MM")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		tiff = []byte("II")
	}
	tiff = order.AppendUint16(tiff, 42)
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2) // entries: the maker's name, and how it was held
	for _, e := range [][2]uint16{{0x010F, 0}, {0x0112, uint16(how)}} {
		tiff = order.AppendUint16(order.AppendUint16(tiff, e[0]), 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(order.AppendUint16(tiff, e[1]), 0)
	}
	tiff = order.AppendUint32(tiff, 0)
	exif := append([]byte("Exif\x00\x00"), tiff...)
	out := []byte{0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 'J', 'F', 0xFF, 0xE1} // another segment comes first
	out = binary.BigEndian.AppendUint16(out, uint16(len(exif)+2))
	return append(append(out, exif...), data[2:]...)
}

func decoded(t *testing.T, data []byte, mime string) image.Image {
	t.Helper()
	p, name, err := image.Decode(bytes.NewReader(data))
	if err != nil || "image/"+name != mime {
		t.Fatalf("%s that decodes as %s: %v", mime, name, err)
	}
	return p
}

func TestAPictureThatFitsIsSentAsItIs(t *testing.T) {
	for mime, data := range map[string][]byte{
		"image/png": asPNG(t, quarters(40, 20)), "image/jpeg": asJPEG(t, quarters(40, 20)), "image/gif": asGIF(t, quarters(40, 20)),
		"image/webp": asWebP(t, 0), "image/webp ": asWebP(t, 1), "image/jpeg ": held(asJPEG(t, quarters(40, 20)), 1, binary.BigEndian),
	} {
		out, kind, err := Prepare(data, Limits{})
		if err != nil || !bytes.Equal(out, data) || kind != strings.TrimSpace(mime) {
			t.Errorf("%s: %s, %v, same bytes: %v", mime, kind, err, bytes.Equal(out, data))
		}
	}
}

func TestAWideScreenshotIsMadeNarrowerAndStaysSharp(t *testing.T) {
	data := asPNG(t, quarters(9000, 90))
	out, mime, err := Prepare(data, Limits{})
	if err != nil || mime != "image/png" {
		t.Fatalf("%s, %v", mime, err)
	}
	p := decoded(t, out, mime)
	if p.Bounds().Dx() != 8000 || p.Bounds().Dy() != 80 {
		t.Errorf("size %v", p.Bounds())
	}
	for at, want := range map[image.Point]color.RGBA{
		{10, 10}: {255, 0, 0, 255}, {7990, 10}: {0, 255, 0, 255}, {10, 70}: {0, 0, 255, 255}, {7990, 70}: {255, 255, 255, 255},
	} {
		if r, g, b, _ := p.At(at.X, at.Y).RGBA(); uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(b>>8) != want.B {
			t.Errorf("at %v: %v, want %v", at, p.At(at.X, at.Y), want)
		}
	}
}

func TestAPictureThatIsTooLargeAsAFileIsCompressed(t *testing.T) {
	for name, data := range map[string][]byte{"jpeg": asJPEG(t, noise(400, 200)), "png": asPNG(t, noise(400, 200))} {
		for _, bytes := range []int{50_000, 15_000, 3_000} {
			out, mime, err := Prepare(data, Limits{Bytes: bytes})
			if err != nil || len(out) > bytes || mime != "image/jpeg" {
				t.Errorf("%s to %d: %d bytes of %s, %v", name, bytes, len(out), mime, err)
				continue
			}
			if b := decoded(t, out, mime).Bounds(); b.Dx() < 2*b.Dy()-3 || b.Dx() > 2*b.Dy()+3 {
				t.Errorf("%s to %d: the proportions are lost: %v", name, bytes, b)
			}
		}
	}
	if out, _, err := Prepare(asPNG(t, noise(400, 200)), Limits{Bytes: 50}); err == nil {
		t.Errorf("50 bytes were enough: %d", len(out))
	}
}

func TestAPhotographIsTurnedTheWayItWasTaken(t *testing.T) {
	// The corner colours, row by row, that the camera's own quarters (red, green / blue, white) show once turned.
	const r, g, b, w = "r", "g", "b", "w"
	for how, want := range map[int][4]string{
		2: {g, r, w, b}, 3: {w, b, g, r}, 4: {b, w, r, g}, 5: {r, b, g, w}, 6: {b, r, w, g}, 7: {w, g, b, r}, 8: {g, w, r, b},
	} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			out, mime, err := Prepare(held(asJPEG(t, quarters(80, 40)), how, order), Limits{})
			if err != nil || mime != "image/jpeg" {
				t.Fatalf("%d: %s, %v", how, mime, err)
			}
			p := decoded(t, out, mime)
			width, height := p.Bounds().Dx(), p.Bounds().Dy()
			if swapped := how >= 5; swapped != (width == 40) || swapped != (height == 80) {
				t.Errorf("%d: %d x %d", how, width, height)
			}
			var got [4]string
			for i, at := range []image.Point{{6, 6}, {width - 7, 6}, {6, height - 7}, {width - 7, height - 7}} {
				got[i] = named(p.At(at.X, at.Y))
			}
			if got != want {
				t.Errorf("%d: corners %v, want %v", how, got, want)
			}
			if orientation(out) != upright {
				t.Errorf("%d: what is sent would be turned again", how)
			}
		}
	}
}

func named(c color.Color) string {
	r, g, b, _ := c.RGBA()
	switch high := func(v uint32) bool { return v > 0x8000 }; {
	case high(r) && high(g) && high(b):
		return "w"
	case high(r):
		return "r"
	case high(g):
		return "g"
	}
	return "b"
}

func TestExifThatMakesNoSenseTurnsNothing(t *testing.T) {
	good := held(asJPEG(t, quarters(16, 16)), 6, binary.LittleEndian)
	for i := range 60 { // every byte of the head, one at a time
		for _, v := range []byte{0, 0xFF, 0x7F} {
			bad := bytes.Clone(good)
			bad[i] = v
			if how := orientation(bad); how < upright || how > toTheLeft {
				t.Errorf("byte %d = %d: orientation %d", i, v, how)
			}
		}
	}
	for i := range good {
		orientation(good[:i])
	}
}

func TestWhatIsTransparentLiesOnWhite(t *testing.T) {
	p := noise(300, 300)
	for i := 300 * 4 * 100; i < len(p.Pix); i += 4 { // the upper third is drawn, so that PNG is too large
		copy(p.Pix[i:], []byte{0, 0, 0, 0})
	}
	out, mime, err := Prepare(asPNG(t, p), Limits{Bytes: 6_000})
	if err != nil || mime != "image/jpeg" {
		t.Fatalf("%s, %v", mime, err)
	}
	got := decoded(t, out, mime)
	if named(got.At(got.Bounds().Dx()/2, got.Bounds().Dy()-3)) != "w" {
		t.Errorf("the ground is %v", got.At(got.Bounds().Dx()/2, got.Bounds().Dy()-3))
	}
}

// bomb is a PNG of a few bytes that says it has w x h pixels.
func bomb(w, h uint32, depth, kind byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	head = append(head, depth, kind, 0, 0, 0)
	out := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	return binary.BigEndian.AppendUint32(append(out, head...), crc32.ChecksumIEEE(head))
}

func TestAPictureThatIsSmallAsAFileAndHugeInMemoryIsRefusedUnopened(t *testing.T) {
	wide := make([]byte, 13)
	copy(wide, "GIF89a\xff\xff\xff\xff")
	for name, data := range map[string][]byte{
		"60,000 pixels a side":        bomb(60_000, 60_000, 8, 2),
		"two thousand million a side": bomb(1<<31-1, 1<<31-1, 1, 0),
		"sixteen bits a channel":      bomb(7_000, 7_000, 16, 6),
		"a gif":                       wide,
	} {
		if _, _, err := Prepare(data, Limits{}); err == nil {
			t.Errorf("%s: opened", name)
		} else if !strings.Contains(err.Error(), "too many") && name != "two thousand million a side" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Prepare(asPNG(t, quarters(100, 100)), Limits{Pixels: 9_999}); err == nil {
		t.Error("more pixels than the limit")
	}
}

func TestWhatIsNoPictureIsNamed(t *testing.T) {
	for want, data := range map[string]string{
		"empty":           "",
		"text/plain":      "just words in a file called picture.png",
		"application/pdf": "%PDF-1.7 and so on",
		"HEIC":            "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
		"AVIF":            "\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1",
		"image/bmp":       "BM\x3a\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00",
		"text/xml":        `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`,
	} {
		_, _, err := Prepare([]byte(data), Limits{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestADownloadThatBrokeOffIsRefusedBeforeAServerDoes(t *testing.T) {
	for name, data := range map[string][]byte{
		"png": asPNG(t, noise(60, 60)), "jpeg": asJPEG(t, noise(60, 60)), "gif": asGIF(t, noise(60, 60)), "webp": asWebP(t, 0), "webp without loss": asWebP(t, 1),
	} {
		for _, at := range []int{len(data) / 2, len(data) - len(data)/8 - 1, 14} {
			if _, _, err := Prepare(data[:at], Limits{}); err == nil {
				t.Errorf("%s, %d of %d bytes: taken", name, at, len(data))
			} else if !strings.Contains(err.Error(), "cut short") && !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestAMeanOfPixelsKeepsThinLines(t *testing.T) {
	p := image.NewRGBA(image.Rect(5, 7, 305, 107)) // a picture need not begin at 0
	for i := range p.Pix {
		p.Pix[i] = 255
	}
	for y := range 100 {
		p.SetRGBA(5+150, 7+y, color.RGBA{0, 0, 0, 255}) // one black line
	}
	small := scaled(p, 70, 30)
	if small.Bounds() != image.Rect(0, 0, 70, 30) {
		t.Fatalf("size %v", small.Bounds())
	}
	for y := range 30 {
		dark := 0
		for x := range 70 {
			dark += 255 - int(small.RGBAAt(x, y).R)
		}
		if dark < 50 || dark > 70 { // 255 spread over 300/70 pixels is 59.5
			t.Errorf("line %d: darkness %d, want about 60", y, dark)
		}
		if small.RGBAAt(0, y) != (color.RGBA{255, 255, 255, 255}) {
			t.Errorf("line %d: white became %v", y, small.RGBAAt(0, y))
		}
	}
}

func FuzzPrepare(f *testing.F) {
	for _, data := range [][]byte{
		asPNG(f, quarters(20, 10)), asJPEG(f, quarters(20, 10)), asGIF(f, quarters(20, 10)), asWebP(f, 0), asWebP(f, 1),
		held(asJPEG(f, quarters(20, 10)), 6, binary.LittleEndian), bomb(60_000, 60_000, 8, 2), []byte("text"),
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limit := Limits{Bytes: 3_000, Side: 50, Pixels: 100_000}
		out, mime, err := Prepare(data, limit)
		if err != nil {
			return
		}
		size, _, err := image.DecodeConfig(bytes.NewReader(out))
		if err != nil || len(out) > limit.Bytes || max(size.Width, size.Height) > limit.Side {
			t.Errorf("%s of %d bytes, %d x %d, %v", mime, len(out), size.Width, size.Height, err)
		}
	})
}

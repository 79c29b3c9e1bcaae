package main

import (
	"cmp"
	"fmt"
	"html"
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"talaria/themes"
)

// A cell of a picture, in pixels: DejaVu Sans Mono and its like are 0.6 as wide as high at 14 pixels.
const (
	cellW, cellH = 8.4, 18.0
	margin       = 14.0
)

// picture is a screen as an SVG that needs no font of its own: each run of one style is one text, stretched to its
// cells, and the lines of boxes are strokes, so that they meet.
type picture struct {
	classes []string // fill colours and weights, in the order they came up; c0 is the first
	back    strings.Builder
	lines   strings.Builder
	text    strings.Builder
}

// svg returns the screen of an emulator as an SVG; the theme says what the default colours are.
func svg(screen *vt.Emulator, theme themes.Theme, caption string) string {
	p, w, h := &picture{}, screen.Width(), screen.Height()
	for y := range h {
		for x := 0; x < w; {
			x = p.run(screen, theme, x, y)
		}
	}
	if c := screen.CursorPosition(); !screen.CursorHidden() {
		fmt.Fprintf(&p.lines, `<rect x="%.1f" y="%.0f" width="2" height="%.0f" class="%s"/>`+"\n", across(c.X), margin+float64(c.Y)*cellH+2, cellH-4, p.class(theme.Roles[themes.Accent]))
	}
	width, height := 2*margin+float64(w)*cellW, 2*margin+float64(h)*cellH
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n<title>%s</title>\n<style>\n", width, height, width, height, html.EscapeString(caption))
	out.WriteString("text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;white-space:pre}\npath{fill:none;stroke-width:1.2}\n")
	for i, c := range p.classes {
		fmt.Fprintf(&out, ".c%d{%s}\n", i, c)
	}
	fmt.Fprintf(&out, "</style>\n<rect width=\"100%%\" height=\"100%%\" rx=\"10\" fill=\"%s\"/>\n%s%s%s</svg>\n", theme.Roles[themes.Bg], p.back.String(), p.lines.String(), p.text.String())
	return out.String()
}

func across(x int) float64 { return margin + float64(x)*cellW }

// run draws the cells from x on that look alike and returns where they end.
func (p *picture) run(screen *vt.Emulator, theme themes.Theme, x, y int) int {
	first, text, end := screen.CellAt(x, y), strings.Builder{}, x
	for end < screen.Width() {
		c := screen.CellAt(end, y)
		if c == nil || first == nil || !c.Style.Equal(&first.Style) || (c.Width > 1) != (first.Width > 1) {
			break
		}
		if c.Content == "" {
			text.WriteByte(' ')
		}
		text.WriteString(c.Content)
		end += max(c.Width, 1)
	}
	if first == nil {
		return x + 1
	}
	fg, bg := hex(first.Style.Fg, theme.Roles[themes.Fg]), hex(first.Style.Bg, "")
	if first.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = cmp.Or(bg, theme.Roles[themes.Bg]), fg
	}
	if bg != "" && bg != theme.Roles[themes.Bg] {
		fmt.Fprintf(&p.back, `<rect x="%.1f" y="%.0f" width="%.1f" height="%.0f" class="%s"/>`+"\n", across(x), margin+float64(y)*cellH, float64(end-x)*cellW, cellH, p.class(bg))
	}
	p.words(text.String(), x, y, look{fg, first.Style, max(first.Width, 1)})
	return end
}

// look is how the letters of a run look.
type look struct {
	colour string
	style  uv.Style
	width  int // cells a letter
}

// words draws the text of a run: strokes for the lines of boxes, letters for the rest, nothing for long blanks.
func (p *picture) words(text string, x, y int, l look) {
	css := "fill:" + l.colour
	if l.style.Attrs&uv.AttrBold != 0 {
		css += ";font-weight:bold"
	}
	if l.style.Attrs&uv.AttrItalic != 0 {
		css += ";font-style:italic"
	}
	if l.style.Underline != 0 {
		css += ";text-decoration:underline"
	}
	cells := []rune(text)
	for i := 0; i < len(cells); {
		n := 1
		switch c := cells[i]; {
		case c == ' ':
		case strings.ContainsRune(boxes, c):
			for i+n < len(cells) && cells[i+n] == c && c == '─' {
				n++
			}
			p.stroke(c, x+i*l.width, y, n, "fill:none;stroke:"+l.colour)
		default:
			for i+n < len(cells) && !strings.ContainsRune(boxes, cells[i+n]) && (cells[i+n] != ' ' || i+n+1 < len(cells) && cells[i+n+1] != ' ' && !strings.ContainsRune(boxes, cells[i+n+1])) {
				n++
			}
			fmt.Fprintf(&p.text, `<text x="%.1f" y="%.0f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" class="%s">%s</text>`+"\n",
				across(x+i*l.width), margin+float64(y)*cellH+13.5, float64(n*l.width)*cellW, p.class(css), html.EscapeString(string(cells[i:i+n])))
		}
		i += n
	}
}

// boxes are the characters that are drawn as strokes; ⏸ is among them as many fonts lack it or make it an emoji.
const boxes = "─│╭╮╰╯├┤┬┴┼⏸"

// stroke draws n cells of a line of a box.
func (p *picture) stroke(c rune, x, y, n int, css string) {
	left, top := across(x), margin+float64(y)*cellH
	right, bottom, midX, midY := left+float64(n)*cellW, top+cellH, left+cellW/2, top+cellH/2
	arm := map[rune]string{'─': "lr", '│': "ud", '╭': "rd", '╮': "ld", '╰': "ru", '╯': "lu", '├': "udr", '┤': "udl", '┬': "lrd", '┴': "lru", '┼': "lrud"}[c]
	var path strings.Builder
	if c == '⏸' {
		fmt.Fprintf(&path, "M%.1f %.1fv9M%.1f %.1fv9", midX-2, midY-4.5, midX+2, midY-4.5)
		css += ";stroke-width:2"
	}
	for _, a := range arm {
		switch {
		case c == '─' && a == 'l':
			fmt.Fprintf(&path, "M%.1f %.1fH%.1f", left, midY, right)
		case c == '─':
		case a == 'l':
			fmt.Fprintf(&path, "M%.1f %.1fH%.1f", left, midY, midX)
		case a == 'r':
			fmt.Fprintf(&path, "M%.1f %.1fH%.1f", midX, midY, right)
		case a == 'u':
			fmt.Fprintf(&path, "M%.1f %.1fV%.1f", midX, midY, top)
		case a == 'd':
			fmt.Fprintf(&path, "M%.1f %.1fV%.1f", midX, midY, bottom)
		}
	}
	fmt.Fprintf(&p.lines, `<path d="%s" class="%s"/>`+"\n", path.String(), p.class(css))
}

// class names a style of the sheet; a bare colour is a fill.
func (p *picture) class(css string) string {
	if strings.HasPrefix(css, "#") {
		css = "fill:" + css
	}
	i := slices.Index(p.classes, css)
	if i < 0 {
		i, p.classes = len(p.classes), append(p.classes, css)
	}
	return fmt.Sprintf("c%d", i)
}

// hex writes a colour as a picture needs it; none is what stands for the terminal's own.
func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	glamour "charm.land/glamour/v2/ansi"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	goldrender "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	"pgregory.net/rapid"

	"talaria/themes"
	"talaria/ui/style"
)

// cells are what a terminal shows of a line: each character with its style. A blank shows no foreground.
func cells(line string) []string {
	var out []string
	var pen uv.Style
	p := ansi.NewParser()
	p.SetHandler(ansi.Handler{
		Print: func(r rune) {
			st := pen
			if r == ' ' {
				st.Fg, st.Attrs = nil, st.Attrs&uv.AttrStrikethrough
			}
			out = append(out, string(r)+st.String())
		},
		HandleCsi: func(cmd ansi.Cmd, params ansi.Params) {
			if cmd == 'm' {
				uv.ReadStyle(params, &pen)
			}
		},
	})
	for _, b := range []byte(line) {
		p.Advance(b)
	}
	if !pen.IsZero() {
		out = append(out, "ends in "+pen.String())
	}
	return out
}

// both draws the first text in src twice: by glamour, and by this package. why is the reason against glamour.
func both(r *Renderer, src string, width int) (lines, own []string, ok bool, why string) {
	doc, p := r.parse(style.Safe(src), nil)
	n, look, c := doc.FirstChild(), r.base, p.column(width)
	for n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
		n = n.FirstChild()
	}
	if h, is := n.(*ast.Heading); is {
		look = headingLook(h.Level)
	}
	spans := r.inline(n, c, look)
	why = reasonAgainst(n, c.src)
	own = r.prose(spans, c)
	paragraph := ast.NewParagraph()
	move(n, paragraph)
	lines = r.paint(paragraph, c, look)
	return lines, own, reads(lines, words(spans), c.prose), why
}

func same(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return slices.Equal(cells(x), cells(y)) })
}

// TestGlamourDrawsText says which text glamour draws, in every kind of block that has text.
func TestGlamourDrawsText(t *testing.T) {
	for _, src := range []string{
		"The failure is a race.\nAnother *line* with `code` and **bold *both* bold** text, ~~gone~~, and so on.",
		"# A heading with `code` and *more*", "Two lines\nof a heading\n====", "#### Fourth", "- an item with `a\\.b`", "1. > quoted **text**",
		"See [the *issue*](https://example.test/a/b) “now” – it’s fine…", "[a place](#here) in the text", "[r] is known\n\n[r]: http://a.test/x",
	} {
		for _, theme := range []string{"dusk", "paper", "mono"} {
			lines, own, ok, why := both(renderer(theme), src, 50)
			if !ok || why != "" {
				t.Errorf("%q is not drawn by glamour (%s):\n%s", src, why, plain(lines))
			}
			if !same(lines, own) {
				t.Errorf("%q in %s looks different:\n%q\n%q", src, theme, lines, own)
			}
			if r := renderer(theme); r.Render(src, 50) == nil || len(r.brushes) != 1 {
				t.Errorf("%q did not go to glamour", src)
			}
		}
	}
}

// TestEachReasonAgainstGlamourHolds fails when glamour is mended: then the reason can go.
func TestEachReasonAgainstGlamourHolds(t *testing.T) {
	samples := map[string]string{
		"a tag is removed":                                                                 "press <kbd>x</kbd>",
		"an address gets the brackets of a link":                                           "see http://a.test",
		"the address of a picture is resolved":                                             "![picture](pic.png)",
		"a check box is left out":                                                          "- [x] done",
		"an escaped sign keeps its backslash":                                              `\"quoted\"`,
		"an entity without its semicolon is decoded":                                       "a&copy=1",
		"an entity in code is decoded":                                                     "`a &amp; b`",
		"code that holds a backtick reads as two pieces":                                   "`` a`b ``",
		"code and links lose the emphasis around them, code in a link its backslashes too": "**use `this`**",
		"a hard line break is lost":                                                        "one  \ntwo",
		"wide characters wrap at blanks only":                                              "修复说明 刷新令牌的失败是一个竞态条件 一二三四五 六七",
		"crossed-out text loses the marks within":                                          "~~a *b*~~",
		"a link that shows its address says it twice":                                      "[http://a.test](http://a.test)",
		"an address without a scheme is resolved":                                          "[docs](docs/x)",
	}
	r := renderer("dusk")
	for _, reason := range reasons {
		src, ok := samples[reason.name]
		if !ok {
			if reason.name != "an unknown kind is left out and reported on the standard output" {
				t.Errorf("no sample for %q", reason.name)
			}
			continue
		}
		lines, own, reads, why := both(r, src, 31)
		if why != reason.name {
			t.Errorf("%q is kept from glamour because %q, not %q", src, why, reason.name)
		}
		if fresh := renderer("dusk"); fresh.Render(src, 31) == nil || len(fresh.brushes) > 0 {
			t.Errorf("%q went to glamour", src)
		}
		if reads && same(lines, own) {
			t.Errorf("glamour shows %q well now; the reason %q can go", src, why)
		}
	}
	for src, want := range map[string]string{"[`a\\.b`](http://a.test)": "`a\\.b` (http://a.test)", "**[x](http://a.test)**": "x (http://a.test)"} {
		lines, own, reads, why := both(r, src, 40)
		if why == "" || reads && same(lines, own) || plain(own) != want {
			t.Errorf("%q: %q, by glamour %q, own %q", src, why, lines, own)
		}
	}
}

func TestATreeCanBeDrawnTwice(t *testing.T) {
	r := renderer("dusk")
	doc, p := r.parse(corpus(t)["answer.md"], nil)
	first := r.children(doc, p.column(60))
	if second := r.children(doc, p.column(60)); !slices.Equal(first, second) {
		t.Errorf("first:\n%s\nthen:\n%s", plain(first), plain(second))
	}
}

func TestAnUnknownKindNeverReachesGlamour(t *testing.T) {
	n := ast.NewParagraph()
	n.AppendChild(n, ast.NewString([]byte("x")))
	if reasonAgainst(n, nil) == "" {
		t.Error("glamour would write a warning over the screen")
	}
}

// TestTheNetCatchesWhatGlamourBreaks: no reason is against these, yet glamour breaks a word or an address.
func TestTheNetCatchesWhatGlamourBreaks(t *testing.T) {
	r := renderer("mono")
	for _, src := range []string{
		"run the tests with --race", "use the flag `a --race` now", "see it in its well-known place", "see [it](http://a.test/" + strings.Repeat("a", 60) + ")", strings.Repeat("x", 50),
	} {
		width := 22
		lines, own, ok, why := both(r, src, width)
		if ok || why != "" {
			t.Errorf("%q: glamour draws it well (%v, %q):\n%s", src, ok, why, plain(lines))
		}
		if got := r.Render(src, width); !slices.Equal(got, own) {
			t.Errorf("%q is shown as\n%s", src, plain(got))
		}
	}
	for _, bad := range [][]string{nil, {"one two"}, {"one", "two thre"}, {"one", "two", "three "}, {"one  two", "three"}, {"one two ", "three"}} {
		if reads(bad, "one two three", 7) {
			t.Errorf("%q passes for the text", bad)
		}
	}
	if reads([]string{"a  ", "b"}, "a   b", 9) {
		t.Error("a line may end in blanks")
	}
	if !reads([]string{"\x1b[1mone\x1b[m two", "three"}, "one two three", 7) {
		t.Error("the text itself does not pass")
	}
}

// TestABlockLooksTheSameWhoeverDrawsIt is why a block may change hands while it grows.
func TestABlockLooksTheSameWhoeverDrawsIt(t *testing.T) {
	r := renderer("dusk")
	bits := []string{"a", "word", "longer-word", "`code`", "`code with blanks`", "**bold**", "**bold words here**", "*slanted*", "~~gone~~", "[link](http://a.test/x)",
		"***both***", ",", ".", "“q”", "é", "(in", "brackets)", "--flag", "/usr/bin", "x=1;", "...", "100%", "a|b", "e.g.", "\n", "  ", "*a **b** c*"}
	drawn := 0
	check := func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(bits), 1, 40).Draw(t, "parts")
		src, width := "w"+strings.Join(parts, rapid.SampledFrom([]string{" ", ""}).Draw(t, "between")), rapid.SampledFrom([]int{4, 12, 30, 80}).Draw(t, "width")
		if rapid.Bool().Draw(t, "heading") {
			src = "# " + strings.ReplaceAll(src, "\n", " ")
		}
		lines, own, ok, why := both(r, src, width)
		if !ok || why != "" {
			return
		}
		drawn++
		if !same(lines, own) {
			t.Fatalf("%q at %d\nglamour: %q\nown:     %q", src, width, lines, own)
		}
	}
	for i := 0; i < 5 && drawn < 10; i++ { // glamour takes about half of the texts, and a short run has few
		rapid.Check(t, check)
	}
	if drawn < 10 {
		t.Errorf("glamour drew only %d texts", drawn)
	}
}

func TestARuleLooksTheSame(t *testing.T) {
	for _, theme := range []string{"dusk", "mono"} {
		r := renderer(theme)
		want := r.sheet.Ink(themes.Border, r.sheet.Rule(30))
		if got := r.Render("---", 30); len(got) != 1 || !slices.Equal(cells(got[0]), cells(want)) || len(r.brushes) != 1 {
			t.Errorf("a rule is %q, want %q", got, want)
		}
	}
}

// TestWhyTheFramesAreNotGlamours fails when glamour draws one of them in another way; then look again.
func TestWhyTheFramesAreNotGlamours(t *testing.T) {
	indent, bar := uint(1), "│ "
	c := glamour.StyleConfig{}
	c.BlockQuote.Indent, c.BlockQuote.IndentToken = &indent, &bar
	c.Item.BlockPrefix = "• "
	g := goldrender.NewRenderer(goldrender.WithNodeRenderers(util.Prioritized(glamour.NewRenderer(glamour.Options{WordWrap: 20, Styles: c}), 0)))
	for _, frame := range []struct{ src, seen, why string }{
		{"> one two threes four five", "\nfour", "a line that fills its quote is broken again, outside of the bar"},
		{"- words of an item that wrap", "\nthat wrap", "the second line of an item does not hang"},
		{"- one\n\n  two", "onetwo", "the second paragraph of an item is glued to the first"},
		{"| a | b |\n|---|---|\n| 1 | 2 |", "──────────┼─────────\n 1        │ 2", "a table has a margin and takes the whole width"},
		{"| a |\n|---|\n| [x](http://a.b) |", "[1]: x http://a.b", "an address in a table moves below it"},
	} {
		doc, p := renderer("mono").parse(frame.src, nil)
		var out bytes.Buffer
		if err := g.Render(&out, p.src, doc); err != nil || !strings.Contains(ansi.Strip(out.String()), frame.seen) {
			t.Errorf("%q: not any more: %s (%v)\n%s", frame.src, frame.why, err, ansi.Strip(out.String()))
		}
	}
}

// TestALargeItemIsDrawnSwiftly: an item is laid out as a whole in every frame while it is open.
func TestALargeItemIsDrawnSwiftly(t *testing.T) {
	for lines, byGlamour := range map[int]bool{10: true, 200: false} {
		r := renderer("dusk")
		src := "- first\n" + strings.Repeat("  - within it, one of *many*\n", lines)
		r.Render(src, 60)
		if got := len(r.brushes) > 0; got != byGlamour {
			t.Errorf("an item of %d lines is drawn by glamour: %v", lines, got)
		}
	}
}

func TestItemsOfAnySizeStreamAsTheyRender(t *testing.T) {
	r := renderer("dusk")
	more := "more *words* to come\n"
	for _, box := range []string{"- ", "> ", "1. > "} {
		for n := maxGlamour/len(more) - 4; n < maxGlamour/len(more)+4; n++ {
			inside := strings.Repeat(" ", len(box))
			if box == "> " {
				inside = box
			}
			src := box + "first\n" + strings.Repeat(inside+more, n) + "\n  the *end*\n" + box + "next *one*\n\n---\nand out\n"
			s := stream(r, src, 7)
			s.Finish()
			if got, want := s.Lines(60), r.Render(src, 60); !slices.Equal(got, want) {
				t.Fatalf("%q with %d lines:\n%q\nwant:\n%q", box, n, got, want)
			}
		}
	}
}

// BenchmarkOpenText is a frame while a paragraph, or an item of a list, is being written.
func BenchmarkOpenText(b *testing.B) {
	line := "some words with `code` and **bold** text to wrap around "
	for name, src := range map[string]string{
		"paragraph": strings.Repeat(line, maxGlamour/len(line)), "long": strings.Repeat(line, 20<<10/len(line)),
		"nested": "- one\n" + strings.Repeat("  - "+line+"\n", 20<<10/len(line)),
	} {
		b.Run(name, func(b *testing.B) {
			s := renderer("dusk").Stream()
			s.Append(src)
			s.Lines(80)
			for b.Loop() {
				s.tailOf = -1
				s.Lines(80)
			}
		})
	}
}

// BenchmarkText measures text of some length drawn by glamour, by this package, and as it is: with the choice.
func BenchmarkText(b *testing.B) {
	r := renderer("dusk")
	one := "The *failure* is a race: `refresh()` checks the flag and then awaits, so **two** requests both start one. "
	for _, kb := range []int{1, 2} {
		doc, p := r.parse(strings.Repeat(one, kb<<10/len(one)), nil)
		n, c := doc.FirstChild(), p.column(80)
		spans := r.inline(n, c, r.base)
		for name, draw := range map[string]func(){
			"glamour": func() { r.drawn(n, c, r.base, words(spans)) },
			"own":     func() { r.prose(r.inline(n, c, r.base), c) },
			"check":   func() { reasonAgainst(n, c.src) },
			"net":     func() { reads([]string{"x"}, words(spans), 80) },
			"chosen":  func() { r.text(n, c, r.base) },
		} {
			b.Run(fmt.Sprintf("%s/%dKB", name, kb), func(b *testing.B) {
				for b.Loop() {
					draw()
				}
			})
		}
	}
}

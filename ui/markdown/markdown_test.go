package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"talaria/themes"
	"talaria/ui/style"
)

func renderer(theme string) *Renderer {
	t, err := themes.Load(theme)
	if err != nil {
		panic(err)
	}
	return New(style.New(t, false))
}

// corpus returns the sample replies of testdata by name.
func corpus(t testing.TB) map[string]string {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	all := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = string(b)
	}
	return all
}

func plain(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestAReplyReadsAsItWasWritten(t *testing.T) {
	for name, src := range corpus(t) {
		for _, width := range []int{40, 80} {
			golden := filepath.Join("testdata", fmt.Sprintf("%s.%d.txt", strings.TrimSuffix(name, ".md"), width))
			got := plain(renderer("dusk").Render(src, width)) + "\n"
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s at %d:\n%s\nwant:\n%s", name, width, got, want)
			}
		}
	}
}

func TestStreamedInAnyPiecesEqualsRenderedWhole(t *testing.T) {
	r, rare := renderer("dusk"), 2
	if raceOn {
		rare = 20
	}
	for name, src := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				width := rapid.SampledFrom([]int{20, 40, 80, 130}).Draw(t, "width")
				s := r.Stream()
				for rest := src; rest != ""; {
					n := min(len(rest), rapid.IntRange(1, 90).Draw(t, "n"))
					s.Append(rest[:n])
					rest = rest[n:]
					if rapid.IntRange(0, rare).Draw(t, "draw") == 0 {
						for _, line := range s.Lines(width) {
							if style.Width(line) > width {
								t.Fatalf("%q is wider than %d", line, width)
							}
						}
					}
				}
				s.Finish()
				got, want := strings.Join(s.Lines(width), "\n"), strings.Join(r.Render(src, width), "\n")
				if got != want {
					t.Fatalf("streamed:\n%s\nwhole:\n%s", ansi.Strip(got), ansi.Strip(want))
				}
				if got := strings.Join(s.Lines(width+7), "\n"); got != strings.Join(r.Render(src, width+7), "\n") {
					t.Fatalf("after a resize:\n%s", ansi.Strip(got))
				}
			})
		})
	}
}

func TestStreamedPiecesOfOddMarkdown(t *testing.T) {
	r := renderer("mono")
	bits := []string{"a", "word ", "\n", "\n\n", "- ", "1. ", "> ", "# ", "```\n", "```go\n", "~~~\n", "    ", "| a | b |\n", "|---|---|\n", "**b**", "`c`", "---\n", "===\n",
		"[x]", "[x]: http://a.b\n", "<b>", "<div>\n", "* ", "  ", "漢字", "\\", "&#27;", "\x1b]0;p\a", "\r\n", "- [x] "}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(bits), 1, 30).Draw(t, "parts")
		s, width := r.Stream(), rapid.SampledFrom([]int{1, 7, 30}).Draw(t, "width")
		for _, p := range parts {
			s.Append(p)
			s.Lines(width)
		}
		s.Finish()
		src := strings.Join(parts, "")
		if got, want := plain(s.Lines(width)), plain(r.Render(src, width)); got != want {
			t.Fatalf("source %q\nstreamed:\n%s\nwhole:\n%s", src, got, want)
		}
	})
}

func TestU01MarkdownCannotDriveTheTerminal(t *testing.T) {
	r := renderer("dusk")
	payloads := []string{
		"\x1b]52;c;ZXZpbA==\a", "\x1b]0;pwn\a", "\x1b]8;;http://x.test/\atext\x1b]8;;\a", "\x1b[2J", "\x1b[10A", "\x1b[6n", "\x1bc",
		"\x1bPqESC\x1b\\", "\x1b]", "\u009b2J", "\x9b2J", "a &#27;]52;c;ZXZpbA==&#7; b", "&#x1b;]0;pwn&#x7;", "&#155;2J", "&#x9b;2J",
	}
	frames := []string{"%s", "`%s`", "```\n%s\n```", "```go\n// %s\n```", "# %s", "- %s", "> %s", "[%s](http://x.test)", "[x](<http://x.test/%s>)",
		"![%s](x)", "| %s | b |\n|---|---|\n| %s | d |", "<b>%s</b>", "<div>\n%s\n</div>", "    %s", "```%s\nx\n```", "[x]\n\n[x]: http://a/%s", "**%s**", "<http://a.test/%s>"}
	for _, f := range frames {
		for _, p := range payloads {
			src := strings.ReplaceAll(f, "%s", p)
			s := r.Stream()
			for _, b := range []byte(src) {
				s.Append(string([]byte{b}))
				harmless(t, src, s.Lines(40))
			}
			harmless(t, src, r.Render(src, 40))
		}
	}
}

// harmless fails when lines hold any control but SGR.
func harmless(t *testing.T, src string, lines []string) {
	t.Helper()
	for _, line := range lines {
		if left := ansi.Strip(line); left != style.Safe(left) || style.OnlySGR(line) != line {
			t.Fatalf("%q gives %q", src, line)
		}
		if strings.Contains(line, "]52;c;ZXZpbA==\a") || strings.Contains(line, "\x1b]") {
			t.Fatalf("%q gives %q", src, line)
		}
	}
}

func TestU09NoLineIsWiderThanTheWindow(t *testing.T) {
	r := renderer("dusk")
	url := "https://example.test/" + strings.Repeat("a", 15)
	src := strings.Repeat("漢字かな", 14) + "\n\nhttps://example.test/" + strings.Repeat("a", 120) + "\n\n```\n" + strings.Repeat("x", 200) +
		"\n" + strings.Repeat("漢", 60) + "\n```\n\nsome words before the address " + url + " and after\n\n- > - deep " + strings.Repeat("y", 90) +
		"\n\n| " + strings.Repeat("wide ", 30) + "| b |\n|---|---|\n| c | " + strings.Repeat("z", 90) + " |\n"
	for width := range 130 {
		for _, line := range r.Render(src, width) {
			if style.Width(line) > max(1, width) {
				t.Fatalf("at %d: %q is %d wide", width, ansi.Strip(line), style.Width(line))
			}
		}
	}
	out := plain(r.Render(src, 40))
	if !strings.Contains(out, "\n"+url) {
		t.Error("an address that fits on a line was broken")
	}
	if !strings.Contains(out, strings.Repeat("x", 39)+"›") {
		t.Error("a cut line of code has no sign")
	}
}

func TestProseStopsAtAReadableWidthAndCodeDoesNot(t *testing.T) {
	r := renderer("mono")
	for _, line := range r.Render(strings.Repeat("word ", 100), 200) {
		if style.Width(line) > proseWidth {
			t.Fatalf("prose is %d wide", style.Width(line))
		}
	}
	code := strings.Repeat("y", 150)
	if got := r.Render("```\n"+code+"\n```", 200); len(got) != 1 || got[0] != code {
		t.Errorf("code = %q", got)
	}
}

func TestAnOpenFenceShowsCodeAtOnce(t *testing.T) {
	s := renderer("mono").Stream()
	s.Append("Look:\n\n```go\nfunc main() {\n\tprint(")
	if got, want := plain(s.Lines(40)), "Look:\n\nfunc main() {\n    print("; got != want {
		t.Errorf("open fence:\n%s", got)
	}
	s.Append("1)\n}\n``")
	if got := plain(s.Lines(40)); strings.Contains(got, "`") {
		t.Errorf("half of a closing fence is shown:\n%s", got)
	}
	s.Append("`\nDone.")
	if got, want := plain(s.Lines(40)), "Look:\n\nfunc main() {\n    print(1)\n}\n\nDone."; got != want {
		t.Errorf("closed fence:\n%s", got)
	}
}

func TestATableIsTextUntilItsSecondRowIsThere(t *testing.T) {
	s := renderer("mono").Stream()
	for _, step := range [][2]string{
		{"| a | b |\n", "| a | b |"},
		{"|---|--", "| a | b |\n|---|--"},
		{"-|\n", "a │ b\n──┼──"},
		{"| long", "a │ b\n──┼──\n| long"},
		{" cell | 2 |\n", "a         │ b\n──────────┼──\nlong cell │ 2"},
	} {
		s.Append(step[0])
		if got := plain(s.Lines(40)); got != step[1] {
			t.Errorf("after %q:\n%s\nwant:\n%s", step[0], got, step[1])
		}
	}
}

func TestInlineCodeIsShownAsWritten(t *testing.T) {
	for src, want := range map[string]string{
		"use `\\d+\\.\\d+` here": "use `\\d+\\.\\d+` here",
		"`a &amp; b` &amp; c":    "`a &amp; b` & c",
		"\\*not slanted\\*":      "*not slanted*",
		"a&copy=1 &lt;tag&gt;":   "a&copy=1 <tag>",
		"<details> text":         "<details> text",
		"one<br>two":             "one\ntwo",
		"[here](http://a.test)":  "here (http://a.test)",
		"<http://a.test>":        "http://a.test",
	} {
		if got := plain(renderer("mono").Render(src, 60)); got != want {
			t.Errorf("%q is shown as %q, want %q", src, got, want)
		}
	}
}

func TestU14NoColourMeansNone(t *testing.T) {
	for name, src := range corpus(t) {
		for _, line := range renderer("mono").Render(src, 80) {
			if strings.Contains(line, "38;") || strings.Contains(line, "48;") {
				t.Fatalf("%s: %q has a colour", name, line)
			}
		}
	}
}

// bigList is the reply of U11.
func bigList(items int) string {
	var b strings.Builder
	for i := range items {
		fmt.Fprintf(&b, "- item %d with `code` and **bold** text to wrap around\n", i)
	}
	return b.String()
}

// stream feeds src in n pieces and draws after each.
func stream(r *Renderer, src string, n int) *Stream {
	s := r.Stream()
	for i := range n {
		s.Append(src[len(src)*i/n : len(src)*(i+1)/n])
		s.Lines(80)
	}
	return s
}

func TestU11AFinishedItemIsLaidOutOnce(t *testing.T) {
	r := renderer("dusk")
	s := stream(r, bigList(300), 1000)
	if open := len(s.src) - s.done; open > 200 {
		t.Errorf("%d bytes of the list are still laid out on every delta", open)
	}
	s = stream(r, "```go\n"+strings.Repeat("x := compute(1, \"two\")\n", 300), 1000)
	if s.fence == nil || len(s.fence.shown) < 299 {
		t.Error("an open fence is not kept line by line")
	}
}

func BenchmarkU11List(b *testing.B) {
	r := renderer("dusk")
	for _, items := range []int{300, 1200} {
		src := bigList(items)
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			for b.Loop() {
				stream(r, src, items*10/3)
			}
		})
	}
}

func BenchmarkOpenFence100KB(b *testing.B) {
	r := renderer("dusk")
	src := "```go\n" + strings.Repeat("\tvalue := compute(1, \"two\") // and a comment\n", 100<<10/45)
	for b.Loop() {
		stream(r, src, 1000)
	}
}

func BenchmarkWhole100KB(b *testing.B) {
	r := renderer("dusk")
	src := strings.Repeat(corpus(b)["answer.md"], 1+100<<10/len(corpus(b)["answer.md"]))
	for b.Loop() {
		r.Render(src, 80)
	}
}
